"""Runs one command, tells it to end at some moment, and finds what is left of it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "TOOLWORLD_KILLS"
"""The environment variable that says which run a process belongs to."""
SOON, LONGEST = 1.0, 120.0
POLL = 0.02


@dataclass(frozen=True)
class Blow:
    """How a command is told to end.

    Attributes:
        signal: The signal; None to let it end by itself.
        seconds: How long after its start.
        to_group: Whether its whole process group gets it, as from a terminal.
    """

    signal: signal.Signals | None = None
    seconds: float = 0.0
    to_group: bool = False

    def __str__(self) -> str:
        """Return the text that is printed for it."""
        if self.signal is None:
            return "not told to end"
        return f"{self.signal.name}{' to its group' if self.to_group else ''} at {self.seconds:.3f}"


@dataclass(frozen=True)
class Fall:
    """How a command ended.

    Attributes:
        status: Its exit status; a signal's number is negative.
        said: Its standard error.
        seconds: How long it ran.
        lasted: How long it went on after it was told to end.
        orphans: The commands of processes that ran on.
    """

    status: int
    said: str
    seconds: float
    lasted: float
    orphans: tuple[str, ...]


def run(command: Sequence[str], folder: Path, stdin: str, blow: Blow) -> Fall:
    """Run a command in a folder, with its temporary files in ``tmp``, and tell it to end."""
    mark = os.urandom(8).hex()
    (folder / "tmp").mkdir(exist_ok=True)
    variables = {**os.environ, VARIABLE: mark, "TMPDIR": str(folder / "tmp")}
    variables["PYTHONDONTWRITEBYTECODE"] = "1"
    log, began = folder / "stderr", time.monotonic()
    read, write = os.pipe()
    os.write(write, stdin.encode())
    with open(read) as reads, log.open("w") as said:  # noqa: PTH123 - no file on disk
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=variables,
            stdin=reads,
            stdout=subprocess.DEVNULL,
            stderr=said,
            start_new_session=True,
        )
    if blow.signal is None:
        os.close(write)
    told = _tell(process, blow)
    status = process.wait(LONGEST)
    ended = time.monotonic()
    if blow.signal is not None:
        os.close(write)
    return Fall(status, log.read_text("utf-8"), ended - began, ended - told, _orphans(mark))


def _tell(process: subprocess.Popen[bytes], blow: Blow) -> float:
    if blow.signal is not None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(blow.seconds)
        with suppress(ProcessLookupError):
            if blow.to_group:
                os.killpg(process.pid, blow.signal)
            else:
                process.send_signal(blow.signal)
    return time.monotonic()


def _orphans(mark: str) -> tuple[str, ...]:
    """Return the commands of processes that still run after a while, and kill these."""
    end = time.monotonic() + SOON
    while (left := _running(mark)) and time.monotonic() < end:
        time.sleep(POLL)
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return tuple(left.values())


def _running(mark: str) -> dict[int, str]:
    """Return the processes of a run, with their commands."""
    wanted = f"{VARIABLE}={mark}".encode()
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            # A process that has ended but is not waited for has no environment any more.
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
                found[int(folder.name)] = command.decode("utf-8", "replace").strip()
    return found
