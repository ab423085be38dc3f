"""Checks that the tools of the committed packages are proven: every branch, and most mutants."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tools import committed
from tools.bench.rows import BenchRow, Unit
from toolworld.packages import Package
from toolworld.prove import ProofSettings, prove

ALIVE = 0.1
REACHED: dict[Unit, str] = {"branches": "branches_covered", "rejections": "rejections_reached"}


def proven(built: Package, calls: int) -> Iterator[BenchRow]:
    """Prove each committed package; the package that was just built is one of them."""
    del built
    for _, package in committed.servers():
        workers = os.cpu_count() or 1
        settings = ProofSettings(calls=calls, seek=3 * calls, search=calls // 2, workers=workers)
        found = prove(package, settings).content
        for what, reached in REACHED.items():
            missed = found[what] - found[reached]
            yield BenchRow(
                f"{what} of {package.name} not reached", missed, found[what], 0, unit=what
            )
        alive = found["mutants"] - found["killed"]
        unexplained = sum(one["because"] is None for one in found["survivors"])
        note = f"{unexplained} of them not explained"
        name = f"mutants of {package.name} that survive"
        yield BenchRow(name, alive, found["mutants"], ALIVE, note, "mutants")
