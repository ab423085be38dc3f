"""Gold over every transport while more tasks are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.queues import Queue
from typing import TypeAlias

from toolworld.emit import Package
from toolworld.tasks.certificate.reference import Reference
from toolworld.tasks.certificate.tiers import Agreement, certify_tiers
from toolworld.tasks.forked import forked, told_if_killed

Golds: TypeAlias = "Queue[Reference | None]"
"""Gold of tasks on its way to another process; None after the last."""


class Transports:
    """A package's servers, and a process that runs gold over them."""

    def __init__(self, golds: Golds, found: Future[dict[str, Agreement]]) -> None:
        """Take the way to that process, and what it is to find."""
        self._golds, self._found = golds, found

    def run(self, golds: Iterable[Reference]) -> None:
        """Have gold of more tasks run.

        Raises:
            LaunchError: A server could not be started, or was lost, with those before.
        """
        for gold in golds:
            self._golds.put(gold)
        if self._found.done():
            self._result()

    def agreements(self) -> Mapping[str, Agreement]:
        """Return what came of all of them, by their names, once it has.

        Raises:
            LaunchError: A server could not be started, or was lost.
        """
        self._golds.put(None)
        return self._result()

    def _result(self) -> Mapping[str, Agreement]:
        with told_if_killed():
            return self._found.result()


@contextmanager
def transports(package: Package) -> Iterator[Transports]:
    """Start the servers of a package, and stop them once they are done with what they got."""
    golds: Golds = get_context("fork").Queue()
    with forked(1, _start, golds) as executor:
        try:
            yield Transports(golds, executor.submit(_agreements, package))
        finally:
            golds.put(None)
            # If nobody takes them any more, they are not waited for.
            golds.cancel_join_thread()


_coming: list[Golds] = []


def _start(golds: Golds) -> None:
    _coming.append(golds)


def _agreements(package: Package) -> dict[str, Agreement]:
    return certify_tiers(package, iter(_coming[0].get, None))
