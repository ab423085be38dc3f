"""Checks that tasks are made fast enough, take every branch, and are not solved by luck."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tools import committed
from tools.bench.luck import lucky
from tools.bench.rows import BenchRow
from toolworld import bundled, emit
from toolworld.graph import build_graph
from toolworld.packages import Package, load_package
from toolworld.tasks import TaskOrder, make_tasks
from toolworld.tasks.scenarios.measure import count_mutants
from toolworld.tasks.verify import certify_package

SECONDS_A_TASK = 1 / 40
SEEDS = (2, 1, 0)
"""Tasks are made with each seed, and the best time counts; the last ones are examined further."""
MISSING, ALIVE, LUCK, FLAT = 0.0, 0.1, 0.01, 2.0
FEW, MANY, SHARE = 1_000, 100_000, 5
"""Rows of a small and a large database, and how many times fewer tasks are made of them."""


def made(package: Package, count: int) -> Iterator[BenchRow]:
    """Make tasks on all cores, three times, and measure the result."""
    cores = os.cpu_count() or 1
    began = time.monotonic()
    graph = build_graph(package.path, workers=cores)
    found_in = time.monotonic() - began
    reports = [
        make_tasks(package.path, TaskOrder(count, seed=seed, workers=cores), graph)
        for seed in SEEDS
    ]
    report = reports[-1]
    found = report.content
    taken = sorted(float(one.content["seconds"]) for one in reports)
    seconds = min(
        one.content["seconds"] * cores / max(1, one.content["delivered"]) for one in reports
    )
    note = f"{count} in {', '.join(map(str, taken))} s on {cores} cores; graph {found_in:.0f} s"
    yield BenchRow("making and certifying a task, on one core", seconds, SECONDS_A_TASK, 1, note)
    yield BenchRow("tasks not delivered", report.short, count, MISSING, unit="tasks")
    scenarios = found["scenarios"].values()
    missed = sum(len(one["missed"]) for one in scenarios)
    branches = sum(one["branches"] for one in scenarios)
    yield BenchRow("branches of experts not taken", missed, branches, 0, unit="branches")
    mutants = count_mutants(package, package.tasks())
    alive = len(mutants.survivors)
    yield BenchRow(
        "mutants of experts that no task catches", alive, mutants.mutants, ALIVE, unit="mutants"
    )
    again = load_package(package.path)
    medium = [task for task in again.tasks() if task["difficulty"]["level"] == "medium"]
    note = f"{sum(lucky(again, task, 0) for task in medium)} in as many calls as gold, three times"
    solved = sum(any(lucky(again, task, seed) for seed in range(3)) for task in medium)
    yield BenchRow("medium tasks a random agent solves", solved, len(medium), LUCK, note, "tasks")


def flat(_: Package, count: int) -> Iterator[BenchRow]:
    """Compare the cost of a task in a large database with that in a small one."""
    with tempfile.TemporaryDirectory(prefix="toolworld-bench-") as folder:
        (few, small), (many, large) = (
            _cost(Path(folder) / str(rows), rows, count // SHARE) for rows in (FEW, MANY)
        )
    yield BenchRow(f"making a task of {many:,} rows", large, small, FLAT, f"of {few:,} rows")


def _cost(folder: Path, rows: int, count: int) -> tuple[int, float]:
    """Return how many rows a database has, and the seconds that one more task of it takes.

    Work that is done once, such as reading the rows and starting servers, is left out: it takes as
    long for few tasks as for many.
    """
    shipped = emit.build(bundled.domain_folder("retail"), folder)
    most, rows_in_all = max(shipped.rows.values()), sum(shipped.rows.values())
    shutil.rmtree(folder)
    built = emit.build(
        bundled.domain_folder("retail"), folder, rows=round(rows * most / rows_in_all)
    )
    graph = build_graph(folder)
    first, whole = (
        make_tasks(folder, TaskOrder(one), graph).content for one in (count // 5, count)
    )
    seconds = whole["seconds"] - first["seconds"]
    return sum(built.rows.values()), seconds / (whole["delivered"] - first["delivered"])


def certified(built: Package, rounds: int) -> Iterator[BenchRow]:
    """Certify every committed task again."""
    del built, rounds
    for _, package in committed.servers():
        report = certify_package(package)
        name = f"committed tasks of {package.name} that fail their certificate"
        yield BenchRow(name, report.failed, len(report.tasks), 0, unit="tasks")
