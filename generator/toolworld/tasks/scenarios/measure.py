"""How well the tasks of a package tell experts from mutants of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolworld.emit.load import Package
from toolworld.tasks.model import read_task
from toolworld.tasks.scenarios.draws import NotDrawn, state_of
from toolworld.tasks.scenarios.mutants import ExpertMutant, mutants_of
from toolworld.tasks.verify.situated import SituatedTasks


@dataclass(frozen=True)
class MutantCount:
    """How many mutants of experts there are, and what lives.

    Attributes:
        survivors: Those that end as the expert does on every task, in words.
    """

    mutants: int
    survivors: tuple[str, ...]


def count_mutants(package: Package, tasks: Sequence[Mapping[str, object]]) -> MutantCount:
    """Run mutants of experts on the tasks of every scenario that uses what they change.

    A mutant of a helper counts once, and is caught by a task of any scenario that uses it.
    """
    situated = SituatedTasks(package)
    scenarios = {scenario.name: scenario for scenario in situated.making.scenarios}
    code = situated.making.code
    alive = mutants_of(code, scenarios.values())
    count = len(alive)
    for task in tasks:
        if task["scenario"] in scenarios:
            used = code.callees(scenarios[str(task["scenario"])].expert)
            caught = _caught(situated, task, [one for one in alive if one.function in used])
            alive = [one for one in alive if one not in caught]
    return MutantCount(count, tuple(map(str, alive)))


def _caught(
    situated: SituatedTasks, task: Mapping[str, object], mutants: Sequence[ExpertMutant]
) -> list[ExpertMutant]:
    """Return the mutants that a task tells from its expert."""
    model = read_task(situated.making.package, task)
    opening = state_of(situated.making.package.environment(model))
    situation = situated.situation(model, opening)
    if situation is None:
        return []
    worded, experts = situated.worded(model), situated.experts
    caught = []
    for mutant in mutants:
        with situated.making.code.using({mutant.function: mutant.changed}):
            try:
                earned = experts.run(situation, worded, model.goal, model.tools).grade.reward
            except NotDrawn:
                earned = 0.0
        if earned < 1.0:
            caught.append(mutant)
    return caught
