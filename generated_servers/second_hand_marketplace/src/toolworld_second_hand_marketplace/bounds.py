"""What a server allows: time and memory for a call, open episodes, the size of a request.

A tool loops over finite data, but the data may be large, and an edited tool may have a bug.
A call that takes too long ends with an error, and changes nothing.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType, TracebackType

MEGABYTE = 2**20
MOST_BYTES = 16 * MEGABYTE
"""The most bytes in the body of a request."""
HEADER_SECONDS, BODY_SECONDS = 30.0, 30.0
"""How long a client may take to send the head of a request, and each part of its body."""
MOST_SNAPSHOTS = 100
"""The most snapshots that an episode may have."""


@dataclass(frozen=True)
class Bounds:
    """What a server allows.

    Attributes:
        seconds: How long a tool may run; 0 for no bound.
        megabytes: How much memory the process may take on top of what it starts with; 0 for any.
        episodes: How many episodes may be open.
        idle: Seconds without a request after which an episode is closed; 0 for never.
    """

    seconds: float = 10.0
    megabytes: int = 4096
    episodes: int = 1000
    idle: float = 3600.0


class TookTooLong(BaseException):
    """A tool ran for too long; not an ``Exception``, so that no tool can swallow it."""


class TimeBound:
    """A context manager that bounds the time of its body; works only in the main thread.

    The timer goes on when the body has ended, and the next body starts no other: to start and to
    stop one takes as long as a call.
    """

    def __init__(self, seconds: float) -> None:
        """Allow the body this many seconds."""
        self._seconds = seconds
        self._is_inside = False
        self._until = 0.0
        # The process whose timer goes on: a forked one has none.
        self._process = 0

    @classmethod
    def of(cls, seconds: float) -> TimeBound | None:
        """Return a bound; None for 0 seconds, outside the main thread and on Windows."""
        in_main = threading.current_thread() is threading.main_thread()
        return cls(seconds) if seconds and in_main and sys.platform != "win32" else None

    def _end(self, _: int, __: FrameType | None) -> None:
        left = self._until - time.monotonic()
        if self._is_inside and left > 0:
            signal.setitimer(signal.ITIMER_REAL, left)
            return
        self._process = 0
        # The timer may go off while the body ends: then the tool has come to its end.
        if self._is_inside:
            self._is_inside = False
            raise TookTooLong

    def __enter__(self) -> None:
        """Start the timer, unless it goes on."""
        self._until = time.monotonic() + self._seconds
        self._is_inside = True
        # A process may serve several packages, each with its own handler.
        if self._process != os.getpid() or signal.getsignal(signal.SIGALRM) != self._end:
            self._process = os.getpid()
            _stop_at_exit()
            signal.signal(signal.SIGALRM, self._end)
            signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the bound."""
        self._is_inside = False


@cache
def _stop_at_exit() -> None:
    """See to it that no timer goes off once the interpreter, as it ends, has left its handler."""
    atexit.register(signal.setitimer, signal.ITIMER_REAL, 0)


def bound_memory(megabytes: int) -> None:
    """Let the process take at most this much more memory; does nothing outside Linux."""
    if not megabytes or sys.platform != "linux":
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    most = pages * resource.getpagesize() + megabytes * MEGABYTE
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or most < hard:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
