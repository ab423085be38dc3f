"""Attempts made side by side: the same tasks come of them however many processes there are."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from toolworld.tasks.aim import Wanted
from toolworld.tasks.chains.ledger import Ledger
from toolworld.tasks.forked import forked, told_if_killed
from toolworld.tasks.make import Outcome, TaskMaker


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
        """Return what comes of attempts, in their order.

        Raises:
            ToolworldError: A process was ended.
        """
        packed = pickle.dumps(ledger)
        with told_if_killed():
            # The last are planned to be the hardest: begun first, they keep nobody waiting.
            calls = [self.executor.submit(_attempt, one, packed) for one in reversed(wanted)]
            return [call.result() for call in reversed(calls)]


@contextmanager
def workers(maker: TaskMaker, count: int) -> Iterator[Workers]:
    """Give workers for a package: this process for one, else so many others."""
    if count == 1:
        yield Here(maker)
        return
    with forked(count, _start, maker) as executor:
        yield Pool(executor)


_makers: list[TaskMaker] = []


def _start(maker: TaskMaker) -> None:
    """Know the maker in a new process, which has all that was loaded before."""
    _makers.append(maker)


def _attempt(wanted: Wanted, ledger: bytes) -> Outcome:
    return _makers[0].attempt(wanted, _unpacked(ledger))


@lru_cache(maxsize=1)
def _unpacked(ledger: bytes) -> Ledger:
    """Return a ledger that was packed once for all attempts of a round."""
    unpacked: Ledger = pickle.loads(ledger)  # noqa: S301 # packed by the process that asks
    return unpacked
