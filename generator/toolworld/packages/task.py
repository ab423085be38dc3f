"""Types for a package's own task model: the fields that the generator reads.

There is no second schema: `read_task` gives the package's object, and the protocols say which of
its attributes are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, cast

from toolworld.jsonvalues import JsonObject, JsonValue, leaves
from toolworld.packages import Package

Plain: TypeAlias = "str | int | float"


class StepModel(Protocol):
    """One step of gold: a call, or a message to the person.

    Attributes:
        tool: The tool; empty for a message.
        arguments: Values, or references to the results of earlier steps.
        expect: The outcome of the call, ``ok`` or ``rejected``.
        code: The code of the rejection that is expected; empty for any.
        say: What the agent tells the person; empty for a call.
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
    """Something the person knows.

    Attributes:
        says: What they answer when asked for it.
        value: What that means.
        said: Whether the opening message says it.
    """

    says: str
    value: JsonValue
    said: bool


class PersonModel(Protocol):
    """The person who asks: what they know, and how they behave beyond answering."""

    facts: Mapping[str, FactModel]
    behaviours: Sequence[Any]


class TaskModel(Protocol):
    """A task.

    Attributes:
        instruction: The person's opening message.
        scenario: The scenario it is made from; empty if it is written by hand.
        outcome: How that ends.
        role: Who the person is: a role of the domain.
        drawn: The seed and the number of the draw of its situation.
        person: How the person answers; None for one who only says the opening message.
        conversation: Whether it cannot be done without talking to the person.
        world_changes: What changes in mid-episode.
        twin: The task that differs from it in one cell of the data.
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

    def model_copy(self, *, update: Mapping[str, object]) -> TaskModel:
        """Return a copy of the task with some fields changed."""


def read_task(package: Package, task: TaskModel | Mapping[str, object]) -> TaskModel:
    """Return a task as the package's own object.

    Raises:
        PackageError: The package's own: these JSON values are no task.
    """
    return cast(TaskModel, package.modules.task.as_task(task))


def spoken(task: TaskModel, replies: str | None = None) -> Iterator[str]:
    """Yield each message of the person with its facts.

    Args:
        task: The task.
        replies: What the person replied so far; None for all that they can say.
    """
    yield task.instruction
    yield from plain_texts(task.known_info)
    if task.person is None:
        return
    wrong = [name for name, _ in wrong_values(task)]
    for name, fact in task.person.facts.items():
        if replies is None or (fact.said and name not in wrong) or fact.says in replies:
            yield fact.says
            yield from plain_texts(fact.value)
    for behaviour in task.person.behaviours:
        if replies is None or behaviour.says in replies:
            yield behaviour.says
            if behaviour.kind == "changes_mind":
                yield from plain_texts(behaviour.value)


def wrong_values(task: TaskModel) -> list[tuple[str, JsonValue]]:
    """Return the facts that the person states wrongly at first, with the wrong values."""
    found = task.person.behaviours if task.person is not None else ()
    return [(one.fact, one.value) for one in found if one.kind == "wrong_first"]


def plain_texts(value: JsonValue) -> Iterator[str]:
    """Yield each plain value inside a value, as a text."""
    for _, leaf in leaves(value):
        yield str(leaf)


def first_answers(task: TaskModel) -> list[Plain]:
    """Return a value for each answer that the goal wants, of alternatives the first."""
    return [one if isinstance(one, str | int | float) else one[0] for one in task.goal.answers]
