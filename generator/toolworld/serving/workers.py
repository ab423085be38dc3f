"""The worker processes of a host: forked once the packages are loaded, and again if one ends."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from types import FrameType

from toolworld.system.processes import end_with

SHORTEST_LIFE, MOST_SHORT_LIVES = 5.0, 5
"""A worker that ends within these seconds is short-lived; the most such workers in a row."""
ENDING = (signal.SIGTERM, signal.SIGINT)

Work = Callable[[int], None]


class Workers:
    """Keeps a number of workers running until the host ends."""

    def __init__(
        self,
        work: Work,
        count: int,
        say: Callable[[str], None],
        on_end: Callable[[int], None],
    ) -> None:
        """Take the function that a worker runs.

        Args:
            work: Does a worker's work, given its number, until SIGTERM.
            count: How many workers.
            say: Called with a line about each worker that ends too early.
            on_end: Called with the process id of each worker that ends.
        """
        self._work, self._count, self._say, self._on_end = work, count, say, on_end
        self._running: dict[int, tuple[int, float]] = {}
        self._ending = False
        self._short_lives = 0

    def run(self) -> bool:
        """Start the workers and restart those that end; return False if they keep ending."""
        for number in ENDING:
            signal.signal(number, self._end)
        for worker in range(self._count):
            self._start(worker)
        while self._running:
            pid, status = os.wait()
            worker, began = self._running.pop(pid)
            self._on_end(pid)
            if self._ending:
                continue
            self._say(f"Worker {worker} ended (status {os.waitstatus_to_exitcode(status)}).")
            is_short = time.monotonic() - began < SHORTEST_LIFE
            self._short_lives = self._short_lives + 1 if is_short else 0
            if self._short_lives >= MOST_SHORT_LIVES:
                self._say("Workers end as soon as they are started; giving up.")
                self._end()
                return False
            self._start(worker)
        return True

    def _start(self, worker: int) -> None:
        parent = os.getpid()
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        pid = os.fork()
        if pid == 0:
            self._be_worker(worker, parent)
        self._running[pid] = worker, time.monotonic()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)

    def _be_worker(self, worker: int, parent: int) -> None:
        end_with(parent)
        for number in ENDING:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        status = 1
        try:
            self._work(worker)
            status = 0
        finally:
            os._exit(status)

    def _end(self, _: int = 0, __: FrameType | None = None) -> None:
        """Ask every worker to finish what it is doing."""
        self._ending = True
        for pid in self._running:
            os.kill(pid, signal.SIGTERM)
