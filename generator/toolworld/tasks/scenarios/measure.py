"""How well the tasks of a package tell an expert from mutants of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolworld.emit.load import Package
from toolworld.jsonvalues import JsonObject
from toolworld.spec.scenarios import Scenario
from toolworld.tasks.model import TaskModel, read_task
from toolworld.tasks.scenarios.code import FOLDER
from toolworld.tasks.scenarios.draws import NotDrawn, Situation
from toolworld.tasks.scenarios.mutants import ExpertMutant, mutants_of
from toolworld.tasks.verify.situated import SituatedTasks

MOST_TASKS = 24
"""How many tasks of a scenario each of its mutants is run on."""


@dataclass(frozen=True)
class MutantCount:
    """How many mutants of a scenario's expert there are, and what lives.

    Attributes:
        survivors: Those that end as the expert does on every task, in words.
    """

    mutants: int
    survivors: tuple[str, ...]

    @property
    def caught(self) -> int:
        """How many end otherwise on some task."""
        return self.mutants - len(self.survivors)


def count_mutants(
    package: Package, tasks: Sequence[Mapping[str, object]]
) -> dict[str, MutantCount]:
    """Run every mutant of every expert on the tasks of its scenario, until one is not earned."""
    situated = SituatedTasks(package)
    found = {}
    for scenario in situated.making.scenarios:
        own = [read_task(package, task) for task in tasks if task["scenario"] == scenario.name]
        found[scenario.name] = _count(situated, scenario, own[:MOST_TASKS])
    return found


def _count(situated: SituatedTasks, scenario: Scenario, tasks: Sequence[TaskModel]) -> MutantCount:
    code = situated.making.code
    mutants = mutants_of(code, scenario)
    situations = [(task, situated.situation(task)) for task in tasks]
    survivors = tuple(
        f"{FOLDER}{code.files[mutant.function]}.py:{mutant.line}: {mutant.change}"
        for mutant in mutants
        if not any(one and _fails(situated, mutant, task, one) for task, one in situations)
    )
    return MutantCount(len(mutants), survivors)


def _fails(
    situated: SituatedTasks, mutant: ExpertMutant, task: TaskModel, situation: Situation
) -> bool:
    with situated.making.code.using(mutant.functions):
        try:
            worded = situated.worded(task)
            run = situated.experts.run(situation, worded, task.goal, task.tools)
        except NotDrawn:
            return True
    return bool(run.grade.reward < 1.0)


def as_json(counts: Mapping[str, MutantCount]) -> JsonObject:
    """Return counts as JSON values, by scenario."""
    return {
        name: {"mutants": one.mutants, "caught": one.caught, "survivors": list(one.survivors)}
        for name, one in counts.items()
    }
