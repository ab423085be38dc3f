"""Measures and says which bars are met: ``python -m tools.bench``."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from tools.bench import (
    calls,
    episodes,
    fanned,
    flat,
    gold,
    hosts,
    laws,
    proofs,
    retail,
    servers,
    state,
    tasks,
)
from tools.bench.rows import BenchRow, as_table, write_rows
from toolworld.packages import Package

WIDTH = 150
QUICK = 8
"""How many times fewer rounds a quick run makes."""


@dataclass(frozen=True)
class Measurement:
    """Rows that are measured together, and in how many rounds."""

    measure: Callable[[Package, int], Iterator[BenchRow]]
    rounds: int


MEASUREMENTS = {
    "read": Measurement(calls.reads, 400),
    "write": Measurement(calls.writes, 400),
    "reset": Measurement(state.resets, 12),
    "digest": Measurement(state.digests, 24),
    "flat": Measurement(flat.flatness, 200),
    "stdio": Measurement(servers.stdio_calls, 80),
    "start": Measurement(servers.cold_start, 16),
    "gold": Measurement(gold.replayed, 30),
    "forked": Measurement(servers.forked_start, 16),
    "episodes": Measurement(episodes.apart, 2_000),
    "hosts": Measurement(hosts.hosted, 80),
    "nodes": Measurement(fanned.nodes, 3),
    "tasks": Measurement(tasks.made, 1_000),
    "flat_tasks": Measurement(tasks.flat, 500),
    "certified": Measurement(tasks.certified, 1),
    "laws": Measurement(laws.searched, 200_000),
    "proven": Measurement(proofs.proven, 1_000),
}


def main() -> int:
    """Measure, print the table, write the file; 1 if a bar is missed."""
    options = parse()
    with tempfile.TemporaryDirectory(prefix="toolworld-bench-") as folder:
        rows = list(measure(Path(folder), options.only or list(MEASUREMENTS), options.quick))
    # Not cut to 80 columns where there is no terminal.
    Console(width=None if sys.stdout.isatty() else WIDTH).print(as_table(rows))
    write_rows(options.out, rows)
    return 0 if all(row.met for row in rows) else 1


def parse() -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    add = parser.add_argument
    add("--only", choices=MEASUREMENTS, action="append", help="may be repeated")
    add("--quick", action="store_true", help="fewer rounds: a rough look")
    add("--out", type=Path, default=Path("bench.json"), help="default: bench.json")
    return parser.parse_args()


def measure(folder: Path, names: list[str], quick: bool) -> Iterator[BenchRow]:
    """Build retail, and yield the rows of measurements."""
    package = retail.build(folder / "retail")
    for name in names:
        measurement = MEASUREMENTS[name]
        rounds = max(2, measurement.rounds // (QUICK if quick else 1))
        print(f"{name} ...", file=sys.stderr, flush=True)
        yield from measurement.measure(package, rounds)


if __name__ == "__main__":
    sys.exit(main())
