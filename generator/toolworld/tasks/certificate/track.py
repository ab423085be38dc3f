"""A task's gold as it ran, with every moment of it to go back to and run on otherwise."""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from toolworld.graph.candidates import meeting
from toolworld.graph.surface import ToolFacts
from toolworld.prove.facts import leaves
from toolworld.tasks.certificate.arguments import Leaf, leaves_of, references
from toolworld.tasks.certificate.facts import Facts
from toolworld.tasks.certificate.goal import Goal
from toolworld.tasks.certificate.reasons import Reason
from toolworld.tasks.certificate.verdict import Flaw, Tally, Task
from toolworld.tasks.episodes import Episode, Episodes, Given, Moment

Json = Any
Arguments = Mapping[str, Json]
Results = list[Mapping[str, Json]]

NOTHING: Mapping[str, Json] = {}
LONGEST_MESSAGE = 300


@dataclass(frozen=True)
class Step:
    """A step of gold as it ran.

    Attributes:
        given: Its arguments as the task has them.
        arguments: Its arguments as values.
        before: The moment before it.
        after: The moment after it.
        wrote: Whether it changed the state.
        fed: The names of the arguments that refer to earlier steps.
        feeds_on: Those steps.
    """

    index: int
    tool: ToolFacts
    given: Arguments
    arguments: Arguments
    expect: str
    result: Mapping[str, Json]
    before: Moment
    after: Moment
    wrote: bool
    fed: tuple[str, ...]
    feeds_on: frozenset[int]

    @cached_property
    def shown(self) -> Sequence[tuple[str, Json]]:
        """Each value it showed, by name."""
        return leaves(self.result)

    @cached_property
    def values(self) -> frozenset[Json]:
        """Each value it showed."""
        return frozenset([value for _, value in self.shown])

    @cached_property
    def leaves(self) -> Sequence[Leaf]:
        """The leaves of its arguments as values."""
        return [*leaves_of(self.tool, self.arguments)]

    def __str__(self) -> str:
        """The step as a finding names it."""
        return f"step {self.index}, {described(self.tool.name, self.arguments)}"


@dataclass(frozen=True)
class Ending:
    """Where a sequence led.

    Attributes:
        reward: What it is worth, with all answers of the goal given.
        same: Whether the state is the one gold leads to, to the last column.
    """

    reward: float
    same: bool


SAME, WORTHLESS = Ending(1.0, same=True), Ending(0.0, same=False)


