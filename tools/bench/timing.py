"""Timing two things against each other on a busy machine.

The two take turns in many short rounds, and who goes first alternates. So whatever else the
machine does affects both alike. The fastest round of each counts, since other work only ever adds
time. As in ``timeit``, the garbage collector is off.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

Sample = Callable[[], float]
"""Does something once more, and returns the seconds it took."""

AsyncSample = Callable[[], Awaitable[float]]


def turns(rounds: int) -> Iterator[int]:
    """Yield who is next, ours (0) or the baseline (1): each once a round, each first in turn."""
    for number in range(rounds):
        first = number % 2
        yield first
        yield 1 - first


def race(ours: Sample, baseline: Sample, rounds: int) -> tuple[float, float]:
    """Return the fastest time of each, after a round that does not count."""
    samples = (ours, baseline)
    best = [float("inf"), float("inf")]
    for sample in samples:
        sample()
    with no_collection():
        for side in turns(rounds):
            best[side] = min(best[side], samples[side]())
    return best[0], best[1]


async def async_race(ours: AsyncSample, baseline: AsyncSample, rounds: int) -> tuple[float, float]:
    """Return the fastest time of each, after a round that does not count."""
    samples = (ours, baseline)
    best = [float("inf"), float("inf")]
    for sample in samples:
        await sample()
    with no_collection():
        for side in turns(rounds):
            best[side] = min(best[side], await samples[side]())
    return best[0], best[1]


def repeated(call: Callable[[], object], times: int) -> Sample:
    """Return a sample that makes calls in a row, and gives the seconds of one of them."""

    def sample() -> float:
        start = time.perf_counter()
        for _ in range(times):
            call()
        return (time.perf_counter() - start) / times

    return sample


def prepared(prepare: Callable[[], object], call: Callable[[], object]) -> Sample:
    """Return a sample of one call, after something that is not timed."""

    def sample() -> float:
        prepare()
        start = time.perf_counter()
        call()
        return time.perf_counter() - start

    return sample


@contextmanager
def no_collection() -> Iterator[None]:
    """Let the garbage collector run first, then keep it off."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
