"""How fast gold is replayed in process: each task opened, played and graded."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from tools import committed
from tools.bench.rows import BenchRow
from tools.bench.timing import no_collection
from toolworld.packages import Package, load_package
from toolworld.packages.task import TaskModel, read_task
from toolworld.tasks.execute.player import answer_of

CALL_SECONDS = 1 / 10_000


def replayed(built: Package, rounds: int) -> Iterator[BenchRow]:
    """Measure a call of gold, over all committed packages; the one just built is not looked at."""
    del built
    packages = [load_package(folder) for _, folder in committed.servers()]
    calls, best = 0, float("inf")
    with no_collection():
        for _ in range(rounds):
            # Read anew: a task that was opened before opens faster.
            tasks = [tasks_of(package) for package in packages]
            began = time.perf_counter()
            calls = sum(map(_replay, packages, tasks))
            best = min(best, time.perf_counter() - began)
    note = f"{calls:,} calls of {len(packages)} packages; opening, messages and grades included"
    yield BenchRow("a call of gold", best / calls, CALL_SECONDS, 1, note)


class Results(list[Any]):
    """The results so far; one is read only when a later call first refers to it."""

    def __init__(self) -> None:
        """Start with none."""
        super().__init__()
        self._read: dict[int, Any] = {}

    def __getitem__(self, index: Any) -> Any:
        """Return a result as JSON values."""
        if index not in self._read:
            self._read[index] = super().__getitem__(index).structured
        return self._read[index]


def tasks_of(package: Package) -> list[TaskModel]:
    """Return the tasks of a package."""
    return [read_task(package, task) for task in package.tasks()]


def _replay(package: Package, tasks: list[Any]) -> int:
    """Replay all tasks, and return how many calls their gold makes.

    Raises:
        RuntimeError: Gold does not earn the reward.
    """
    environment, calls = package.environment(), 0
    for task in tasks:
        environment.reset(task, 0)
        results = Results()
        for step in task.gold:
            if step.say:
                environment.say(step.say)
                results.append(None)
            else:
                results.append(environment.call(step.tool, step.resolved(results)))
                calls += 1
        grade = environment.grade(answer_of(task))
        if grade.reward != 1.0:
            raise RuntimeError(f"{package.name} {task.id}: {grade.reasons}")
    return calls
