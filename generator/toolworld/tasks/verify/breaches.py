"""Runs agents that err: each clause kept by conduct must be broken by one of them.

A breach is made from gold by machine (a step left out, a write with another value, a write that
nobody asked for, another speaker), is a naive agent of the scenario, or is written by its author.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from toolworld.jsonvalues import JsonValue, replaced
from toolworld.packages import Package
from toolworld.packages.task import TaskModel, read_task
from toolworld.spec.scenarios import Scenario
from toolworld.tasks.execute import Move
from toolworld.tasks.scenarios.draws import NotDrawn, Situation
from toolworld.tasks.verify.arguments import ArgumentLeaf, argument_leaves
from toolworld.tasks.verify.case import CertifiedCase, CertifiedPackage
from toolworld.tasks.verify.others import other_rows, other_values, stray_arguments
from toolworld.tasks.verify.situated import SituatedTasks
from toolworld.tasks.wording.messages import Worded

MOST_TASKS, DRAWS = 4, 100
"""How many tasks of each scenario are looked at, and situations for a breach that is written."""
OTHERS, STRAYS = 2, 6
"""How many other values an argument is given, and how many writes nobody asked for are made."""


@dataclass(frozen=True)
class BreachCount:
    """What agents that err break.

    Attributes:
        scenarios: In how many scenarios some agent breaks a clause, by its number.
        wrong: What is wrong with breaches that authors wrote, or with predicates, in words.
    """

    scenarios: Mapping[str, int]
    wrong: tuple[str, ...]

    @property
    def unbroken(self) -> list[str]:
        """The clauses that nobody breaks."""
        return [number for number, count in self.scenarios.items() if not count]


def count_breaches(package: Package, tasks: Sequence[Mapping[str, object]]) -> BreachCount:
    """Run agents that err, and note the clauses they break.

    Those made from gold and naive agents run on the first tasks of each scenario, those that
    authors wrote on situations that are drawn for them.
    """
    certified = CertifiedPackage(package)
    broken_clause: type[Exception] = package.modules.errors.BrokenClause
    found: dict[str, set[str]] = {
        clause.number: set() for clause in package.modules.clauses.conduct_clauses()
    }
    failing: dict[str, None] = {}

    def note(scenario: str, numbers: Iterator[str]) -> None:
        try:
            for number in numbers:
                found[number].add(scenario)
        except broken_clause as error:
            failing[str(error)] = None

    looked_at: Counter[str] = Counter()
    for task in tasks:
        scenario = str(task["scenario"])
        looked_at[scenario] += 1
        if scenario and looked_at[scenario] <= MOST_TASKS:
            model = read_task(package, task)
            case = CertifiedCase(certified, model, certified.player.play(model))
            case.reseed("breaches")
            note(scenario, _broken(case))
    written = WrittenBreaches(certified.situated)
    for one in certified.situated.making.scenarios:
        note(one.name, written.broken(one))
    counts = {number: len(scenarios) for number, scenarios in found.items()}
    return BreachCount(counts, (*failing, *written.wrong))


def _broken(case: CertifiedCase) -> Iterator[str]:
    """Yield the clauses that breaches of a task's gold and its naive agents break."""
    gold = case.run.moves
    for moves in (*_without(gold), *_altered(case, gold), *_strays(case, gold)):
        yield from case.player.broken_by(case.run, moves)
    for role in case.package.roles:
        if role != case.task.role:
            yield from case.player.broken_by(case.run, gold, role)
    situation, situated = case.situation, case.package.situated
    if situation is not None:
        worded = situated.worded(case.task)
        for agent in situated.naive(situation.scenario):
            with suppress(NotDrawn):
                yield from _broken_by(situated, situation, worded, agent.functions, case.task)


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


class WrittenBreaches:
    """The breaches that authors wrote.

    Attributes:
        wrong: What is wrong with them, in words, each once.
    """

    def __init__(self, situated: SituatedTasks) -> None:
        """Take the scenarios that they are written for."""
        self._situated = situated
        self.wrong: dict[str, None] = {}

    def broken(self, scenario: Scenario) -> Iterator[str]:
        """Yield the clauses that breaches of a scenario break, each its own."""
        for number, name in scenario.words.breaches.items():
            what = f"{self._situated.making.code.place(name)}: {name} breaks clause"
            broken = self._broken_by(scenario, name)
            if number in broken:
                yield number
            else:
                self.wrong[f"{what} {number} in none of {DRAWS} situations"] = None
            if others := ", ".join(sorted(broken - {number})):
                self.wrong[f"{what} {others}, and not {number} alone"] = None

    def _broken_by(self, scenario: Scenario, name: str) -> frozenset[str]:
        """Return the clauses that a breach breaks in the first situation where it breaks any."""
        situated = self._situated
        for number in range(DRAWS):
            try:
                situation = situated.drawer(0).draw(scenario, number)
                worded = next(situated.other_words(situation, name))
                functions = {scenario.expert: situated.making.code.function(name)}
                broken = _broken_by(situated, situation, worded, functions)
            except NotDrawn as error:
                self.wrong |= {error.named: None} if error.is_fault else {}
            else:
                if broken:
                    return broken
        return frozenset()


def _broken_by(
    situated: SituatedTasks,
    situation: Situation,
    worded: Worded,
    functions: Mapping[str, Callable[..., Any]],
    task: TaskModel | None = None,
) -> frozenset[str]:
    """Return the clauses that an agent in the expert's place breaks.

    Raises:
        NotDrawn: It does not come to an end.
    """
    with situated.making.code.using(functions):
        situated.experts.finished(situation, situated.experts.run(situation, worded, task))
    return situated.experts.broken()
