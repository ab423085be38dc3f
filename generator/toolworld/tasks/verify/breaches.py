"""Which clauses kept by conduct an agent that errs breaks: each must be broken by one, somewhere.

A breach is made from gold by machine (a step left out, a write with another value, a write that
nobody asked for, another speaker), is a naive agent of the scenario, or is written by its author.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from toolworld.emit import Package
from toolworld.jsonvalues import JsonValue, replaced
from toolworld.tasks.execute import Move
from toolworld.tasks.model import read_task
from toolworld.tasks.scenarios.draws import NotDrawn, Situation
from toolworld.tasks.verify.arguments import ArgumentLeaf, argument_leaves
from toolworld.tasks.verify.case import CertifiedCase, CertifiedPackage
from toolworld.tasks.verify.others import other_rows, other_values, stray_arguments

MOST_TASKS = 4
"""How many tasks of each scenario are looked at."""
OTHERS, STRAYS = 2, 6
"""How many other values an argument is given, and how many writes nobody asked for are made."""


@dataclass(frozen=True)
class BreachCount:
    """What agents that err break.

    Attributes:
        scenarios: In how many scenarios some agent breaks a clause, by its number.
        wrong: What is wrong with breaches that authors wrote, in words.
    """

    scenarios: Mapping[str, int]
    wrong: tuple[str, ...]

    @property
    def unbroken(self) -> list[str]:
        """The clauses that nobody breaks."""
        return [number for number, count in self.scenarios.items() if not count]


def count_breaches(package: Package, tasks: Sequence[Mapping[str, object]]) -> BreachCount:
    """Run agents that err on the first tasks of each scenario, and see which clauses they break."""
    certified = CertifiedPackage(package)
    found: dict[str, set[str]] = {
        clause.number: set() for clause in package.module("clauses").conduct_clauses()
    }
    written = WrittenBreaches()
    looked_at: Counter[str] = Counter()
    for task in tasks:
        scenario = str(task["scenario"])
        looked_at[scenario] += 1
        if scenario and looked_at[scenario] <= MOST_TASKS:
            model = read_task(package, task)
            case = CertifiedCase(certified, model, certified.player.play(model))
            case.reseed("breaches")
            for number in (*_broken(case), *written.broken(case)):
                found[number].add(scenario)
    counts = {number: len(scenarios) for number, scenarios in found.items()}
    return BreachCount(counts, tuple(written.wrong()))


def _broken(case: CertifiedCase) -> Iterator[str]:
    """Yield the clauses that breaches of a task's gold and its naive agents break."""
    gold = case.run.moves
    for moves in (*_without(gold), *_altered(case, gold), *_strays(case, gold)):
        yield from case.player.broken_by(case.run, moves)
    for role in case.package.roles:
        if role != case.task.role:
            yield from case.player.broken_by(case.run, gold, role)
    if case.situation is not None:
        for agent in case.package.situated.naive(case.situation.scenario):
            with suppress(NotDrawn):
                yield from _broken_by(case, case.situation, agent.functions)


def _without(gold: Sequence[Move]) -> Iterator[Sequence[Move]]:
    for index in range(len(gold)):
        yield [*gold[:index], *gold[index + 1 :]]


def _altered(case: CertifiedCase, gold: Sequence[Move]) -> Iterator[Sequence[Move]]:
    """Yield gold with another value in one place of a write."""
    for step in case.run.writes:
        before, after = gold[: step.index], gold[step.index + 1 :]
        for leaf in argument_leaves(case.package.surface.tools[step.step.tool], step.arguments):
            for value in _others(case, step.index, leaf):
                arguments = replaced(step.arguments, leaf.path, value)
                assert isinstance(arguments, dict)  # noqa: S101 - a leaf stands below a name
                yield [*before, Move(step.step.tool, arguments), *after]


def _others(case: CertifiedCase, step: int, leaf: ArgumentLeaf) -> Sequence[JsonValue]:
    if leaf.value is None:
        return []
    return other_rows(case, step, leaf, OTHERS) if leaf.named else other_values(case, leaf, OTHERS)


def _strays(case: CertifiedCase, gold: Sequence[Move]) -> Iterator[Sequence[Move]]:
    """Yield gold with a write that nobody asked for, before its last message and after it."""
    tools = case.package.surface.tools
    writers = [name for name in case.task.tools or tools if not tools[name].read_only]
    for name in case.rng.sample(writers, min(STRAYS, len(writers))):
        stray = Move(name, stray_arguments(case, tools[name]))
        yield [*gold[:-1], stray, *gold[-1:]]
        yield [*gold, stray]


@dataclass
class WrittenBreaches:
    """The breaches that authors wrote, and what came of each.

    Attributes:
        faults: What is wrong with them, in words.
        idle: What to say of those that have not broken their clause yet.
    """

    faults: dict[str, None] = field(default_factory=dict)
    idle: dict[str, bool] = field(default_factory=dict)

    def broken(self, case: CertifiedCase) -> Iterator[str]:
        """Yield the clauses that are broken on a task, each by what its author wrote for it."""
        situation = case.situation
        if situation is not None:
            for number, name in situation.scenario.words.breaches.items():
                if self._breaks(case, situation, number, name):
                    yield number

    def _breaks(self, case: CertifiedCase, situation: Situation, number: str, name: str) -> bool:
        code = case.package.situated.making.code
        what = f"{code.place(name)}: {name} breaks clause"
        idle = f"{what} {number} on no task"
        self.idle.setdefault(idle, True)
        try:
            broken = _broken_by(case, situation, {situation.scenario.expert: code.function(name)})
        except NotDrawn as error:
            self.faults |= {error.named: None} if error.is_fault else {}
            return False
        if others := ", ".join(sorted(broken - {number})):
            self.faults[f"{what} {others}, and not {number} alone"] = None
        self.idle[idle] &= number not in broken
        return number in broken

    def wrong(self) -> list[str]:
        """Return what is wrong with breaches, in words."""
        return [*self.faults, *(what for what, is_idle in self.idle.items() if is_idle)]


def _broken_by(
    case: CertifiedCase, situation: Situation, functions: Mapping[str, Callable[..., Any]]
) -> frozenset[str]:
    """Return what an agent in the expert's place breaks.

    Raises:
        NotDrawn: It does not come to an end.
    """
    situated = case.package.situated
    with situated.making.code.using(functions):
        situated.experts.run(situation, situated.worded(case.task), tools=case.task.tools)
    return situated.experts.broken()
