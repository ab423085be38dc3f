"""A task: its request, its start, its gold sequence and its goal.

The package's tasks are the lines of ``tasks/tasks.jsonl``, in file order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, with_config

from ..errors import BadTask, UnknownTask
from ..person.answers import WantedAnswer
from ..person.persona import Person

JsonRow = dict[str, object]


class TaskPart(BaseModel):
    """A frozen piece of a task."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class Change:
    """One row that differs between two states.

    Attributes:
        before: The row as it was; None when it was added.
        after: The row as it is; None when it was removed.
    """

    table: str
    key: str
    before: JsonRow | None
    after: JsonRow | None

    def as_json(self) -> dict[str, object]:
        """Return the change as JSON values."""
        return asdict(self)


class Step(TaskPart):
    """One call of a gold sequence, or one message to the person.

    Attributes:
        tool: The tool called; empty for a message.
        arguments: Values, or ``{"$step": n, "path": "items.0.id"}`` for a value taken from the
            result of step ``n``, counted from 0.
        expect: Whether the tool is expected to do it or to reject it.
        code: The code of the rejection expected; empty for any.
        say: What the agent tells the person; empty for a call.
    """

    tool: str = ""
    arguments: dict[str, object] = Field(default_factory=dict)
    expect: Literal["ok", "rejected"] = "ok"
    code: str = ""
    say: str = ""

    def resolved(self, results: Sequence[Mapping[str, object]]) -> dict[str, object]:
        """Return the arguments with every reference replaced by its value.

        Args:
            results: The structured results of the steps before this one.

        Raises:
            BadTask: A reference leads nowhere.
        """
        return {name: resolve(value, results) for name, value in self.arguments.items()}


class Goal(TaskPart):
    """What must be true in the end.

    Attributes:
        changes: The rows that differ from the start, and no others may.
        answers: What the agent must tell the person; of alternatives, any one.
    """

    changes: tuple[Change, ...] = ()
    answers: tuple[WantedAnswer, ...] = ()


class WorldChange(TaskPart):
    """Something that changes in mid-episode, whoever does it; no part of the agent's changes.

    Attributes:
        after_writes: After how many calls that changed something; 0 if talk sets it off.
        after_act: After which act of the person; empty if writes set it off.
        table: The table of the row.
        key: The row.
        columns: What its columns become.
    """

    table: str
    key: str
    columns: dict[str, object]
    after_writes: int = 0
    after_act: str = ""


class Task(TaskPart):
    """A task on this package's database.

    Attributes:
        instruction: What the person says first.
        scenario: The scenario it is made from; empty if it is written by hand.
        outcome: How the scenario ends.
        drawn: The seed and the number of the draw that its situation is.
        role: Who the person is: a role of the domain.
        known_info: What the person knows, and tells when asked.
        person: How the person answers; None for one who only says the first message.
        conversation: Whether it cannot be done without talking to the person.
        tools: The names of the tools an agent may use.
        initial: A patch over the seed database: whole rows by table and key; None removes.
        world_changes: What changes in mid-episode.
        clauses: The numbers of the clauses that matter to it.
        twin: The task that differs from it in one cell of the data, and ends otherwise.
    """

    id: str
    instruction: str
    scenario: str = ""
    outcome: str = ""
    drawn: tuple[int, int] | None = None
    role: str = ""
    person: Person | None = None
    conversation: bool = False
    world_changes: tuple[WorldChange, ...] = ()
    clauses: tuple[str, ...] = ()
    twin: str = ""
    persona: str = ""
    known_info: dict[str, object] = Field(default_factory=dict)
    tools: tuple[str, ...] = ()
    initial: dict[str, dict[str, JsonRow | None]] = Field(default_factory=dict)
    gold: tuple[Step, ...] = ()
    goal: Goal = Goal()
    difficulty: dict[str, object] = Field(default_factory=dict)
    certificate: dict[str, object] = Field(default_factory=dict)

    def told(self) -> dict[str, object]:
        """Return the facts that the person has told in the first message, by name."""
        if self.person is None:
            return dict(self.known_info)
        return self.person.opens_with()


@cache
def all_tasks() -> dict[str, Task]:
    """Return the package's tasks by id, in file order."""
    text = (resources.files(__package__) / "tasks.jsonl").read_text("utf-8")
    # Not splitlines(): a task's texts may hold other line separators of Unicode.
    tasks = [Task.model_validate_json(line) for line in text.split("\n") if line]
    return {task.id: task for task in tasks}


def find_task(task_id: str) -> Task:
    """Return the task with an id.

    Raises:
        UnknownTask: No task has it.
    """
    tasks = all_tasks()
    if task_id not in tasks:
        raise UnknownTask(f'No task has the id "{task_id:.80}"; tasks/tasks.jsonl lists them.')
    return tasks[task_id]


def resolve(value: object, results: Sequence[Mapping[str, object]]) -> object:
    """Return a gold argument with each ``{"$step": n, "path": ...}`` replaced by its value.

    Args:
        value: An argument, or any part of one.
        results: The structured results of the steps so far.

    Raises:
        BadTask: A reference leads nowhere.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        if "$step" in value:
            return _look_up(value, results)
        return {name: resolve(part, results) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [resolve(part, results) for part in value]
    return value


def _look_up(reference: Mapping[str, object], results: Sequence[Mapping[str, object]]) -> object:
    try:
        found: Any = results[int(str(reference["$step"]))]
        for part in str(reference["path"]).split("."):
            found = found[int(part)] if isinstance(found, list) else found[part]
    except (KeyError, IndexError, ValueError, TypeError) as error:
        raise BadTask(f"{dict(reference)} leads nowhere: {error!r}.") from error
    return found


def as_task(task: Task | Mapping[str, object] | str | None) -> Task | None:
    """Return a task that is given as a ``Task``, as JSON values or by its id."""
    if isinstance(task, str):
        return find_task(task)
    if task is None or isinstance(task, Task):
        return task
    try:
        return Task.model_validate(task)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadTask(f"The task is not valid: {where}: {first['msg']}.") from error
