"""The wanted mixture of a scenario's tasks, and the part still missing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable

from toolworld.spec.scenarios import Scenario
from toolworld.tasks.scenarios.code import Branch

QUIET = 60
"""After so many draws without a new branch, branches that were not taken are given up."""
PATIENCE = 60
"""After so many draws without a task, one with any outcome is taken."""
OTHER_SHARE, SINGLE_SHARE = 0.45, 0.15
"""The share of tasks in which the wish is not simply carried out, and of those without a twin."""
NEW_SHARE, MOSTLY_TWINS = 0.3, 3
"""The share of tasks, after the first few, that are taken for a new branch without a twin."""
MANY = 6
"""So many tasks of a scenario have one that does not end in the wish carried out."""
MOST_PASSED_OVER, FEWEST_IN_A_ROW = 25, 5
"""How many solved situations without a twin are passed over for one that has a twin, and how many
in a row, the fewer the more tasks there are already."""


class ScenarioQuota:
    """The tasks made of one scenario so far, and the kind wanted next.

    Attributes:
        taken: The branches that were taken.
    """

    def __init__(
        self, scenario: Scenario, branches: Iterable[Branch], wanted: int, due: Iterable[str] = ()
    ) -> None:
        """Ask for tasks of a scenario: due outcomes first, and every branch of its expert.

        Args:
            scenario: The scenario.
            branches: The branches of its expert.
            wanted: How many tasks.
            due: Outcomes that no other scenario sees to.
        """
        self._outcomes = scenario.words.outcomes
        self._branches = frozenset(branches)
        self._wanted = wanted
        self._made: Counter[str] = Counter()
        self._quiet = self._waited = self._passed_over = self._in_a_row = 0
        rng = random.Random(scenario.name)  # noqa: S311 - no secret
        self._most_others = int(OTHER_SHARE * wanted + rng.random())
        self._new = int(NEW_SHARE * max(0, wanted - MOSTLY_TWINS) + rng.random())
        self.taken: set[Branch] = set()
        self._covered: set[Branch] = set()
        self._due = set(due)

    @property
    def room(self) -> int:
        """How many tasks are still wanted."""
        return self._wanted - self._made.total()

    @property
    def is_explored(self) -> bool:
        """Whether enough was drawn to choose from: every branch, or no new one for long."""
        return self._quiet > QUIET or self.taken.issuperset(self._branches)

    @property
    def only_done(self) -> bool:
        """Whether the next task has to end in the wish carried out."""
        return self._others >= self._most_others

    @property
    def _others(self) -> int:
        return sum(count for name, count in self._made.items() if not self.is_done(name))

    def is_done(self, outcome: str) -> bool:
        """Return whether an outcome is the wish carried out."""
        return self._outcomes[outcome].kind == "done"

    def draw(self, branches: Collection[Branch]) -> None:
        """Take note of a situation that was solved."""
        new = set(branches) - self.taken
        self.taken |= new
        self._quiet = 0 if new else self._quiet + 1

    def news(self, outcome: str, branches: Collection[Branch]) -> tuple[bool, int]:
        """Return whether an outcome is due, and how many branches no task takes yet."""
        return outcome in self._due, len(set(branches) - self._covered)

    def wants(self, outcome: str) -> bool:
        """Return whether there is room for a task with an outcome; it waits for one from now."""
        self._waited += 1
        if not self.room or self.is_done(outcome) or self._waited > PATIENCE:
            return bool(self.room)
        most = SINGLE_SHARE * self._wanted if self._made[outcome] else self._most_others
        return self._others < most

    def passes_over(self, outcome: str, branches: Collection[Branch]) -> bool:
        """Return whether a situation without a twin is left for one that may have one."""
        is_due, news = self.news(outcome, branches)
        if is_due and not self.is_done(outcome):
            return False
        if news and self._new:
            self._new -= 1
            return False
        if not self.is_done(outcome) and self._is_one_sided():
            return False
        self._passed_over += 1
        self._in_a_row += 1
        return self.room > 1 and self.may_have_twin

    @property
    def may_have_twin(self) -> bool:
        """Whether a search for a twin is worth its time: not after many in vain."""
        in_a_row = max(FEWEST_IN_A_ROW, 2 * MOST_PASSED_OVER // max(2, self._made.total()))
        return self._passed_over <= MOST_PASSED_OVER and self._in_a_row <= in_a_row

    def find_twin(self) -> None:
        """Note that a situation has a twin, so that others may have one as well."""
        self._in_a_row = 0

    def _is_one_sided(self) -> bool:
        """Return whether half of many tasks are made, and in all of them the wish is done."""
        return self._wanted >= MANY and 2 * self.room <= self._wanted and not self._others

    def make(self, outcome: str, branches: Collection[Branch]) -> None:
        """Take note of a task that was made."""
        self._made[outcome] += 1
        self._due.discard(outcome)
        self._covered |= set(branches)
        self._waited = 0


def due_outcomes(scenarios: Iterable[Scenario]) -> dict[str, list[str]]:
    """Return the outcomes that each scenario must have, so that every clause decides some task.

    A clause is seen to by the scenario that has the fewest outcomes of all that it decides.
    """
    due: dict[str, list[str]] = {}
    seen = set[str | None]([None])
    for scenario in sorted(scenarios, key=lambda one: len(one.words.outcomes)):
        for name, outcome in scenario.words.outcomes.items():
            if outcome.clause not in seen:
                seen.add(outcome.clause)
                due.setdefault(scenario.name, []).append(name)
    return due
