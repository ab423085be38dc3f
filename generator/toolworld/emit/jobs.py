"""Work in forked children under limits: work that hangs or eats memory ends alone.

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
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import Any

from toolworld.artifacts import clearing
from toolworld.garbage import SELDOM
from toolworld.system.processes import end_with

MARK_SIZE = 256
MEGABYTE = 2**20
PIPE_HOLDS = 30_000
WATCHED = 0.1
ENDING = (signal.SIGINT, signal.SIGTERM)
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
class ChildEnd:
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
        """Note the present activity."""
        self._memory[:] = text.encode()[:MARK_SIZE].ljust(MARK_SIZE, b"\0")

    def get(self) -> str:
        """Return the activity noted last."""
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
) -> Generator[tuple[int, ChildEnd], None, None]:
    """Run works in children, a few at a time; yield each one's number and end as they come.

    None outlives the iterator.
    """
    waiting = list(range(len(works)))[::-1]
    running: dict[int, _Child] = {}

    def clear() -> None:
        for child in running.values():
            child.kill()

    with clearing(clear), selectors.DefaultSelector() as selector:
        while waiting or running:
            while waiting and len(running) < workers:
                number = waiting.pop()
                child = running[number] = _Child(works[number], limits)
                selector.register(child.start(), selectors.EVENT_READ, number)
            ready = {int(key.data) for key, _ in selector.select(0.5)}
            for number, child in list(running.items()):
                if child.advanced(number in ready):
                    selector.unregister(child.pipe)
                    ended = child.end()
                    del running[number]
                    yield number, ended


def run_one(
    work: Callable[[Marker], Any], limits: Limits, on_doing: Callable[[str], None]
) -> ChildEnd:
    """Run work in a child and return how it ended; report its progress meanwhile."""
    child, told = _Child(work, limits), ""
    with clearing(child.kill), selectors.DefaultSelector() as selector:
        selector.register(child.start(), selectors.EVENT_READ)
        while not child.advanced(bool(selector.select(WATCHED))):
            if child.doing != told:
                told = child.doing
                on_doing(told)
        return child.end()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold signals back that end the program.

    No child is born that nobody knows of, and none goes on as its parent.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Child:
    """One forked child and its pipe."""

    def __init__(self, work: Callable[[Marker], Any], limits: Limits) -> None:
        self._work, self._marker, self._limits = work, Marker(), limits
        self._deadline = time.monotonic() + limits.job
        self._parts: list[bytes] = []
        self._late = False
        self._pid = 0

    def start(self) -> int:
        """Fork it; return the pipe that its result comes through."""
        self.pipe, into = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings(), _undisturbed():
            # Python warns of threads, whose locks a child may find taken: ours asks for none.
            warnings.simplefilter("ignore", DeprecationWarning)
            parent = os.getpid()
            self._pid = os.fork()
            if self._pid == 0:
                end_with(parent)
                _be_child(self._work, self._marker, self._limits, into)
        os.close(into)
        return self.pipe

    @property
    def doing(self) -> str:
        """What it is doing."""
        return self._marker.get()

    def kill(self) -> None:
        """Kill the child; do nothing if it was not started."""
        with suppress(ProcessLookupError, ChildProcessError):
            if self._pid:
                os.kill(self._pid, signal.SIGKILL)
                self._wait()

    def advanced(self, ready: bool) -> bool:
        """Read the child's output so far; return whether it is complete."""
        if ready:
            part = os.read(self.pipe, MEGABYTE)
            self._parts.append(part)
            return not part
        if time.monotonic() > self._deadline and not self._late:
            self._late = True
            os.kill(self._pid, signal.SIGKILL)
        return False

    def end(self) -> ChildEnd:
        """Return how it ended."""
        code, doing = self._wait(), self.doing
        if code == 0:
            return ChildEnd(pickle.loads(b"".join(self._parts)), doing=doing)  # noqa: S301 - our own child
        if code == BROKEN:
            raise ChildError(b"".join(self._parts).decode())
        if self._late or code == -signal.SIGXCPU:
            return ChildEnd(death="does not come back", doing=doing)
        if code == OUT_OF_MEMORY:
            return ChildEnd(death="eats memory", doing=doing)
        return ChildEnd(death=f"ended the process (status {code})", doing=doing)

    def _wait(self) -> int:
        """Wait for its end, and return its exit code; a signal's number is negative."""
        _, status = os.waitpid(self._pid, 0)
        self._pid = 0
        os.close(self.pipe)
        return os.waitstatus_to_exitcode(status)


def _be_child(work: Callable[[Marker], Any], marker: Marker, limits: Limits, into: int) -> None:
    status = OUT_OF_MEMORY
    try:
        for number in ENDING:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        gc.freeze()
        gc.set_threshold(*SELDOM)
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
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
