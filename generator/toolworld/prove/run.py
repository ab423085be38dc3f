"""A proof started from outside: the package itself only ever runs in another process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO

from toolworld.errors import ToolworldError
from toolworld.packages import PackageFiles, find_module
from toolworld.packages.files import read_json
from toolworld.prove.report import ProofReport
from toolworld.prove.study import ProofSettings
from toolworld.spec.findings import suggest
from toolworld.system.processes import tied
from toolworld.system.temporary import temporary_folder

Say = Callable[[str], None]
GRACE = 0.5
LINES_SHOWN = 12


def prove(path: Path, settings: ProofSettings | None = None, say: Say | None = None) -> ProofReport:
    """Prove a package: run cases on every tool and mutant, and report what they show.

    The same package and settings give the same report.

    Args:
        path: The package's folder.
        settings: How thoroughly.
        say: Told what is being done.

    Raises:
        PackageLoadError: The folder holds no package.
        ToolworldError: The package cannot be run at all, or has no such tool.
    """
    settings = settings or ProofSettings()
    _check_tools(find_module(path), settings.only)
    options = json.dumps(asdict(settings))
    with temporary_folder() as folder:
        result, errors = folder / "result.json", folder / "errors.txt"
        command = [sys.executable, "-m", "toolworld.prove", str(path), str(result), options]
        with errors.open("w", encoding="utf-8") as into:
            status = _run(command, into, settings.minutes, say or _silent)
        if status != 0 or not result.is_file():
            raise ToolworldError(f"{path} cannot be proven: {_reason(status, errors, settings)}")
        return ProofReport(json.loads(result.read_text("utf-8")))


def _check_tools(module: Path, only: Sequence[str]) -> None:
    """Make sure that the tools to prove are there."""
    known = [tool["name"] for tool in read_json(PackageFiles(module).tools)]
    for name in only:
        if name not in known:
            raise ToolworldError(f"There is no tool {name}. {suggest(name, known, 'There are')}")


def _silent(_: str) -> None:
    return


def _run(command: list[str], errors: IO[str], minutes: float, say: Say) -> int:
    """Run a command in a process group of its own, which ends with it, and return its status."""
    with subprocess.Popen(
        tied(command), stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True
    ) as process:
        clock = threading.Timer(minutes * 60, _end, [process])
        clock.start()
        try:
            for line in process.stdout or ():
                say(line.rstrip("\n"))
        finally:
            clock.cancel()
            _end(process)
    return process.returncode


def _end(process: subprocess.Popen[str]) -> None:
    """End a process and its children, unless it has come to its own end."""
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)


def _reason(status: int, errors: Path, settings: ProofSettings) -> str:
    if status == -signal.SIGKILL:
        return f"it took more than {settings.minutes:g} minutes; ask for fewer calls."
    return "\n".join(errors.read_text("utf-8").strip().splitlines()[-LINES_SHOWN:])
