"""The only runner of gold: it plays a task, then replays it from a changed step.

Replays tell where the state ends, so they leave out the look-ups that no write rests on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic_core import from_json

from toolworld.graph.surface import Surface, surface_of
from toolworld.jsonvalues import JsonObject
from toolworld.packages import Package
from toolworld.packages.task import StepModel, TaskModel, first_answers
from toolworld.tasks.execute.comparison import RowDifference, Rows, StateComparison
from toolworld.tasks.execute.grade_parts import broken_clauses, state_passes
from toolworld.tasks.execute.playthrough import (
    Ending,
    Move,
    PlayedStep,
    Playthrough,
    StepOutcome,
    rows_of,
)
from toolworld.tasks.execute.reads import StartReads
from toolworld.tasks.execute.references import with_referred

NOTHING: JsonObject = {}


class Given(NamedTuple):
    """What a step gave, and the arguments it was made with."""

    outcome: StepOutcome
    text: str
    code: str = ""
    arguments: JsonObject = NOTHING
    acts: Sequence[Any] = ()

    @property
    def structured(self) -> JsonObject:
        """The result as JSON values; empty unless the call did something."""
        found: JsonObject = from_json(self.text) if self.outcome == "ok" else NOTHING
        return found


class Player:
    """Plays tasks of one package, in one environment.

    Attributes:
        surface: The package's tools and entities.
        reads: What gives environments that make no read at a start a second time.
        calls: How many calls were made so far.
    """

    def __init__(self, package: Package) -> None:
        """Take a package.

        Raises:
            PackageLoadError: It was built before packages told their effects.
        """
        self._package = package
        self.surface: Surface = surface_of(package)
        self.calls = 0
        self.reads = StartReads(package)
        self._environment = self.reads.environment()
        self._resolve = package.modules.task.resolve
        self._errors = package.modules.errors
        self._comparison = StateComparison(package)
        self._changing = {name for name, one in self.surface.tools.items() if not one.read_only}

    def play(self, task: TaskModel) -> Playthrough:
        """Run a task's gold from its start, without comparing outcomes.

        Raises:
            PackageError: The package's own: the task does not fit the database.
        """
        self._environment.reset(task, 0)
        return self._play_on(task, self._environment.snapshot(), ())

    def reseed(self, run: Playthrough, seed: int) -> Playthrough:
        """Run gold with another seed, from the first step that makes a key.

        Args:
            run: Gold as it ran.
            seed: The seed.
        """
        first = run.first_minting
        if first is None:
            return run
        before = run.steps[first].before
        self._environment.restore(before._replace(seed=seed))
        return self._play_on(run.task, run.start, run.steps[:first])

    def _play_on(self, task: TaskModel, start: Any, steps: Sequence[PlayedStep]) -> Playthrough:
        """Run the steps of gold that are left."""
        played = [*steps]
        results = [step.structured for step in played]
        for index, step in enumerate(task.gold[len(played) :], len(played)):
            played.append(self._played(index, step, results))
            results.append(played[-1].structured)
        end = self._environment.snapshot()
        return Playthrough(task, tuple(played), start, end, self._needed(task))

    def grade(self, run: Playthrough) -> Any:
        """Return the package's grade of gold with every answer given."""
        self._environment.restore(run.end)
        return self._environment.grade(answer_of(run.task))

    def without(self, run: Playthrough, index: int) -> Ending:
        """Run gold without a step and the steps that depend on it."""
        self._environment.restore(run.steps[index].before)
        self._go_on(run, index + 1, [*run.results[:index], NOTHING])
        return self._ending(run)

    def instead(self, run: Playthrough, index: int, arguments: JsonObject) -> Ending:
        """Run gold with other arguments in one step."""
        step = run.steps[index]
        self._environment.restore(step.before)
        given = self.call(step.step.tool, arguments)
        if given.outcome != "ok":
            return Ending(reached=False, refused=True)
        self._go_on(run, index + 1, [*run.results[:index], self._kept(run, index, given)])
        return self._ending(run)

    def reorder(self, run: Playthrough, order: Sequence[int]) -> Ending:
        """Run the steps of gold in another order, until nothing after could differ."""
        moved = [place for place, index in enumerate(order) if place != index]
        first, last = moved[0], moved[-1]
        self._environment.restore(run.steps[first].before)
        results = [*run.results[:first], *[NOTHING] * (len(order) - first)]
        for index in order[first : last + 1]:
            given = self._perform(run.steps[index].step, results)
            if (given.outcome, given.code) != (run.steps[index].outcome, run.steps[index].code):
                return Ending(reached=False, strayed=index)
            results[index] = given.structured
        if results[: last + 1] == [*run.results[: last + 1]] and self._is_as_before(run, last + 1):
            return Ending(reached=True, same=True)
        self._go_on(run, last + 1, results[: last + 1])
        return self._ending(run)

    def plus(self, run: Playthrough, tool: str, arguments: JsonObject) -> Ending:
        """Make one more call after gold."""
        self._environment.restore(run.end)
        if self.call(tool, arguments).outcome != "ok":
            return Ending(reached=False, refused=True)
        return self._ending(run)

    def answered(self, run: Playthrough, answer: str | None) -> Any:
        """Return the grade of an agent that calls nothing and gives an answer; None for none."""
        self._environment.restore(run.start)
        return self._environment.grade(answer)

    def broken_with(self, run: Playthrough, steps: Sequence[PlayedStep]) -> frozenset[str] | None:
        """Return the clauses broken by an agent that takes different steps, if gold keeps them.

        Returns:
            Their numbers; None if a step that changed something does not do so again.
        """
        self._environment.restore(run.start)
        for step in steps:
            before = self._environment.snapshot()
            if step.step.say:
                self._environment.say(step.step.say)
            elif self.call(step.step.tool, step.arguments).outcome != step.outcome:
                return None
            elif step.wrote and self._is_at(before):
                return None
        return broken_clauses(self._package, self._environment)

    def start_database(self, run: Playthrough) -> Any:
        """Return the live database at the start of gold; the next play changes it."""
        self._environment.restore(run.start)
        return self._environment._database

    def with_reads(self, run: Playthrough, reads: Sequence[Move]) -> Any:
        """Return the grade of gold with more calls before its last write."""
        last = run.writes[-1].index if run.writes else len(run.steps) - 1
        self._environment.restore(run.steps[last].before)
        self._move([*reads, *run.moves[last:]])
        return self._environment.grade(answer_of(run.task))

    def broken_by(self, run: Playthrough, moves: Sequence[Move], role: str = "") -> frozenset[str]:
        """Return the clauses broken by an agent that takes different steps.

        Args:
            run: Gold as it ran.
            moves: What the agent does, whatever comes of it.
            role: Who speaks to it; empty for whom gold serves.
        """
        task = run.task.model_copy(update={"role": role}) if role else run.task
        self._environment.restore(run.start._replace(task=task))
        self._move(moves)
        return broken_clauses(self._package, self._environment)

    def _move(self, moves: Sequence[Move]) -> None:
        for move in moves:
            if move.say:
                self._environment.say(move.say)
            else:
                self.call(move.tool, move.arguments)

    def call(self, tool: str, arguments: Mapping[str, object]) -> Given:
        """Make a call at the present moment."""
        self.calls += 1
        try:
            result = self._environment.call(tool, arguments)
        except self._errors.UnknownTool as error:
            return Given("unknown", str(error))
        except Exception as error:  # noqa: BLE001 - a broken tool may raise anything
            return Given("broken", f"{type(error).__name__}: {error}")
        return Given(result.outcome, result.text, result.code)

    def _perform(self, step: StepModel, results: Sequence[JsonObject]) -> Given:
        """Do a step of gold; its references are to these results."""
        if step.say:
            reply = self._environment.say(step.say)
            return Given("said", reply.text, acts=reply.acts)
        try:
            arguments = {
                name: self._resolve(value, results) for name, value in step.arguments.items()
            }
        except self._errors.BadTask as error:
            return Given("unresolved", str(error))
        return self.call(step.tool, arguments)._replace(arguments=arguments)

    def _played(self, index: int, step: StepModel, results: Sequence[JsonObject]) -> PlayedStep:
        before = self._environment.snapshot()
        given = self._perform(step, results)
        return PlayedStep(
            index=index,
            step=step,
            arguments=given.arguments,
            outcome=given.outcome,
            text=given.text,
            code=given.code,
            wrote=step.tool in self._changing and not self._is_at(before),
            before=before,
            reply_acts=given.acts,
        )

    def _needed(self, task: TaskModel) -> frozenset[int]:
        """Return the steps that can make a difference to the state."""
        midway = bool(task.world_changes)  # a message may be what the world waits for
        needed = {
            index
            for index, step in enumerate(task.gold)
            if step.tool in self._changing or (midway and step.say)
        }
        return with_referred(task.gold, needed)

    def _go_on(self, run: Playthrough, first: int, results: list[JsonObject]) -> None:
        """Run the steps that change the state, from a step on."""
        for played in run.steps[first:]:
            if played.index in run.needed:
                given = self._perform(played.step, results)
                results.append(self._kept(run, played.index, given))
            else:
                results.append(NOTHING)

    def _kept(self, run: Playthrough, index: int, given: Given) -> JsonObject:
        """Return the result of a step, if a later one refers to it: to read all takes long."""
        return given.structured if index in run.referred else NOTHING

    def _is_at(self, snapshot: Any) -> bool:
        now = rows_of(self._environment.snapshot())
        return self._comparison.are_same(now, rows_of(snapshot))

    def _is_as_before(self, run: Playthrough, index: int) -> bool:
        """Return whether the state equals the one before a step of gold, or its end state."""
        return self._is_at(run.steps[index].before if index < len(run.steps) else run.end)

    def _ending(self, run: Playthrough) -> Ending:
        """Return the grade of the present moment."""
        now = rows_of(self._environment.snapshot())
        differing = list(self._comparison.differing(now, run.end_rows))
        if not differing:
            return Ending(reached=True, same=True)
        if not run.task.world_changes and self._misses(run, now, differing):
            return Ending(reached=False)
        reached = state_passes(self._package, self._environment)
        return Ending(reached, free=reached and self._comparison.differs_freely(differing))

    def _misses(self, run: Playthrough, now: Rows, differing: Sequence[RowDifference]) -> bool:
        """Return whether a state surely misses the goal: grading it would take far longer."""
        start = run.start_rows
        new = [self._comparison.new_keys(rows, start) for rows in (now, run.end_rows)]
        return self._comparison.misses_goal(differing, start, new[0] | new[1])


def answer_of(task: TaskModel) -> str | None:
    """Return an answer with everything the goal wants; None if gold's messages have it."""
    if any(step.say for step in task.gold):
        return None
    return "\n".join(map(str, first_answers(task)))
