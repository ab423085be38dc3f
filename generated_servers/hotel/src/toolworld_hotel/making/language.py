"""The few functions that situations and experts share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from ..person.answers import words

ItemT = TypeVar("ItemT")


class Redraw(Exception):  # noqa: N818 - it ends a draw, and is no error
    """A situation does not come about with the rows that were drawn."""


class Ambiguous(Redraw):
    """More than one row fits the person's description."""


class Outcome(NamedTuple):
    """How an expert ends.

    Attributes:
        name: An outcome that the scenario's words declare.
        values: What there is to tell, by name.
    """

    name: str
    values: dict[str, Any]


def outcome(name: str, /, **values: Any) -> Outcome:
    """Return an outcome with the values that the person is told."""
    return Outcome(name, values)


def only(rows: Iterable[ItemT]) -> ItemT:
    """Return the one row that fits; with none or several the situation is drawn anew."""
    found = list(rows)
    if len(found) != 1:
        raise Ambiguous(f"{len(found)} rows fit where one is meant")
    return found[0]


def maybe(rows: Iterable[ItemT]) -> ItemT | None:
    """Return the one row that fits, or None; with several the situation is drawn anew."""
    found = list(rows)
    if len(found) > 1:
        raise Ambiguous(f"{len(found)} rows fit where at most one is meant")
    return found[0] if found else None


def fits(said: str, text: str) -> bool:
    """Return whether a thing can be meant by a name: every word of it is in the whole name.

    Of ``floor pump in sand`` the word ``in`` is no part of the name.
    """
    return set(words(said)) - {"in"} <= set(words(text))
