"""Attempts made side by side: the same tasks come of them however many processes there are."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol

from toolworld.emit import load_package
from toolworld.graph import ToolGraph
from toolworld.tasks.chains.ledger import Ledger
from toolworld.tasks.make import Outcome, TaskMaker, Wanted

GARBAGE = 100_000
"""After how many new objects garbage is looked for: attempts leave little that must be found."""


class Workers(Protocol):
    """Whatever makes attempts."""

    def run(self, wanted: Sequence[Wanted], ledger: Ledger) -> list[Outcome]:
        """Return what comes of attempts, in their order."""


@dataclass(frozen=True)
class Here:
    """Makes attempts one after the other in this process."""

    maker: TaskMaker

    def run(self, wanted: Sequence[Wanted], ledger: Ledger) -> list[Outcome]:
        """Return what comes of attempts, in their order."""
        return [self.maker.attempt(one, ledger) for one in wanted]


@dataclass(frozen=True)
class Pool:
    """Makes attempts in processes of their own."""

    executor: ProcessPoolExecutor

    def run(self, wanted: Sequence[Wanted], ledger: Ledger) -> list[Outcome]:
        """Return what comes of attempts, in their order."""
        calls = [self.executor.submit(_attempt, one, ledger) for one in wanted]
        return [call.result() for call in calls]


@contextmanager
def workers(path: Path, graph: ToolGraph, seed: int, count: int) -> Iterator[Workers]:
    """Give workers for a package: this process for one, else so many others."""
    if count == 1:
        with _seldom_collected():
            yield Here(TaskMaker(load_package(path), graph, seed))
        return
    pool = ProcessPoolExecutor(count, get_context("spawn"), _start, (path, graph, seed))
    with pool as executor:
        yield Pool(executor)


@contextmanager
def _seldom_collected() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(GARBAGE, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


_makers: list[TaskMaker] = []


def _start(path: Path, graph: ToolGraph, seed: int) -> None:
    """Load the package once in a new process."""
    gc.set_threshold(GARBAGE)
    _makers.append(TaskMaker(load_package(path), graph, seed))


def _attempt(wanted: Wanted, ledger: Ledger) -> Outcome:
    return _makers[0].attempt(wanted, ledger)
