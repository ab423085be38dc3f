"""Patterns of the seed data: what all its rows have in common is tried as a rule.

Tried are orders of times and sums within a row, and which times are there at which choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from itertools import permutations
from typing import Any, Literal, get_args, get_origin

from toolworld.emit import Package
from toolworld.laws.properties.moment import Moment, Moments
from toolworld.laws.properties.suspect import Suspect

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

    table: str
    says: str
    holds: Holds


class SeedPatterns:
    """What all rows of the seed data have in common, the rows that tools write have, too."""

    name = "seed_pattern"

    def __init__(self, moments: Moments, patterns: list[Pattern]) -> None:
        """Take the patterns."""
        self._patterns: dict[str, list[Pattern]] = {}
        for one in patterns:
            self._patterns.setdefault(one.table, []).append(one)

    def look(self, moment: Moment) -> Iterator[Suspect]:
        """Yield calls that write a row unlike all of the seed data."""
        for made in moment.possible:
            for write in made.writes:
                for pattern in self._patterns.get(write.table, ()):
                    if write.after is not None and pattern.holds(write.after) is False:
                        says = f"{write.key} is unlike every row of the seed data."
                        tools, calls = (made.call.tool,), (*moment.before, made.call)
                        yield Suspect(self.name, tools, pattern.says, says, calls)


def patterns_of(package: Package, database: Any) -> list[Pattern]:
    """Return the patterns of a package's seed data that are not among its rules."""
    schemas = package.module("models").SCHEMAS
    return [
        pattern
        for table, schema in schemas.items()
        for pattern in _candidates(table, schema.row)
        if _is_shown(pattern, database.tables[table].all())
    ]


def _is_shown(pattern: Pattern, rows: list[Any]) -> bool:
    """Return whether enough rows show a pattern, and none breaks it."""
    found = Counter(pattern.holds(row) for row in rows)
    return found[True] >= FEWEST and not found[False]


def _candidates(table: str, row: Any) -> Iterator[Pattern]:
    """Yield what rows of a class may have in common."""
    kinds = {name: _kind(field.annotation) for name, field in row.model_fields.items()}
    for one, other in permutations(kinds, 2):
        if kinds[one] == kinds[other] and kinds[one] in ORDERED:
            says = f"{table}.{one} is at most {table}.{other}"
            yield Pattern(table, says, partial(_at_most, one, other))
    optional = [
        name
        for name, field in row.model_fields.items()
        if _is_optional(field.annotation) and kinds[name] in TIMES
    ]
    for column, kind in kinds.items():
        for value in get_args(kind) if get_origin(kind) is Literal else ():
            for name in optional:
                says = f"{table}.{name} is empty where {table}.{column} is {value}"
                yield Pattern(table, says, partial(_empty_where, name, column, value, True))
                says = f"{table}.{name} is there where {table}.{column} is {value}"
                yield Pattern(table, says, partial(_empty_where, name, column, value, False))


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
