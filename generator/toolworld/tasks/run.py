"""Tasks of a package's scenarios, as many as are asked for, written into the package."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from toolworld.emit.jobs import Limits, Marker, run_all
from toolworld.graph import ToolGraph, kept_graph
from toolworld.jsonvalues import JsonObject
from toolworld.packages import Package, load_package
from toolworld.packages.tasks_file import write_made
from toolworld.spec.scenarios import Scenario
from toolworld.tasks.make import ScenarioTasks, TaskMaker, numbered
from toolworld.tasks.report import TasksReport, content_of
from toolworld.tasks.scenarios.making import Making
from toolworld.tasks.scenarios.measure import MutantCount, count_mutants
from toolworld.tasks.verify.breaches import BreachCount, count_breaches

Progress = Callable[[str], None]

ROUNDS = 3
SECONDS, MEGABYTES = 900.0, 2048
"""What one process may take of processor time and memory before the scenario it is at is named."""
EACH, MOST_TASKS = 4, 300
"""How many processes there are for each worker at least, and tasks in one at most."""


@dataclass(frozen=True)
class TaskOrder:
    """What is asked for.

    Attributes:
        seed: Varies the tasks.
        workers: How many processes make them; the tasks are the same.
        mutants: Whether mutants of the experts and breaches of the policy are run, too.
    """

    count: int
    seed: int = 0
    workers: int = 1
    mutants: bool = False


def make_tasks(
    path: Path, order: TaskOrder, graph: ToolGraph | None = None, progress: Progress | None = None
) -> TasksReport:
    """Make tasks of a package's scenarios and write them into it.

    The same package, order and graph give the same tasks, whatever the number of workers.

    Args:
        path: The package's folder.
        order: What is asked for.
        graph: Its tool graph, if it is at hand.
        progress: Told what is being done.

    Raises:
        PackageLoadError: The folder holds no package, or one without scenarios.
        ToolworldError: The tasks cannot be written.
    """
    say = progress or (lambda _: None)
    package = load_package(path)
    scenarios = Making(package).scenarios
    package.tasks()
    began = time.monotonic()
    graph = graph or kept_graph(path, say, order.workers)
    maker = TaskMaker(package, graph, order.seed)
    collected = Collected(order, {scenario.name: scenario for scenario in scenarios})
    collected.collect(maker, say)
    tasks = collected.tasks()
    mutants = _mutants(package, tasks, say) if order.mutants else (None, None)
    replaced = write_made(package.files.tasks, tasks)
    content = content_of(package, graph, tasks, list(collected.made.values()), *mutants)
    took = round(time.monotonic() - began, 1)
    return TasksReport({"asked": order.count, "seconds": took, "replaced": replaced, **content})


def _mutants(
    package: Package, tasks: Sequence[JsonObject], say: Progress
) -> tuple[MutantCount, BreachCount]:
    say("Running mutants of the experts")
    mutants = count_mutants(package, tasks)
    say("Running breaches of the policy")
    return mutants, count_breaches(package, tasks)


@dataclass
class Collected:
    """What came of each scenario so far."""

    order: TaskOrder
    scenarios: Mapping[str, Scenario]
    made: dict[str, ScenarioTasks] = field(default_factory=dict)

    def collect(self, maker: TaskMaker, say: Progress) -> None:
        """Make each scenario's share of tasks; scenarios with more to give fill the gaps."""
        for _ in range(ROUNDS):
            shares = self._shares()
            if not shares:
                break
            groups = self._groups(shares)
            works = [self._work(maker, group, shares) for group in groups]
            limits = Limits(job=SECONDS, memory=MEGABYTES)
            for number, ended in run_all(works, limits, self.order.workers):
                if ended.death:
                    # The others of its group are made in the next round.
                    lost = ended.doing or groups[number][0]
                    self._take(
                        ScenarioTasks(lost, faults=Counter({f"it {ended.death}": 1}), short=1)
                    )
                for found in ended.value or ():
                    self._take(found)
                say(f"{self._count()} of {self.order.count} tasks")
        self.made = {name: self.made[name] for name in self.scenarios if name in self.made}

    def _groups(self, shares: Mapping[str, int]) -> list[list[str]]:
        """Return the groups of scenarios that one process each makes."""
        names = list(shares)
        size = max(
            1, min(len(names) // (EACH * self.order.workers), MOST_TASKS // max(shares.values()))
        )
        return [names[place : place + size] for place in range(0, len(names), size)]

    def _work(
        self, maker: TaskMaker, group: Sequence[str], shares: Mapping[str, int]
    ) -> Callable[[Marker], list[ScenarioTasks]]:
        first = {name: self.made[name].draws if name in self.made else 0 for name in group}

        def make(marker: Marker, name: str) -> ScenarioTasks:
            marker.set(name)
            return maker.make(self.scenarios[name], shares[name], first[name])

        return lambda marker: [make(marker, name) for name in group]

    def _shares(self) -> dict[str, int]:
        """Return how many tasks each scenario is to make now."""
        missing = self.order.count - self._count()
        able = [name for name in self.scenarios if self._can_make_more(name)]
        if missing <= 0 or not able:
            return {}
        share, more = divmod(missing, len(able))
        shares = {name: share + (place < more) for place, name in enumerate(able)}
        return {name: count for name, count in shares.items() if count}

    def _can_make_more(self, name: str) -> bool:
        found = self.made.get(name)
        return found is None or (bool(found.tasks) and not found.short)

    def _take(self, found: ScenarioTasks) -> None:
        before = self.made.get(found.scenario)
        self.made[found.scenario] = found if before is None else before.joined(found)

    def _count(self) -> int:
        return sum(len(one.tasks) for one in self.made.values())

    def tasks(self) -> list[JsonObject]:
        """Return the tasks with their ids, scenario by scenario."""
        return [task for one in self.made.values() for task in numbered(one.tasks)]
