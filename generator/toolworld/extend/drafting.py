"""Drafts the scenarios of one area: asks, tries them, and asks again with what was wrong."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import anyio

from toolworld.draft.pieces import is_one_function, renamed
from toolworld.extend import views
from toolworld.extend.answers import HelperAnswer, ScenarioAnswer, Scenarios
from toolworld.extend.areas import ScenarioArea
from toolworld.extend.texts import files_of, malformed, used_helpers
from toolworld.extend.trial import Trial
from toolworld.llm.desk import AnswerVerdict, Desk, Question, compact
from toolworld.spec import Spec

STAGE = "scenarios"
MOST_TOLD = 5
"""The most findings told about one scenario at a time."""
Wrong = dict[str, list[str]]


@dataclass
class AreaDraft:
    """The state of one area.

    Attributes:
        spec: The domain as it was.
        sample: One seed row of each table.
        counts: The number of seed rows of each table.
        passed: The scenarios that make sound tasks, by name.
        open: The scenarios that do not yet, by name.
        wrong: What is wrong with them.
    """

    desk: Desk
    area: ScenarioArea
    spec: Spec
    trial: Trial
    sample: dict[str, list[Any]]
    counts: dict[str, int]
    example: dict[str, str]
    passed: dict[str, ScenarioAnswer] = field(default_factory=dict)
    helpers: dict[str, HelperAnswer] = field(default_factory=dict)
    open: dict[str, ScenarioAnswer] = field(default_factory=dict)
    wrong: Wrong = field(default_factory=dict)

    @property
    def files(self) -> dict[str, str]:
        """The files of the scenarios that passed."""
        return files_of(self.area.name, self.helpers, [*self.passed.values()])

    def give_way(self, taken: Collection[str]) -> None:
        """Leave taken names to others: drop a scenario of such a name, and rename a helper."""
        for name in [name for name in self.passed if name in taken]:
            self.open[name] = self.passed.pop(name)
            self.wrong[name] = ["another area has a scenario of that name."]
        names = {name: _free(name, taken) for name in self.helpers if name in taken}
        self.helpers = {
            names.get(name, name): HelperAnswer(
                name=names.get(name, name), code=renamed(one.code, names)
            )
            for name, one in self.helpers.items()
        }
        self.passed = {
            name: one.model_copy(
                update={
                    "situation": renamed(one.situation, names),
                    "expert": renamed(one.expert, names),
                }
            )
            for name, one in self.passed.items()
        }

    async def ask(self) -> None:
        """Ask until all scenarios pass or the rounds are used up."""
        question = Question(
            STAGE, self.area.name, Scenarios, "scenarios", self._values, self._names, self._judge,
            "scenarios_instructions",
        )  # fmt: skip
        await self.desk.ask(question)
        self.desk.ledger.account(STAGE).failed += len(self.open)

    def _names(self) -> dict[str, Sequence[str]]:
        clauses = [clause.number for clause in self.spec.clauses]
        return {"role": [*self.spec.domain.roles], "clause": clauses}

    def _values(self) -> dict[str, Any]:
        spec, tools = self.spec, self.area.tools
        return {
            "title": spec.domain.title,
            "today": spec.clock.date(),
            "policy": spec.policy,
            "chains": [" -> ".join(chain) for chain in self.area.chains],
            "tools": views.tools_view(spec, tools),
            "others": views.signatures_view(spec, tools),
            "tables": views.tables_view(spec, self.counts),
            "samples": views.samples_view(views.touched(spec, tools), self.sample),
            "helpers": views.helpers_view(spec),
            "taken": views.scenarios_view(spec),
            "example": self.example,
            "passed": [*self.passed],
            "waiting": [*self.open],
        }

    async def _judge(self, answer: Scenarios, number: int) -> AnswerVerdict:
        refused = self.take_helpers(answer.helpers)
        fresh = {one.name: one for one in answer.scenarios if one.name not in self.passed}
        self.open |= fresh
        wrong = await anyio.to_thread.run_sync(self._wrong)
        for helper in refused:
            for name in self._users(helper, {name: self.open[name] for name in wrong}):
                wrong[name].insert(
                    0, f"{helper} serves accepted scenarios as it is; name yours anew."
                )
        wrong |= {name: ["is missing."] for name in self.open if name not in fresh}
        sound = {name: one for name, one in self.open.items() if name not in wrong}
        self.passed |= sound
        self.open = {name: one for name, one in self.open.items() if name in wrong}
        self.wrong = wrong
        self.desk.ledger.passed(STAGE, sound, number)
        found = [f"{name}: {text}" for name, texts in wrong.items() for text in texts[:MOST_TOLD]]
        return AnswerVerdict(found, compact(self._to_mend()))

    def take_helpers(self, given: Sequence[HelperAnswer]) -> list[str]:
        """Take helpers; return the names refused, as accepted scenarios use the old one."""
        functions = [code for one in self.passed.values() for code in (one.situation, one.expert)]
        serving = used_helpers(functions, self.helpers)
        refused = [one.name for one in given if serving.get(one.name, one.code) != one.code]
        self.helpers |= {one.name: one for one in given if one.name not in refused}
        return refused

    def _to_mend(self) -> dict[str, Any]:
        helpers = [one.model_dump() for one in self.helpers.values()]
        scenarios = [one.model_dump(exclude_defaults=True) for one in self.open.values()]
        return {"helpers": helpers, "scenarios": scenarios}

    def _wrong(self) -> Wrong:
        """Return what is wrong with each open scenario: with its text first, then its tasks."""
        with self.trial.turn:
            return self._tried()

    def _tried(self) -> Wrong:
        wrong = self._malformed()
        while sound := {name: one for name, one in self.open.items() if name not in wrong}:
            files = files_of(self.area.name, self.helpers, [*self.passed.values(), *sound.values()])
            spec, faults = self.trial.check(files)
            if spec is not None:
                return wrong | self.trial.make(spec, [*sound])
            self._spread(faults, sound, wrong)  # each time to at least one scenario, so this ends
        return wrong

    def _malformed(self) -> Wrong:
        there = {one.name for one in self.spec.scenarios}
        found = {name: malformed(one) for name, one in self.open.items()}
        for name in there & found.keys():
            found[name].append("there is a scenario of that name; call it otherwise.")
        for helper in [*self.helpers.values()]:
            if not is_one_function(helper.code, helper.name):
                del self.helpers[helper.name]
                for name in self._users(helper.name, self.open):
                    found[name].append(
                        f"the helper {helper.name} is not one function of that name."
                    )
        return {name: texts for name, texts in found.items() if texts}

    def _spread(self, faults: Wrong, sound: Mapping[str, ScenarioAnswer], wrong: Wrong) -> None:
        """Give each fault to its scenario, or a fault in a helper to the scenarios that use it."""
        for owner, texts in faults.items():
            name = owner.removeprefix("solve_")
            users = [name] if name in sound else self._users(owner, sound) or [*sound]
            inside = "" if name in sound or not owner else f"({owner}) "
            for user in users:
                wrong.setdefault(user, []).extend(inside + text for text in texts)

    def _users(self, helper: str, scenarios: Mapping[str, ScenarioAnswer]) -> list[str]:
        names = {one.name for one in self.helpers.values() if f"{helper}(" in one.code} | {helper}
        return [
            name
            for name, one in scenarios.items()
            if any(called and f"{called}(" in one.situation + one.expert for called in names)
        ]


def _free(name: str, taken: Collection[str]) -> str:
    """Return a name with the lowest number, from 2, that makes it new."""
    numbered = (f"{name}_{number}" for number in count(2))
    return next(one for one in numbered if one not in taken)
