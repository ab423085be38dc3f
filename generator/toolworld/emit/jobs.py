"""Work in forked children under limits: what hangs or eats memory takes only itself along.

A child writes what it is doing into memory it shares with its parent, so that a child that had
to be killed is still known by the tool it was running.
"""

from __future__ import annotations

import gc
import mmap
import os
import pickle
import resource
import selectors
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

MARK_SIZE = 256
MEGABYTE = 2**20
PIPE_HOLDS = 30_000
WATCHED = 0.1
OUT_OF_MEMORY, BROKEN = 71, 70


class OutOfTime(BaseException):
    """A call took too long. Not an ``Exception``: nothing a tool does may swallow it."""


class ChildError(Exception):
    """The work itself failed, not a tool: the text is its traceback."""


@dataclass(frozen=True)
class Limits:
    """What a child, and one call in it, may use.

    Attributes:
        call: Seconds of processor time for one call.
        job: Seconds for a whole child.
        memory: Megabytes that a child may take on top of what it starts with.
    """

    call: float = 2.0
    job: float = 600.0
    memory: int = 512


@dataclass(frozen=True)
class Ended:
    """How a child ended.

    Attributes:
        value: What its work returned.
        death: Why it gave no result, in words; empty if it did.
        doing: What it was doing then.
    """

    value: Any = None
    death: str = ""
    doing: str = ""


class Marker:
    """What a child is doing, readable after its death."""

    def __init__(self) -> None:
        """Share memory with children to come."""
        self._memory = mmap.mmap(-1, MARK_SIZE)

    def set(self, text: str) -> None:
        """Say what is being done."""
        self._memory[:] = text.encode()[:MARK_SIZE].ljust(MARK_SIZE, b"\0")

    def get(self) -> str:
        """Return what was said last."""
        return self._memory[:].rstrip(b"\0").decode("utf-8", "replace")


def _too_long(_: int, __: FrameType | None) -> None:
    raise OutOfTime


@contextmanager
def timed(seconds: float) -> Iterator[None]:
    """Raise ``OutOfTime`` in a block that uses more processor time than this.

    The kernel ends the process if even that does not get through, as in one endless C call.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    allow(seconds + 1)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))


def allow(seconds: float) -> None:
    """Let the process use this much more processor time; then the kernel ends it."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 1, hard))


def run_all(
    works: Sequence[Callable[[Marker], Any]], limits: Limits, workers: int
) -> Iterator[tuple[int, Ended]]:
    """Run works in children, a few at a time; yield each one's number and end as they come."""
    waiting = list(range(len(works)))[::-1]
    with selectors.DefaultSelector() as selector:
        running: dict[int, _Child] = {}
        while waiting or running:
            while waiting and len(running) < workers:
                number = waiting.pop()
                child = running[number] = _Child(works[number], limits)
                selector.register(child.pipe, selectors.EVENT_READ, number)
            ready = {int(key.data) for key, _ in selector.select(0.5)}
            for number, child in list(running.items()):
                if child.advanced(number in ready):
                    selector.unregister(child.pipe)
                    del running[number]
                    yield number, child.end()


def run_one(
    work: Callable[[Marker], Any], limits: Limits, on_doing: Callable[[str], None]
) -> Ended:
    """Run a work in a child and return how it ended; say meanwhile what it is doing."""
    child, told = _Child(work, limits), ""
    with selectors.DefaultSelector() as selector:
        selector.register(child.pipe, selectors.EVENT_READ)
        try:
            while not child.advanced(bool(selector.select(WATCHED))):
                if child.doing != told:
                    told = child.doing
                    on_doing(told)
        except BaseException:
            child.kill()
            raise
    return child.end()


class _Child:
    """One forked child and its pipe."""

    def __init__(self, work: Callable[[Marker], Any], limits: Limits) -> None:
        self._marker, self._limits = Marker(), limits
        self._deadline = time.monotonic() + limits.job
        self._parts: list[bytes] = []
        self._late = False
        self.pipe, into = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            # Python warns of threads, whose locks a child may find taken: ours asks for none.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._pid = os.fork()
        if self._pid == 0:
            _be_child(work, self._marker, limits, into)
        os.close(into)

    @property
    def doing(self) -> str:
        """What it is doing."""
        return self._marker.get()

    def kill(self) -> None:
        """End it before its time."""
        os.kill(self._pid, signal.SIGKILL)
        self.end()

    def advanced(self, ready: bool) -> bool:
        """Take in what has come; return whether that was all."""
        if ready:
            part = os.read(self.pipe, MEGABYTE)
            self._parts.append(part)
            return not part
        if time.monotonic() > self._deadline and not self._late:
            self._late = True
            os.kill(self._pid, signal.SIGKILL)
        return False

    def end(self) -> Ended:
        """Return how it ended."""
        os.close(self.pipe)
        _, status = os.waitpid(self._pid, 0)
        doing = self._marker.get()
        if os.waitstatus_to_exitcode(status) == 0:
            return Ended(pickle.loads(b"".join(self._parts)), doing=doing)  # noqa: S301 - our own child
        number = -os.waitstatus_to_exitcode(status)
        if number == -BROKEN:
            raise ChildError(b"".join(self._parts).decode())
        if self._late or number == signal.SIGXCPU:
            return Ended(death="does not come back", doing=doing)
        if number == -OUT_OF_MEMORY:
            return Ended(death="eats memory", doing=doing)
        return Ended(death=f"ended the process (status {-number})", doing=doing)


def _be_child(work: Callable[[Marker], Any], marker: Marker, limits: Limits, into: int) -> None:
    status = OUT_OF_MEMORY
    try:
        gc.freeze()
        signal.signal(signal.SIGVTALRM, _too_long)
        limit_memory(limits.memory)
        result = pickle.dumps(work(marker))
        with os.fdopen(into, "wb") as pipe:
            pipe.write(result)
        status = 0
    except MemoryError:
        status = OUT_OF_MEMORY
    except BaseException:  # noqa: BLE001 - the parent raises it
        status = BROKEN
        os.write(into, traceback.format_exc()[-PIPE_HOLDS:].encode())
    finally:
        os._exit(status)


def limit_memory(megabytes: int) -> None:
    """Let the process take this much more memory than it has, and no more."""
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - no file on disk
        pages = int(file.read().split()[0])
    most = pages * resource.getpagesize() + megabytes * MEGABYTE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
