"""What a person asks for, before it is put into words: made from chains, said by phrases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Json: TypeAlias = Any
Row: TypeAlias = Mapping[str, Json]
Place: TypeAlias = tuple[str, str]
"""An entity and a key."""
Role: TypeAlias = Literal["knows", "does"]


@dataclass(frozen=True)
class Mention:
    """A row that an argument of a step names.

    Attributes:
        path: The argument, or the place in it: ``order_id``, ``items.0.variant_id``.
        entity: What kind of row it is.
        row: The row as the person knows it when they speak, or as an earlier step makes it.
        known_by_key: Whether gold has the key as it is, so that the person must say it.
        among: The rows it could be taken for, without itself: those the look-up that gives it
            shows, or those of its kind that are new as well.
        is_new: Whether an earlier step makes it.
        now: The row as earlier steps have left it, if they have changed it.
    """

    path: str
    entity: str
    key: str
    row: Row
    known_by_key: bool = False
    among: tuple[Row, ...] = ()
    is_new: bool = False
    now: Row | None = None


@dataclass(frozen=True)
class Request:
    """One thing a person says, about one step of gold.

    Attributes:
        step: The step.
        arguments: Its arguments as values; those not given are absent.
        role: ``knows`` for a look-up by what the person knows, ``does`` for a change.
    """

    step: int
    tool: str
    arguments: Mapping[str, Json]
    role: Role
    mentions: tuple[Mention, ...] = ()


@dataclass(frozen=True)
class TaskOutline:
    """All that a person asks for in a task.

    Attributes:
        requests: In the order of gold, without mere look-ups on the way.
        ordered: Whether the order of what is done matters.
    """

    requests: tuple[Request, ...]
    ordered: bool = False
