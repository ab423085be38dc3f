"""Gold over every transport while more tasks are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType
from typing import Self

from toolworld.emit import Package
from toolworld.tasks.certificate.tiers import Agreement, certify_tiers
from toolworld.tasks.certificate.verdict import Task


class Transports:
    """A package's servers, and a thread that runs gold over them.

    They are started with the first task.
    """

    def __init__(self, package: Package) -> None:
        """Take a package whose servers nobody has started yet."""
        self._package = package
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._thread = ThreadPoolExecutor(1)
        self._found: Future[dict[str, Agreement]] | None = None

    def run(self, tasks: Iterable[Task]) -> None:
        """Have gold of more tasks run.

        Raises:
            LaunchError: A server could not be started, or was lost, with those before.
        """
        for task in tasks:
            self._tasks.put(task)
            if self._found is None:
                coming = iter(self._tasks.get, None)
                self._found = self._thread.submit(certify_tiers, self._package, coming)
        if self._found is not None and self._found.done():
            self._found.result()

    def agreements(self) -> Mapping[str, Agreement]:
        """Return what came of all tasks, by their ids, once it has.

        Raises:
            LaunchError: A server could not be started, or was lost.
        """
        self._tasks.put(None)
        return self._found.result() if self._found is not None else {}

    def __enter__(self) -> Self:
        """Return the servers-to-be."""
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop the servers, once they are done with what they were given."""
        self._tasks.put(None)
        self._thread.shutdown()