class Track:
    """Gold of a task, run once; other sequences start from a moment of it.

    Attributes:
        episode: The episode that everything is run in.
        steps: Gold as it ran.
        end: The moment after the last step.
        answer: A final answer that gives all that the goal wants.
    """

    def __init__(self, facts: Facts, task: Task, episodes: Episodes, tally: Tally) -> None:
        """Run gold.

        Args:
            facts: The package.
            task: The task.
            episodes: Where it is run.
            tally: Where calls are counted.

        Raises:
            Flaw: The task cannot be opened, or a step does not turn out as expected.
        """
        self.facts, self.task, self.tally = facts, task, tally
        self.answer = "\n".join(map(str, task["goal"]["answers"]))
        self.episode = self._opened(episodes)
        self.steps: list[Step] = []
        self._results: Results = []
        for index, said in enumerate(task["gold"]):
            self.steps.append(self._play(index, said))
        self.end = self.episode.now()
        tally.sequences += 1

    def _opened(self, episodes: Episodes) -> Episode:
        unknown = {step["tool"] for step in self.task["gold"]} - self.facts.surface.tools.keys()
        allowed = set(self.task["tools"] or self.facts.surface.tools)
        missing = sorted({step["tool"] for step in self.task["gold"]} - allowed | unknown)
        if missing:
            raise Flaw(Reason.LACKS_TOOL, ", ".join(missing))
        try:
            return episodes.open(self.facts.checked(self.task).initial)
        except self.facts.errors.PackageError as error:
            raise Flaw(Reason.PATCH, str(error)) from error

    def _play(self, index: int, said: Mapping[str, Json]) -> Step:
        episode, given = self.episode, said.get("arguments", {})
        before = episode.now()
        refers = {name: found for name, value in given.items() if (found := [*references(value)])}
        try:
            arguments = {
                name: self.facts.resolve(value, self._results) if name in refers else value
                for name, value in given.items()
            }
        except self.facts.errors.BadTask as error:
            raise Flaw(Reason.CANNOT_RUN, f"step {index}, {said['tool']}: {error}") from error
        result = self.call(said["tool"], arguments)
        expect = said.get("expect", "ok")
        if result.outcome != expect:
            raise Flaw(
                Reason.UNEXPECTED,
                f"step {index}, {described(said['tool'], arguments)}: {expect} was expected, but "
                f"it is {result.outcome}: {result.text[:LONGEST_MESSAGE]}",
            )
        self._results.append(result.structured)
        return Step(
            index=index,
            tool=self.facts.tool(said["tool"]),
            given=given,
            arguments=arguments,
            expect=expect,
            result=self._results[-1],
            before=before,
            after=episode.now(),
            wrote=not episode.is_as_at(before),
            fed=tuple(refers),
            feeds_on=frozenset(int(one["$step"]) for found in refers.values() for one in found),
        )

    @cached_property
    def goal(self) -> Goal:
        """What is wanted."""
        start = self.episode.start.rows
        return Goal(self.facts.package, self.facts.columns, self.task["goal"], start)

    @cached_property
    def rng(self) -> random.Random:
        """Random numbers that depend on what the task asks for and starts from, not on its id."""
        about = [self.task.get(part) for part in ("instruction", "initial", "gold")]
        return random.Random(json.dumps(about, sort_keys=True))  # noqa: S311

    @cached_property
    def digest(self) -> str:
        """The state's digest after the last step."""
        return self.facts.digest_of(self.end.rows)

    @cached_property
    def writes(self) -> list[Step]:
        """The steps that changed the state."""
        return [step for step in self.steps if step.wrote]

    @cached_property
    def feeding(self) -> frozenset[int]:
        """The steps that a later step refers to."""
        return frozenset(index for step in self.steps for index in step.feeds_on)

    @cached_property
    def _mattering(self) -> frozenset[int]:
        """The steps that can make a difference to the state: writes, and what they refer to."""
        matter = {step.index for step in self.steps if not step.tool.read_only}
        for step in reversed(self.steps):
            if step.index in matter:
                matter |= step.feeds_on
        return frozenset(matter)

    def _resolved(self, step: Step, results: Sequence[Mapping[str, Json]]) -> Arguments:
        """Return a step's arguments, referring to other results."""
        resolve = self.facts.resolve
        fed = {name: resolve(step.given[name], results) for name in step.fed}
        return {**step.arguments, **fed}

    def call(self, tool: str, arguments: Arguments) -> Given:
        """Make a call.

        Raises:
            Flaw: The tool breaks.
        """
        self.tally.calls += 1
        try:
            return self.episode.call(tool, arguments)
        except Exception as error:
            what = f"{described(tool, arguments)}: {type(error).__name__}: {error}"
            raise Flaw(Reason.TOOL_BREAKS, what) from error

    def ending(self) -> Ending:
        """Return what the present moment is worth."""
        differing = list(self.episode.since(self.end))
        if not differing:
            return SAME
        if self.goal.misses(differing, self._keys_at_end):
            return WORTHLESS
        return Ending(self.goal.reward(self.episode.diff(), self.answer), same=False)

    @cached_property
    def _keys_at_end(self) -> set[str]:
        """The keys of the rows that gold adds."""
        return self.goal.new_keys(self.end.rows)

    def without(self, dropped: Collection[int]) -> Ending:
        """Run gold without some steps, and without what cannot be called for lack of them."""
        first = min(dropped)
        self.tally.sequences += 1
        self.episode.go(self.steps[first].before)
        dirty = {table for index in dropped for table in self.steps[index].tool.changed_tables}
        self._run_on(first, self._results[:first], dirty, skipped=frozenset(dropped))
        return self.ending()

    def instead(self, index: int, arguments: Arguments) -> Ending | None:
        """Run gold with other arguments in one step; None if that call is refused."""
        step = self.steps[index]
        self.tally.sequences += 1
        self.episode.go(step.before)
        result = self.call(step.tool.name, arguments)
        if result.is_error:
            return None
        results = [*self._results[:index], self._read(step, result)]
        self._run_on(index + 1, results, set(step.tool.changed_tables))
        return self.ending()

    def taken(
        self, index: int, result: Mapping[str, Json]
    ) -> tuple[Ending, Sequence[Mapping[str, Json]]] | None:
        """Run gold on as if a look-up had given something else.

        Returns:
            Where it led, and what each step gave; None if a later step does not turn out as gold
            expects.
        """
        first = index + 1
        self.tally.sequences += 1
        self.episode.go(self.steps[first].before if self.steps[first:] else self.end)
        results = [*self._results[:index], result]
        if not self._run_on(first, results, set(), others=frozenset({index}), strictly=True):
            return None
        return self.ending(), results

    def in_order(self, order: Sequence[int]) -> tuple[Ending | None, int]:
        """Run gold in another order, until nothing after could differ.

        Returns:
            Where it led, or None if a step does not turn out as expected, and that step.
        """
        first = next(at for at, index in enumerate(order) if at != index)
        self.tally.sequences += 1
        self.episode.go(self.steps[first].before)
        results: list[Mapping[str, Json]] = [*self._results[:first]]
        results += [NOTHING] * (len(order) - first)
        away: set[int] = set()
        for number, index in enumerate(order[first:], first):
            step = self.steps[index]
            try:
                arguments = self._resolved(step, results)
            except self.facts.errors.BadTask:
                return None, index
            result = self.call(step.tool.name, arguments)
            if result.outcome != step.expect:
                return None, index
            results[index] = result.structured
            away ^= {index, number}
            if not away and self._as_after(number, results):
                return SAME, -1
        return self.ending(), -1

    def _as_after(self, index: int, results: Results) -> bool:
        """Whether all is as it was in gold after a step, so that the rest cannot differ."""
        same = results[: index + 1] == self._results[: index + 1]
        return same and self.episode.is_as_at(self.steps[index].after)

    def _run_on(
        self,
        first: int,
        results: Results,
        dirty: set[str],
        skipped: frozenset[int] = frozenset(),
        others: frozenset[int] = frozenset(),
        strictly: bool = False,
    ) -> bool:
        """Run gold from a step on, but not what can neither differ nor matter.

        Args:
            first: The step to go on with.
            results: What the steps before gave; taken over.
            dirty: Tables that may not be as they were in gold.
            skipped: Steps that are left out.
            others: Steps whose result is another than in gold.
            strictly: Whether look-ups matter too, and to stop where a step does not turn out as
                gold expects.

        Returns:
            Whether every step that was run turned out as gold expects.
        """
        differing, kept = set(others | skipped), True
        for step in self.steps[first:]:
            same = not (step.feeds_on & differing or step.tool.read_tables & dirty)
            if step.index in skipped:
                results.append(NOTHING)
            elif (same and not step.wrote) or not (strictly or step.index in self._mattering):
                results.append(step.result if same else NOTHING)
            else:
                result = self._again(step, results, differing, dirty)
                kept = kept and result is not None and result.outcome == step.expect
                results.append(self._read(step, result, strictly))
                if strictly and not kept:
                    return False
        return kept

    def _again(
        self, step: Step, results: Results, differing: set[int], dirty: set[str]
    ) -> Given | None:
        """Run a step of gold once more, and note what is no longer as it was."""
        same = not (step.feeds_on & differing or step.tool.read_tables & dirty)
        result = self._outcome(step, results)
        if not same or step.tool.changed_tables & dirty:
            differing.add(step.index)
            dirty |= step.tool.changed_tables
        return result

    def _read(self, step: Step, result: Given | None, anyway: bool = False) -> Mapping[str, Json]:
        """Return what a step gave, if a later one refers to it: to read all would take long."""
        if result is None or not (anyway or step.index in self.feeding):
            return NOTHING
        return result.structured

    def _outcome(self, step: Step, results: Results) -> Given | None:
        try:
            arguments = self._resolved(step, results)
        except self.facts.errors.BadTask:
            return None
        return self.call(step.tool.name, arguments)

    def depends(self, one: Step, other: Step) -> bool:
        """Whether effects say that one of two steps can make a difference to the other."""
        if one.tool.read_only and other.tool.read_only:
            return False
        return bool(
            meeting(one.tool, other.tool)
            or meeting(other.tool, one.tool)
            or one.tool.writes & other.tool.writes
            or (one.tool.deletes | other.tool.deletes)
            & (one.tool.changed_tables & other.tool.changed_tables)
        )


def described(tool: str, arguments: Arguments) -> str:
    """Return a call as a finding shows it."""
    return f"{tool} {json.dumps(arguments, ensure_ascii=False)[:LONGEST_MESSAGE]}"
