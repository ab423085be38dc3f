"""A package's own task, typed: what the generator reads of the model that the package emits.

There is no second schema. `read_task` gives the package's object; the protocols say what the
generator reads of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias, cast

from toolworld.emit import Package
from toolworld.jsonvalues import JsonObject, JsonValue, leaves

Plain: TypeAlias = "str | int | float"


class StepModel(Protocol):
    """One step of gold: a call, or a message of the agent.

    Attributes:
        tool: The tool; empty for a message.
        arguments: Values, or references to the results of earlier steps.
        expect: The outcome of the call, ``ok`` or ``rejected``.
        code: The code of the rejection that is expected; empty for any.
        say: What the agent says; empty for a call.
    """

    tool: str
    arguments: JsonObject
    expect: str
    code: str
    say: str


class ChangeModel(Protocol):
    """One row that differs between two states."""

    table: str
    key: str
    before: JsonObject | None
    after: JsonObject | None


class GoalModel(Protocol):
    """What must be true in the end.

    Attributes:
        changes: The rows that differ from the start.
        answers: What the agent must tell: each a value, or alternatives of which one will do.
    """

    changes: Sequence[ChangeModel]
    answers: Sequence[Plain | Sequence[Plain]]


class FactModel(Protocol):
    """Something the person knows: its value, and what they say when asked."""

    says: str
    value: JsonValue
    said: bool


class PersonModel(Protocol):
    """Who a task's person is."""

    facts: Mapping[str, FactModel]


class TaskModel(Protocol):
    """A task.

    Attributes:
        instruction: The person's opening message.
        scenario: The scenario it is made from; empty if it is written by hand.
        outcome: How that ends.
        drawn: The seed and the number of the draw of its situation.
        known_info: What the person knows besides.
        tools: The tools an agent may use; empty for all.
        initial: A patch over the seed database.
    """

    id: str
    instruction: str
    scenario: str
    outcome: str
    role: str
    drawn: tuple[int, int] | None
    person: PersonModel | None
    conversation: bool
    world_changes: Sequence[object]
    twin: str
    known_info: JsonObject
    tools: Sequence[str]
    initial: Mapping[str, Mapping[str, JsonObject | None]]
    gold: Sequence[StepModel]
    goal: GoalModel
    certificate: JsonObject


def read_task(package: Package, task: TaskModel | Mapping[str, object]) -> TaskModel:
    """Return a task as the package's own object.

    Raises:
        PackageError: The package's own: these JSON values are no task.
    """
    return cast(TaskModel, package.module("environment").as_task(task))


def has_person(task: TaskModel) -> bool:
    """Return whether there is a person to talk to: gold answers in messages then."""
    return task.person is not None


def changes_midway(task: TaskModel) -> bool:
    """Return whether the world changes in mid-episode."""
    return bool(task.world_changes)


def facts_of(task: TaskModel) -> Mapping[str, FactModel]:
    """Return the facts that the person has, by name."""
    return task.person.facts if task.person is not None else {}


def spoken(task: TaskModel) -> Iterator[str]:
    """Yield all that the person can be heard to say: the opening, and each thing they know."""
    yield task.instruction
    for _, value in leaves(task.known_info):
        yield str(value)
    for fact in facts_of(task).values():
        yield fact.says
        for _, value in leaves(fact.value):
            yield str(value)


def first_answers(task: TaskModel) -> list[Plain]:
    """Return a value for each answer that the goal wants, of alternatives the first."""
    return [one if isinstance(one, str | int | float) else one[0] for one in task.goal.answers]
