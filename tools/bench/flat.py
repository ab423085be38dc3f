"""Checks that what should not depend on the size of the database does not."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tools.bench import large
from tools.bench.retail import BenchCall
from tools.bench.rows import BenchRow
from tools.bench.state import digest_sample, fastest_of, reset_sample
from tools.bench.timing import Sample, race, repeated
from toolworld.packages import Package

BAR = 1.5
ROWS, TIMES = 1_000, 1_000
LOOKUPS = 60
"""Rows looked up in turn: as many at both sizes, so that caches hold as much of either."""


def flatness(package: Package, rounds: int) -> Iterator[BenchRow]:
    """Measure a small database against one a thousand times as large."""
    few = large.small(package, ROWS)
    many = large.multiplied(package, few, TIMES)
    note = f"the same in {large.size(few):,} rows"
    environment = package.modules.environment.Environment
    for name, sample_of in SAMPLES.items():
        near = sample_of(environment(base=few), [0] * LOOKUPS)
        far = sample_of(environment(base=many), _spread(LOOKUPS))
        yield BenchRow(f"{name} in {large.size(many):,} rows", *race(far, near, rounds), BAR, note)


def _spread(count: int) -> list[int]:
    """Return numbers of copies from all over the large database."""
    return list(range(0, TIMES, TIMES // count))[:count]


def _reset(environment: Any, _: Sequence[int]) -> Sample:
    return fastest_of(reset_sample(environment))


def _digest(environment: Any, _: Sequence[int]) -> Sample:
    return fastest_of(digest_sample(environment))


def _by_id(environment: Any, copies: Sequence[int]) -> Sample:
    calls = [
        BenchCall("get_order", {"order_id": large.key_of(f"ORD-{number:05d}", "ORD", copy)})
        for number, copy in enumerate(copies, 1)
    ]
    return _in_turn(environment, calls)


def _by_reference(environment: Any, copies: Sequence[int]) -> Sample:
    calls = [
        BenchCall(
            "list_customer_orders", {"customer_id": large.key_of(f"CUS-{number:05d}", "CUS", copy)}
        )
        for number, copy in enumerate(copies, 1)
    ]
    return _in_turn(environment, calls)


def _in_turn(environment: Any, calls: Sequence[BenchCall]) -> Sample:
    for call in calls:
        call(environment)
    turn = itertools.cycle(calls)

    def next_call() -> object:
        call = next(turn)
        return environment.call(call.tool, call.arguments)

    return repeated(next_call, len(calls))


SAMPLES: dict[str, Callable[[Any, Sequence[int]], Sample]] = {
    "reset after 10 writes": _reset,
    "digest after a write": _digest,
    "look-up by id": _by_id,
    "look-up by reference": _by_reference,
}
