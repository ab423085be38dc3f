"""What tells a row from others that are described alike: a column, or being the most of all."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from toolworld.chained.outline import Row
from toolworld.chained.phrasing.catalogue import Catalogue
from toolworld.chained.phrasing.english import words
from toolworld.chained.phrasing.spoken import Day, SpokenChoice
from toolworld.chained.phrasing.views import Views

LONGEST = 40
"""No longer text is read out to tell a row from others."""

EXTREMES = {
    "datetime": ("the most recent one", "the oldest one"),
    "date": ("the one with the latest {words}", "the one with the earliest {words}"),
    "money": ("the one with the highest {words}", "the one with the lowest {words}"),
    "integer": ("the one with the highest {words}", "the one with the lowest {words}"),
    "number": ("the one with the highest {words}", "the one with the lowest {words}"),
}
PREPOSITIONS = {"on": "on", "at": "on", "by": "by", "from": "from", "until": "until", "to": "up to"}


def distinction(
    views: Views, entity: str, row: Row, others: Sequence[Row], rng: random.Random
) -> str | None:
    """Return a clause that is true of a row and of none of the others; None if there is none."""
    columns = list(_columns(views.catalogue, entity, row))
    rng.shuffle(columns)
    said = {column: _said(views, entity, column, row) for column in columns}
    for chosen in (*_singles(columns), None, *combinations(columns, 2)):
        if chosen is None:
            extreme = _extreme(views.catalogue, entity, columns, row, others)
            if extreme:
                return extreme
        elif not any(_alike(views, entity, chosen, row, other) for other in others):
            return "the one " + " and ".join(clause(column, said[column]) for column in chosen)
    return None


def _singles(columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for column in columns:
        yield (column,)


def _columns(catalogue: Catalogue, entity: str, row: Row) -> Iterator[str]:
    key = catalogue.entities[entity].key
    for column, found in catalogue.shapes[entity].items():
        value = row.get(column)
        if column == key or value is None or isinstance(value, list | dict):
            continue
        if found["type"] in catalogue.entities or len(str(value)) > LONGEST:
            continue
        yield column


def _said(views: Views, entity: str, column: str, row: Row) -> Any:
    return views.column(entity, row, column)


def _alike(views: Views, entity: str, columns: Sequence[str], row: Row, other: Row) -> bool:
    return all(
        str(_said(views, entity, column, row)) == str(_said(views, entity, column, other))
        for column in columns
    )


def clause(column: str, value: Any, verb: str = "is") -> str:
    """Return a relative clause for the value of a column, such as ``that is delivered``."""
    if isinstance(value, bool):
        return f"that {verb} {'' if value else 'not '}{words(column).removesuffix(' only')}"
    if isinstance(value, SpokenChoice) and column in ("status", "condition"):
        return f"that {verb} {value}"
    stem, _, last = column.rpartition("_")
    if isinstance(value, Day) and stem and last in PREPOSITIONS:
        return f"{words(stem)} {PREPOSITIONS[last]} {value}"
    return f"with {words(column)} {value}"


def _extreme(
    catalogue: Catalogue, entity: str, columns: Sequence[str], row: Row, others: Sequence[Row]
) -> str | None:
    for column in columns:
        forms = EXTREMES.get(catalogue.type_of(entity, column))
        values = [other.get(column) for other in others]
        if forms is None or not values or None in values:
            continue
        most, least = forms
        if all(row[column] > value for value in values):
            return most.format(words=words(column))
        if all(row[column] < value for value in values):
            return least.format(words=words(column))
    return None
