"""One command for one package, run in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from toolworld.system.processes import tied
from toolworld.system.temporary import temporary_folder

LINES_SHOWN = 15
KILLED = "It was killed."


@dataclass(frozen=True)
class Job:
    """A command to run on a package or a domain.

    Attributes:
        name: The job's name: the last part of the path.
        path: The package's or the domain's folder.
        command: The command of ``toolworld``.
        options: The other arguments of the command.
        has_report: Whether it can write a report.
    """

    name: str
    path: str
    command: str
    options: Sequence[str] = ()
    has_report: bool = True


@dataclass(frozen=True)
class JobEnd:
    """How a job ended.

    Attributes:
        status: The exit code; negative if a signal ended it.
        said: The last lines that it printed.
        report: Its report; None if it wrote none.
    """

    status: int
    said: str = ""
    report: Any = None

    @property
    def passed(self) -> bool:
        """Whether the job ended with the exit code 0."""
        return self.status == 0


def run_job(job: Job) -> JobEnd:
    """Run a job and return how it ended, even if it failed."""
    with temporary_folder() as folder:
        file = folder / "report.json"
        command = [sys.executable, "-m", "toolworld", job.command, job.path, *job.options]
        if job.has_report:
            command += ["--json", str(file)]
        ended = subprocess.run(
            tied(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "COLUMNS": "120"},
            text=True,
            errors="replace",
            check=False,
        )
        report = json.loads(file.read_text("utf-8")) if file.is_file() else None
    said = ended.stdout.strip().splitlines()[-LINES_SHOWN:]
    if ended.returncode == -signal.SIGKILL:
        said.append(KILLED)
    return JobEnd(ended.returncode, "\n".join(said), report)
