"""What a server allows: time and memory for a call, open episodes, the size of a request.

A tool's loops are over finite things, but what they are over may be large, and whoever edits a
tool may err. A call that takes too long ends with an error, and changes nothing.
"""

from __future__ import annotations

import signal
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType

MEGABYTE = 2**20
MOST_BYTES = 16 * MEGABYTE
"""How long the body of a request may be."""
HEADER_SECONDS, BODY_SECONDS = 30.0, 30.0
"""How long a client may take to send the head of a request, and each part of its body."""
MOST_SNAPSHOTS = 100
"""How many snapshots of an episode there may be."""


@dataclass(frozen=True)
class Bounds:
    """What a server allows.

    Attributes:
        seconds: How long a tool may run; 0 for as long as it likes.
        megabytes: How much memory the process may take on top of what it starts with; 0 for any.
        episodes: How many episodes may be open.
        idle: After how many seconds without a request one is closed; 0 for never.
    """

    seconds: float = 10.0
    megabytes: int = 4096
    episodes: int = 1000
    idle: float = 3600.0


class TookTooLong(BaseException):
    """A tool ran for too long. No ``Exception``: nothing that a tool does may swallow it."""


class TimeBound:
    """Bounds the run time of a block, in the main thread of a system with such timers."""

    def __init__(self, seconds: float) -> None:
        """Allow so many seconds."""
        self._seconds = seconds
        self._is_inside = False

    @classmethod
    def of(cls, seconds: float) -> TimeBound | None:
        """Return a bound; None if the system or thread allows none."""
        in_main = threading.current_thread() is threading.main_thread()
        return cls(seconds) if seconds and in_main and sys.platform != "win32" else None

    def _end(self, _: int, __: FrameType | None) -> None:
        # The timer may go off while it is being stopped: then the tool has come to its end.
        if self._is_inside:
            self._is_inside = False
            raise TookTooLong

    def __enter__(self) -> None:
        """Start the timer."""
        # Each time: a process may serve several packages, each with its own.
        signal.signal(signal.SIGALRM, self._end)
        self._is_inside = True
        signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop it."""
        self._is_inside = False
        signal.setitimer(signal.ITIMER_REAL, 0)


def bound_memory(megabytes: int) -> None:
    """Limit the further memory of the process, where the system can."""
    if not megabytes or sys.platform != "linux":
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    most = pages * resource.getpagesize() + megabytes * MEGABYTE
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or most < hard:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
