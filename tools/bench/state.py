"""The time of a reset and of a digest, against doing the same to the whole database."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterator
from typing import Any

from tools.bench import retail
from tools.bench.rows import BenchRow
from tools.bench.timing import Sample, prepared, race
from toolworld.packages import Package

RESET_BAR, DIGEST_BAR = 1 / 10_000, 1 / 500
MANY = 50


def resets(package: Package, rounds: int) -> Iterator[BenchRow]:
    """Measure a reset after an episode of ten writes."""
    environment = package.environment()
    whole = environment.state()
    ours, baseline = race(
        fastest_of(reset_sample(environment)),
        prepared(lambda: None, lambda: copy.deepcopy(whole)),
        rounds,
    )
    note = f"copy.deepcopy of {_size(whole)} as dicts"
    yield BenchRow("reset after 10 writes", ours, baseline, RESET_BAR, note)


def digests(package: Package, rounds: int) -> Iterator[BenchRow]:
    """Measure the digest after a write."""
    environment = package.environment()
    whole = environment.state()
    ours, baseline = race(
        fastest_of(digest_sample(environment)),
        prepared(lambda: None, lambda: hash_of(whole)),
        rounds,
    )
    note = f"sha256 of json.dumps of {_size(whole)}, keys sorted"
    yield BenchRow("digest after a write", ours, baseline, DIGEST_BAR, note)


def reset_sample(environment: Any) -> Sample:
    """Return a sample of one reset; the ten writes before it are not timed."""
    writes = retail.ten_writes(environment)
    if len(writes) != retail.WRITES:
        raise LookupError(f"Only {len(writes)} rows can be written to.")

    def write() -> None:
        for call in writes:
            call(environment)

    return prepared(write, environment.reset)


def digest_sample(environment: Any) -> Sample:
    """Return a sample of one digest; the write before it is not timed."""
    write = retail.phone(retail.first_active(environment, "customers", 1)[0]).on(environment)
    environment.digest()
    return prepared(write, environment.digest)


def fastest_of(sample: Sample, times: int = MANY) -> Sample:
    """Return the fastest of some samples as one, for calls that take microseconds."""
    return lambda: min(sample() for _ in range(times))


def hash_of(state: Any) -> str:
    """Return the hash of a whole state."""
    return hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()


def _size(state: Any) -> str:
    return f"{sum(map(len, state.values())):,} rows"
