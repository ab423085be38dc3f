"""The steps of a player: calls, messages and the end, each with its result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from toolworld.jsonvalues import JsonObject, JsonValue


@dataclass(frozen=True)
class MadeCall:
    """A call that was made.

    Attributes:
        outcome: ``ok``, ``rejected`` or ``invalid``, as the package says it.
        text: The result as JSON, or the message of the rejection.
        code: The code of the rejection.
        values: The values of the rejection, as JSON values.
        result: The result as JSON values; None unless ok.
        changes: The rows that it changed: table, key, and the row before and after.
    """

    tool: str
    arguments: JsonObject
    outcome: str
    text: str
    code: str = ""
    values: JsonObject | None = None
    result: JsonValue = None
    changes: tuple[JsonObject, ...] = ()


@dataclass(frozen=True)
class Exchange:
    """A message to the person, and the reply."""

    message: str
    reply: str


@dataclass(frozen=True)
class Finish:
    """The end of the task, with the final answer if there was one."""

    answer: str | None


Step: TypeAlias = MadeCall | Exchange | Finish


def changes_of(writes: Iterable[Any]) -> tuple[JsonObject, ...]:
    """Return the rows that a package's call wrote and that differ, as JSON values."""
    return tuple(
        {
            "table": write.table,
            "key": write.key,
            "before": _row(write.before),
            "after": _row(write.after),
        }
        for write in writes
        if write.before != write.after
    )


def _row(row: Any) -> Any:
    """Return a package's row as JSON values; None for no row."""
    return None if row is None else row.model_dump(mode="json")
