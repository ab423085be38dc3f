"""What a person asks for, before it is put into words: made by synthesis, said by phrasing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from toolworld.tasks.rows import Row

Json = Any

Role = Literal["knows", "does", "asks"]
Aggregate = Literal["", "count", "sum", "highest", "lowest"]


@dataclass(frozen=True)
class Mention:
    """A row that an argument of a step names.

    Attributes:
        path: The argument, or the place in it: ``order_id``, ``items.0.variant_id``.
        entity: What kind of row it is.
        row: The row as the person knows it when they speak, or as an earlier step makes it.
        known_by_key: Whether gold has the key as it is, so that the person must say it.
        among: The rows it could be taken for, without itself: those the look-up that gives it
            shows.
        made_by: The earlier step that makes it, for a row that is new in the task.
        now: The row as earlier steps have left it, if they have changed it.
    """

    path: str
    entity: str
    key: str
    row: Row
    known_by_key: bool = False
    among: tuple[Row, ...] = ()
    made_by: int | None = None
    now: Row | None = None


@dataclass(frozen=True)
class Ask:
    """A value of a result that the person wants to be told.

    Attributes:
        path: Where it stands in the result: ``net``, ``items.0.total``.
        shape: The entity or object that has the column.
        aggregate: What is made of the column over all items of a listing; empty for the value
            itself. A count has no column.
    """

    path: str
    shape: str
    column: str
    aggregate: Aggregate = ""


@dataclass(frozen=True)
class Condition:
    """What decides which of two things is to be done.

    Attributes:
        mention: The row that is looked at.
        value: What the person asks whether the column has.
        holds: Whether it has, in this task.
        other: What would be done otherwise; no step of gold.
    """

    mention: Mention
    column: str
    value: Json
    holds: bool
    other: Request


@dataclass(frozen=True)
class Every:
    """The rows for which a request is made, one after the other.

    Attributes:
        filters: The arguments of the listing that shows exactly these rows.
        count: How many there are.
    """

    entity: str
    filters: Mapping[str, Json]
    count: int


@dataclass(frozen=True)
class Request:
    """One thing a person says, about one step of gold.

    Attributes:
        step: The step; the first of them for a request that holds for several rows.
        arguments: Its arguments as values; those not given are absent.
        role: ``knows`` for a look-up by what the person knows, ``does`` for a change, ``asks``
            for what they want to be told.
        expect: ``rejected`` for something that turns out to be impossible.
    """

    step: int
    tool: str
    arguments: Mapping[str, Json]
    role: Role
    mentions: tuple[Mention, ...] = ()
    asks: tuple[Ask, ...] = ()
    expect: Literal["ok", "rejected"] = "ok"
    condition: Condition | None = None
    every: Every | None = None


@dataclass(frozen=True)
class Outline:
    """All that a person asks for in a task.

    Attributes:
        requests: In the order of gold, without mere look-ups on the way.
        ordered: Whether the order of what is done matters.
    """

    requests: tuple[Request, ...]
    ordered: bool = False
