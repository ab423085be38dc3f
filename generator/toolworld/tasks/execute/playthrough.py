"""What came of running gold, and of running it with one thing changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from pydantic_core import from_json

from toolworld.jsonvalues import JsonObject
from toolworld.packages.task import StepModel, TaskModel
from toolworld.tasks.execute.comparison import Rows
from toolworld.tasks.execute.references import references

StepOutcome: TypeAlias = Literal[
    "ok", "rejected", "invalid", "said", "unresolved", "unknown", "broken"
]
"""As the package says it of a call; a message was said; or a call could not be made.

A reference leads nowhere, there is no such tool, or the tool breaks.
"""

LONGEST_TEXT = 200


class Move(NamedTuple):
    """What an agent does: a call, or a message.

    Attributes:
        arguments: The call's, as values.
        say: The message; empty for a call.
    """

    tool: str = ""
    arguments: JsonObject = {}
    say: str = ""


@dataclass(frozen=True)
class PlayedStep:
    """A step of gold with its result.

    Attributes:
        step: The step as the task has it.
        arguments: Its arguments as values; empty for a message.
        text: The result, the message of the rejection, or what the person replied.
        code: The code of the rejection.
        wrote: Whether it changed the state.
        before: The package's snapshot before it.
        reply_acts: What the person's reply does.
    """

    index: int
    step: StepModel
    arguments: JsonObject
    outcome: StepOutcome
    text: str
    code: str
    wrote: bool
    before: Any
    reply_acts: Sequence[Any] = ()

    @cached_property
    def structured(self) -> JsonObject:
        """The result as JSON values; empty unless the call did something."""
        return from_json(self.text) if self.outcome == "ok" else {}

    @property
    def as_expected(self) -> bool:
        """Whether it turned out as gold says."""
        return self.outcome == "said" or (
            self.outcome == self.step.expect and self.step.code in ("", self.code)
        )

    def __str__(self) -> str:
        """The step as a finding names it."""
        message = self.step.say
        what = f'says "{message}"' if message else f"{self.step.tool} {self.arguments}"
        return f"step {self.index}, {what:.{LONGEST_TEXT}}"


@dataclass(frozen=True)
class Playthrough:
    """A task's gold with its results.

    Attributes:
        start: The package's snapshot before the first step.
        end: Its snapshot after the last.
        needed: The steps that can make a difference to the state, those they rest on included.
    """

    task: TaskModel
    steps: tuple[PlayedStep, ...]
    start: Any
    end: Any
    needed: frozenset[int]

    @cached_property
    def writes(self) -> tuple[PlayedStep, ...]:
        """The steps that changed the state."""
        return tuple(step for step in self.steps if step.wrote)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """What the agent does, step by step."""
        return tuple(Move(one.step.tool, one.arguments, one.step.say) for one in self.steps)

    @cached_property
    def results(self) -> tuple[JsonObject, ...]:
        """What each step gave, as references find it."""
        return tuple(step.structured for step in self.steps)

    @property
    def start_rows(self) -> Rows:
        """The rows of the start that are not as in the database."""
        return rows_of(self.start)

    @property
    def end_rows(self) -> Rows:
        """The rows of the end that are not as in the database."""
        return rows_of(self.end)

    @property
    def talks(self) -> bool:
        """Whether the agent says anything to the person."""
        return any(step.step.say for step in self.steps)

    @cached_property
    def referred(self) -> frozenset[int]:
        """The steps to whose results later ones refer."""
        return frozenset(
            index for step in self.task.gold for index in references(dict(step.arguments))
        )

    @cached_property
    def first_minting(self) -> int | None:
        """The first step that made a new key: all that the seed of an episode varies."""
        after = [*(step.before for step in self.steps[1:]), self.end]
        return next((index for index, one in enumerate(after) if one.state.numbers), None)


@dataclass(frozen=True)
class Ending:
    """Where gold led with one thing changed.

    Attributes:
        reached: Whether the final state is the goal's.
        same: Whether it is the one that gold leads to, to the last column.
        free: Whether it differs from that only in columns that grading does not compare exactly.
        refused: Whether the call that was changed or added did nothing; nothing was run after it.
        strayed: The first step that did not turn out as gold expects, if that was watched.
    """

    reached: bool
    same: bool = False
    free: bool = False
    refused: bool = False
    strayed: int | None = None


def rows_of(snapshot: Any) -> Rows:
    """Return the rows of a package's snapshot that are not as in its database."""
    rows: Rows = snapshot.state.changes
    return rows
