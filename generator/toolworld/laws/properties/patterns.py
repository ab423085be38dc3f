"""Patterns of the seed data: what all its rows have in common is tried as a rule.

Tried are orders of times and sums within a row, and which times are there at which choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from itertools import permutations
from typing import Any, Literal, get_args, get_origin

from toolworld.laws.properties.moment import Moment, Moments
from toolworld.laws.properties.suspect import Suspect
from toolworld.laws.properties.totals import Totals

FEWEST = 20
"""How many rows must show a pattern."""
TIMES = (date, datetime)
ORDERED = (*TIMES, Decimal)

Holds = Callable[[Any], bool | None]
"""Says whether a row fits a pattern; None if it says nothing of the row."""


@dataclass(frozen=True)
class Pattern:
    """What the rows of a table have in common.

    Attributes:
        says: What, in words.
        holds: Whether a row fits it.
    """

    says: str
    holds: Holds


class SeedPatterns:
    """What all rows of the seed data have in common, the rows that tools write have, too."""

    def __init__(self, moments: Moments, totals: Totals) -> None:
        """Look for patterns in the rows of the start."""
        database = moments.caller.environment._database
        self._patterns = {
            name: _patterns(name, table.schema.row, table.all())
            for name, table in database.tables.items()
        }

    def end(self) -> Iterator[Suspect]:
        """Yield nothing more."""
        yield from ()

    def look(self, moment: Moment) -> Iterator[Suspect]:
        """Yield calls that write a row unlike all of the seed data."""
        for made in moment.possible:
            for write in made.writes:
                for pattern in self._patterns[write.table]:
                    if _is_new(pattern, write):
                        says = f"{write.key} is unlike every row of the seed data."
                        tools, calls = (made.call.tool,), (*moment.before, made.call)
                        yield Suspect(tools, pattern.says, says, calls)


def _is_new(pattern: Pattern, write: Any) -> bool:
    """Return whether a row does not fit a pattern, and did not break it before."""
    broken_before = write.before is not None and pattern.holds(write.before) is False
    broken_now = write.after is not None and pattern.holds(write.after) is False
    return broken_now and not broken_before


def _patterns(table: str, row: Any, rows: Sequence[Any]) -> list[Pattern]:
    """Return what the rows of a table have in common, if enough of them show it."""
    return [one for one in _candidates(table, row) if _is_shown(one, rows)]


def _is_shown(pattern: Pattern, rows: Sequence[Any]) -> bool:
    found = Counter(pattern.holds(row) for row in rows)
    return found[True] >= FEWEST and not found[False]


def _candidates(table: str, row: Any) -> Iterator[Pattern]:
    """Yield what rows of a class may have in common."""
    kinds = {name: _kind(field.annotation) for name, field in row.model_fields.items()}
    for one, other in permutations(kinds, 2):
        if kinds[one] == kinds[other] and kinds[one] in ORDERED:
            says = f"{table}.{one} is at most {table}.{other}"
            yield Pattern(says, partial(_at_most, one, other))
    optional = [
        name
        for name, field in row.model_fields.items()
        if _is_optional(field.annotation) and kinds[name] in TIMES
    ]
    for column, kind in kinds.items():
        for value in get_args(kind) if get_origin(kind) is Literal else ():
            for name in optional:
                says = f"{table}.{name} is empty where {table}.{column} is {value}"
                yield Pattern(says, partial(_empty_where, name, column, value, True))
                says = f"{table}.{name} is there where {table}.{column} is {value}"
                yield Pattern(says, partial(_empty_where, name, column, value, False))


def _at_most(one: str, other: str, row: Any) -> bool | None:
    small, large = getattr(row, one), getattr(row, other)
    return None if small is None or large is None else small <= large


def _empty_where(name: str, column: str, value: str, empty: bool, row: Any) -> bool | None:
    return (getattr(row, name) is None) == empty if getattr(row, column) == value else None


def _kind(annotation: Any) -> Any:
    parts = [part for part in get_args(annotation) if part is not type(None)]
    return parts[0] if _is_optional(annotation) else annotation


def _is_optional(annotation: Any) -> bool:
    return type(None) in get_args(annotation)
