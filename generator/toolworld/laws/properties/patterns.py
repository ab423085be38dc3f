"""Patterns of rows: orders of times and amounts, within a row and along references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from itertools import permutations, product
from typing import Any, Literal, get_args, get_origin

from toolworld.laws.columns import is_optional, plain_type

TIMES = (date, datetime)
ORDERED = (*TIMES, Decimal)

Holds = Callable[[Any, Any], bool | None]
"""Says whether a row fits a pattern in a database; None if it says nothing of the row."""


@dataclass(frozen=True)
class Pattern:
    """What rows of a table may have in common.

    Attributes:
        says: What, in words.
        holds: Whether a row fits it.
    """

    says: str
    holds: Holds


def patterns_of(table: str, database: Any) -> Iterator[tuple[Pattern, Counter[bool | None]]]:
    """Yield possible patterns of a table's rows, with how many keep, break or lack each.

    Args:
        table: The table.
        database: The rows, and those that they refer to.
    """
    rows = database.tables[table].all()
    for pattern in _candidates(database.tables[table].schema, database):
        yield pattern, Counter(pattern.holds(row, database) for row in rows)


def choices_of(row: Any) -> dict[str, tuple[str, ...]]:
    """Return the enum columns of a class of rows, with their values."""
    kinds = {name: plain_type(field.annotation) for name, field in row.model_fields.items()}
    return {name: get_args(kind) for name, kind in kinds.items() if get_origin(kind) is Literal}


def _candidates(schema: Any, database: Any) -> Iterator[Pattern]:
    yield from _in_order(schema)
    yield from _times_by_choice(schema)
    for reference in schema.references:
        if len(reference.path) == 1:
            yield from _after_what_it_names(schema, reference, database)


def _in_order(schema: Any) -> Iterator[Pattern]:
    """Yield that a time or a sum of a row is at most another."""
    kinds = _kinds(schema)
    for one, other in permutations(kinds, 2):
        if kinds[one] == kinds[other] and kinds[one] in ORDERED:
            says = f"{schema.name}.{one} is at most {schema.name}.{other}"
            yield Pattern(says, partial(_at_most, one, other))


def _times_by_choice(schema: Any) -> Iterator[Pattern]:
    """Yield the pattern that a time is set, or not set, for an enum value."""
    fields, kinds, table = schema.row.model_fields, _kinds(schema), schema.name
    times = [
        name for name in kinds if kinds[name] in TIMES and is_optional(fields[name].annotation)
    ]
    for column, values in choices_of(schema.row).items():
        for value, name, empty in product(values, times, (True, False)):
            there = "empty" if empty else "there"
            says = f"{table}.{name} is {there} where {table}.{column} is {value}"
            yield Pattern(says, partial(_empty_where, name, column, value, empty))


def _after_what_it_names(schema: Any, reference: Any, database: Any) -> Iterator[Pattern]:
    """Yield that a time of a row is not before one of a row that it refers to."""
    column, other = reference.path[0], database.tables[reference.table].schema
    kinds, others = _kinds(schema), _kinds(other)
    for one, early in product(kinds, others):
        if kinds[one] == others[early] and kinds[one] in TIMES:
            says = f"{other.name}.{early} is at most {schema.name}.{one} by its {column}"
            yield Pattern(says, partial(_at_least, one, column, reference.table, early))


def _at_most(one: str, other: str, row: Any, _: Any) -> bool | None:
    small, large = getattr(row, one), getattr(row, other)
    return None if small is None or large is None else small <= large


def _at_least(
    name: str, column: str, table: str, other: str, row: Any, database: Any
) -> bool | None:
    key = getattr(row, column)
    named = database.tables[table].find(key) if key is not None else None
    late, early = getattr(row, name), getattr(named, other, None)
    return None if late is None or early is None else early <= late


def _empty_where(name: str, column: str, value: str, empty: bool, row: Any, _: Any) -> bool | None:
    return (getattr(row, name) is None) == empty if getattr(row, column) == value else None


def _kinds(schema: Any) -> Mapping[str, Any]:
    return {name: plain_type(field.annotation) for name, field in schema.row.model_fields.items()}
