"""Which process made something, and whether it still runs."""

from __future__ import annotations

import hashlib
import os
import platform
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

START_FIELD = 19
"""Where the time of a process's start stands in /proc/PID/stat, after its name."""
TEXT = re.compile(r"([0-9a-f]{8})-([0-9]{1,10})-([0-9]{1,20})")


@dataclass(frozen=True)
class Maker:
    """A process.

    Attributes:
        machine: Where it runs: a number of it means something only there.
        pid: Its number.
        started: When it was started, in the system's own count; 0 where that cannot be told.
    """

    machine: str
    pid: int
    started: int

    @classmethod
    def here(cls) -> Maker:
        """Return the process that asks."""
        return cls(_machine(), os.getpid(), _started(os.getpid()) or 0)

    @classmethod
    def read(cls, text: str) -> Maker | None:
        """Return the process that a text describes; None if the text is malformed."""
        found = TEXT.fullmatch(text)
        return cls(found[1], int(found[2]), int(found[3])) if found else None

    @property
    def is_of_this_machine(self) -> bool:
        """Whether it can be told here if it runs."""
        return self.machine == _machine()

    @property
    def runs(self) -> bool:
        """Whether it still runs; a process on another machine is assumed to."""
        if not self.is_of_this_machine:
            return True
        started = _started(self.pid)
        if self.started and started is not None:
            return started == self.started
        return _is_hidden(self.pid) if self.started else _exists(self.pid)

    def __str__(self) -> str:
        """The text that ``read`` takes."""
        return f"{self.machine}-{self.pid}-{self.started}"


@cache
def _machine() -> str:
    """Return a key of this machine and process namespace."""
    parts = [platform.node()]
    for path in ("/proc/sys/kernel/random/boot_id", "/etc/machine-id"):
        with suppress(OSError):
            parts.append(Path(path).read_text("ascii"))
    with suppress(OSError):
        parts.append(str(Path("/proc/self/ns/pid").stat().st_ino))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:8]


def _started(pid: int) -> int | None:
    """Return when a process was started; None if it is gone or the system does not tell."""
    try:
        said = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    state, *rest = said.rpartition(")")[2].split()
    # What has ended and is not waited for yet holds nothing any more.
    return None if state in "ZX" else int(rest[START_FIELD - 1])


def _is_hidden(pid: int) -> bool:
    """Return whether a process exists that belongs to another user."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return False


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
