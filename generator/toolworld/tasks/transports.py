"""Gold over every transport while more tasks are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.queues import Queue
from typing import TypeAlias

from toolworld.emit import Package
from toolworld.tasks.certificate.tiers import Agreement, certify_tiers
from toolworld.tasks.certificate.verdict import Task
from toolworld.tasks.forked import forked, told_if_killed

Tasks: TypeAlias = "Queue[Task | None]"
"""Tasks on their way to another process; None after the last."""


class Transports:
    """A package's servers, and a process that runs gold over them."""

    def __init__(self, tasks: Tasks, found: Future[dict[str, Agreement]]) -> None:
        """Take the way to that process, and what it is to find."""
        self._tasks, self._found = tasks, found

    def run(self, tasks: Iterable[Task]) -> None:
        """Have gold of more tasks run.

        Raises:
            LaunchError: A server could not be started, or was lost, with those before.
        """
        for task in tasks:
            self._tasks.put(task)
        if self._found.done():
            self._result()

    def agreements(self) -> Mapping[str, Agreement]:
        """Return what came of all tasks, by their ids, once it has.

        Raises:
            LaunchError: A server could not be started, or was lost.
        """
        self._tasks.put(None)
        return self._result()

    def _result(self) -> Mapping[str, Agreement]:
        with told_if_killed():
            return self._found.result()


@contextmanager
def transports(package: Package) -> Iterator[Transports]:
    """Start the servers of a package, and stop them once they are done with what they got."""
    tasks: Tasks = get_context("fork").Queue()
    with forked(1, _start, tasks) as executor:
        try:
            yield Transports(tasks, executor.submit(_agreements, package))
        finally:
            tasks.put(None)
            # If nobody takes them any more, they are not waited for.
            tasks.cancel_join_thread()


_coming: list[Tasks] = []


def _start(tasks: Tasks) -> None:
    _coming.append(tasks)


def _agreements(package: Package) -> dict[str, Agreement]:
    return certify_tiers(package, iter(_coming[0].get, None))
