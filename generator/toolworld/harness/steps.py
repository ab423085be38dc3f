"""The steps of a sequence, and the arguments they take from the results before them.

A value ``{"$step": n, "path": "items.0.id"}`` anywhere in a step's arguments stands for what the
structured result of step ``n``, counted from 0, holds at that path; without a path, for all of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

Results = Mapping[int, Mapping[str, Any]]
"""The structured results so far, by step; steps that were dropped or went wrong have none."""


class Step(BaseModel):
    """One call of a gold sequence and its expected outcome, or one message to the person.

    Attributes:
        tool: The tool; empty for a message.
        code: The code of the rejection that is expected; it is not looked at over MCP.
        say: What the agent says; empty for a call.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tool: str = ""
    arguments: dict[str, Any] = Field(default_factory=dict)
    expect: Literal["ok", "rejected"] = "ok"
    code: str = ""
    say: str = ""

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if bool(self.tool) == bool(self.say):
            raise ValueError("a step calls a tool or says something")
        return self

    @property
    def name(self) -> str:
        """What the step is called in a report."""
        return self.tool or "say"


class Goal(BaseModel):
    """The part of a task's goal that the harness itself must know."""

    model_config = ConfigDict(frozen=True)

    answers: tuple[str | int | float | tuple[str | int | float, ...], ...] = ()


class Task(BaseModel):
    """The fields of a task that the harness reads; the package reads the others."""

    model_config = ConfigDict(frozen=True)

    id: str
    gold: tuple[Step, ...] = Field(min_length=1)
    goal: Goal

    @property
    def answer(self) -> str | None:
        """A final answer that contains every required answer; None if gold's messages do."""
        if any(step.say for step in self.gold):
            return None
        firsts = (one[0] if isinstance(one, tuple) else one for one in self.goal.answers)
        return "\n".join(map(str, firsts)) or None


class Unresolved(Exception):  # noqa: N818 - a control-flow signal inside the harness
    """An argument refers to a result that is not there."""


def resolve(value: Any, results: Results) -> Any:
    """Return a value with every reference to an earlier result replaced.

    Raises:
        Unresolved: A reference has no value; the text says which, and why.
    """
    if isinstance(value, Mapping):
        if "$step" in value:
            return _referred(value, results)
        return {name: resolve(inner, results) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [resolve(inner, results) for inner in value]
    return value


def _referred(reference: Mapping[str, Any], results: Results) -> Any:
    step, path = reference["$step"], reference.get("path", "")
    sound = type(step) is int and isinstance(path, str)
    if not sound or reference.keys() - {"$step", "path"}:
        raise Unresolved(f"{dict(reference)} is no reference: it takes a $step and a path.")
    if step not in results:
        raise Unresolved(f"Step {step} has no result before this step to take {path!r} from.")
    value: Any = results[step]
    for name in path.split(".") if path else ():
        value = _at(value, name, f"The result of step {step} has nothing at {path!r}.")
    return value


def _at(value: Any, name: str, missing: str) -> Any:
    if isinstance(value, Mapping) and name in value:
        return value[name]
    if isinstance(value, list) and name.isdecimal() and int(name) < len(value):
        return value[int(name)]
    raise Unresolved(missing)


def problems_of(error: ValidationError) -> list[str]:
    """Return each problem that Pydantic found, on one line: place and message."""
    return [
        f"{'.'.join(str(part) for part in problem['loc']) or 'all of it'}: {problem['msg']}"
        for problem in error.errors(include_url=False, include_input=False)
    ]
