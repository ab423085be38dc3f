"""Whether the tools of the committed packages are proven: every branch, and most mutants."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tools import committed
from tools.bench.rows import Row
from toolworld.emit import Package
from toolworld.prove import Settings, prove

ALIVE = 0.1


def proven(_: Package, calls: int) -> Iterator[Row]:
    """Prove each committed package."""
    for _, path in committed.servers():
        settings = Settings(calls=calls, search=calls // 2, workers=os.cpu_count() or 1)
        found = prove(path, settings).content
        for what, reached in (
            ("branches", "branches_covered"),
            ("rejections", "rejections_reached"),
        ):
            missed = found[what] - found[reached]
            yield Row(f"{what} of {path.name} not reached", missed, found[what], 0, unit=what)
        alive = found["mutants"] - found["killed"]
        unexplained = sum(one["because"] is None for one in found["survivors"])
        note = f"{unexplained} of them not explained"
        name = f"mutants of {path.name} that survive"
        yield Row(name, alive, found["mutants"], ALIVE, note, "mutants")
