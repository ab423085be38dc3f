"""The few functions that situations and experts share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from ..person.answers import words

ItemT = TypeVar("ItemT")


class Redraw(Exception):  # noqa: N818 - it ends a draw, and is no error
    """The rows that were drawn do not make a situation."""


class Ambiguous(Redraw):
    """More than one row fits the person's description."""


class Outcome(NamedTuple):
    """How an expert ends.

    Attributes:
        name: An outcome that the scenario's words declare.
        values: The values to tell the person, by name.
    """

    name: str
    values: dict[str, Any]


def outcome(name: str, /, **values: Any) -> Outcome:
    """Return an outcome with the values to tell the person."""
    return Outcome(name, values)


def only(rows: Iterable[ItemT]) -> ItemT:
    """Return the one row that fits; redraw the situation if none or several fit."""
    found = list(rows)
    if len(found) != 1:
        raise Ambiguous(f"{len(found)} rows fit where one is meant")
    return found[0]


def maybe(rows: Iterable[ItemT]) -> ItemT | None:
    """Return the one row that fits, or None; redraw the situation if several fit."""
    found = list(rows)
    if len(found) > 1:
        raise Ambiguous(f"{len(found)} rows fit where at most one is meant")
    return found[0] if found else None


def fits(said: str, text: str) -> bool:
    """Return whether a name can mean a thing: each of its words is in the whole name.

    The word ``in`` does not count, as in ``floor pump in sand``.
    """
    return needed_words(said) <= set(words(text))


def needed_words(said: str) -> set[str]:
    """Return the words of a name that must be in the whole name."""
    return set(words(said)) - {"in"}
