"""How well the tasks of a package tell experts from mutants of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolworld.packages import Package
from toolworld.packages.task import TaskModel, read_task
from toolworld.tasks.scenarios.draws import NotDrawn, state_of
from toolworld.tasks.scenarios.experts import ExpertRun
from toolworld.tasks.scenarios.mutants import ExpertMutant, mutants_of
from toolworld.tasks.scenarios.twins import ends_otherwise
from toolworld.tasks.verify.situated import SituatedTasks


@dataclass(frozen=True)
class MutantCount:
    """Counts the mutants of experts, and the survivors.

    Attributes:
        survivors: Those that end as the expert does on every task, in words.
        earning: Those that end otherwise on some task, and earn the reward of each all the same:
            what they leave out is no part of any goal, such as which of two replies is given.
    """

    mutants: int
    survivors: tuple[str, ...]
    earning: tuple[str, ...]


def count_mutants(package: Package, tasks: Sequence[Mapping[str, object]]) -> MutantCount:
    """Run mutants of experts on the tasks of every scenario that uses the changed code.

    A mutant of a helper counts once, and is caught by a task of any scenario that uses it.
    """
    situated = SituatedTasks(package)
    scenarios = {scenario.name: scenario for scenario in situated.making.scenarios}
    code = situated.making.code
    mutants = mutants_of(code, scenarios.values())
    earning, differing = [*mutants], set[ExpertMutant]()
    for task in tasks:
        if task["scenario"] in scenarios:
            used = code.callees(scenarios[str(task["scenario"])].expert)
            trial = MutantTrial(situated, read_task(package, task))
            for mutant in [one for one in earning if one.function in used]:
                earns, same = trial.run(mutant)
                differing |= set() if same else {mutant}
                if not earns:
                    earning.remove(mutant)
    return MutantCount(
        len(mutants),
        tuple(str(one) for one in earning if one not in differing),
        tuple(str(one) for one in earning if one in differing),
    )


class MutantTrial:
    """A task that mutants of its expert are run on."""

    def __init__(self, situated: SituatedTasks, task: TaskModel) -> None:
        """Run the expert itself once."""
        self._situated, self._task = situated, task
        self._broken = situated.making.package.modules.errors.PackageError
        opening = state_of(situated.making.package.environment(task))
        self._situation = situated.situation(task, opening)
        self._worded = situated.worded(task)
        self._expert = self._run()

    def run(self, mutant: ExpertMutant) -> tuple[bool, bool]:
        """Return whether a mutant earns the reward, and whether it ends as the expert does."""
        with self._situated.making.code.using({mutant.function: mutant.changed}):
            try:
                found = self._run()
                if found is None or self._expert is None:
                    return True, True
                earns = self._situated.experts.grade().reward == 1.0
            except (NotDrawn, self._broken):
                return False, False
        return earns, not ends_otherwise(self._expert, found)

    def _run(self) -> ExpertRun | None:
        if self._situation is None:
            return None
        experts = self._situated.experts
        run = experts.run(self._situation, self._worded, self._task)
        return experts.finished(self._situation, run)
