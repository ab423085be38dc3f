"""The situation and the expert behind a task, found again from the package's folder."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from toolworld.packages import Package
from toolworld.packages.task import TaskModel
from toolworld.spec.scenarios import Scenario
from toolworld.tasks.execute.reads import StartReads
from toolworld.tasks.scenarios.draws import Drawer, Situation
from toolworld.tasks.scenarios.experts import Experts
from toolworld.tasks.scenarios.making import Making
from toolworld.tasks.scenarios.naive import NaiveAgent, naive_agents
from toolworld.tasks.scenarios.unique import Uniqueness
from toolworld.tasks.wording.messages import Worded, Wording


class SituatedTasks:
    """The scenarios of a package, for tasks that were made from them.

    Attributes:
        making: The scenarios.
        experts: What runs their experts.
        wording: What puts situations into words.
    """

    def __init__(self, package: Package, reads: StartReads | None = None) -> None:
        """Take a package; its scenarios are read when they are first needed.

        Args:
            package: The package.
            reads: What gives environments, if others run the same tasks with it.
        """
        self.making = Making(package)
        self._reads = reads or StartReads(package)
        self._drawers: dict[int, Drawer] = {}
        self._naive: dict[str, list[NaiveAgent]] = {}

    @cached_property
    def wording(self) -> Wording:
        """What puts situations into words."""
        making = self.making
        return Wording(
            making.currency,
            making.package.modules.draw.as_json,
            making.package.modules.persona.Person.model_validate,
            self.uniqueness.is_taken,
        )

    @cached_property
    def experts(self) -> Experts:
        """What runs the experts."""
        return Experts(self.making, self.wording, self._reads.environment())

    @cached_property
    def uniqueness(self) -> Uniqueness:
        """The search for other rows that fit a description."""
        return Uniqueness(self.making.package)

    @cached_property
    def _by_name(self) -> dict[str, Scenario]:
        return {scenario.name: scenario for scenario in self.making.scenarios}

    def drawer(self, seed: int) -> Drawer:
        """Return the source of situations for a seed."""
        if seed not in self._drawers:
            self._drawers[seed] = Drawer(self.making, seed)
        return self._drawers[seed]

    def situation(self, task: TaskModel, opening: Any = None) -> Situation | None:
        """Return the present situation of a task; None if it has none.

        Args:
            task: The task.
            opening: The state that the task starts at, if it is at hand.

        Raises:
            NotDrawn: It does not come about any more.
        """
        scenario = self._by_name.get(task.scenario) if task.scenario else None
        if scenario is None or task.drawn is None:
            return None
        seed, number = task.drawn
        drawn = self.drawer(seed).draw(scenario, number)
        later = tuple(task.world_changes)
        return replace(drawn, initial=task.initial, later=later, opening=opening)

    def worded(self, task: TaskModel) -> Worded:
        """Return the words of a task."""
        facts = task.person.facts if task.person is not None else {}
        said = frozenset(name for name, fact in facts.items() if fact.said)
        return Worded(-1, task.instruction, said, (), task.person)

    def other_words(
        self, situation: Situation, seed: str, told: Collection[frozenset[str]] = ()
    ) -> Iterator[Worded]:
        """Yield a situation in each of the scenario's messages, with a person without behaviours.

        Args:
            situation: The situation.
            seed: Varies how values are put.
            told: The facts that messages tell which were looked at; of those that tell the same,
                the first is enough, as that is all an expert knows of a message.
        """
        scenario, heard = situation.scenario, {*told}
        rng = random.Random(seed)  # noqa: S311 - no secret
        for number in range(len(scenario.words.says)):
            facts = self.wording.told(scenario, situation.facts, number)
            if facts not in heard:
                heard.add(facts)
                yield self.wording.worded(scenario, situation.facts, number, rng, plain=True)

    def naive(self, scenario: Scenario) -> list[NaiveAgent]:
        """Return the naive agents of a scenario, compiled once."""
        if scenario.name not in self._naive:
            self._naive[scenario.name] = naive_agents(self.making.code, scenario)
        return self._naive[scenario.name]
