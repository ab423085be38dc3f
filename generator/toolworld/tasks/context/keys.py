"""Keys and unique texts for copied rows, made like those that are there.

A text that is made of the row's other columns, such as a room number that begins with its floor,
cannot be made anew without lying: then there is none, and the row is not copied.
"""

from __future__ import annotations

import random
import re
from functools import cache
from typing import Any

from toolworld.jsonvalues import JsonValue, leaves
from toolworld.tasks.context.start import RowKey, StartRows, Tables

GAP, SPAN = 100, 900
"""Minted keys of copies are this far above those there are: gold's own new rows fit between."""
TRIES = 40
FEWEST_DIGITS = 3
SAMPLE = 60
MOSTLY = 0.9
FREE_DIGITS = re.compile(rf"\d{{{FEWEST_DIGITS},}}")
SPOKEN = re.compile(r"[\s:@/]")
"""Occurs in times, addresses and names, of which other digits make nonsense."""


class Codes:
    """Which keys and unique texts of a package's tables can be made anew."""

    def __init__(self, tables: Tables) -> None:
        """Take the tables."""
        self._tables = tables
        self.is_free = cache(self._is_free)

    def _is_free(self, table: str, column: str) -> bool:
        """Whether a column's texts contain no value of another column of their row."""
        rows = list(self._tables.base.tables[table].rows.values())[:SAMPLE]
        inside: dict[str, list[bool]] = {}
        values: dict[str, set[str]] = {}
        for row in map(self._tables.as_json, rows):
            text = _bare(row[column])
            for path, value in leaves({name: row[name] for name in row if name != column}):
                said = _bare(value)
                if said and not isinstance(value, bool):
                    place = ".".join(str(part) for part in path)
                    inside.setdefault(place, []).append(said in text)
                    values.setdefault(place, set()).add(said)
        return not any(
            len(values[place]) > 1 and sum(found) >= MOSTLY * len(found)
            for place, found in inside.items()
        )


class FreshKeys:
    """Makes keys and unique texts for one start; none twice."""

    def __init__(self, tables: Tables, codes: Codes, start: StartRows, rng: random.Random) -> None:
        """Take the tables and random numbers."""
        self._tables, self._codes, self._start, self._rng = tables, codes, start, rng
        self._taken: set[tuple[str, str, str]] = set()

    def key(self, place: RowKey) -> str | None:
        """Return a free key that looks like a row's own; None if none is found."""
        schema = self._tables.schemas[place.table]
        for _ in range(TRIES):
            if schema.prefix is None:
                key = self._other(place.table, schema.key, place.key)
            else:
                key = self._minted(place.table, schema.prefix)
            if key is None:
                return None
            if self._take(place.table, schema.key, key):
                return key
        return None

    def text(self, table: str, column: str, text: str) -> str | None:
        """Return a free text like a row's value in a unique column; None if none is found."""
        for _ in range(TRIES):
            other = self._other(table, column, text)
            if other is None or self._take(table, column, other):
                return other
        return None

    def _take(self, table: str, column: str, text: str) -> bool:
        place = table, column, text
        if place in self._taken or self._exists(table, column, text):
            return False
        self._taken.add(place)
        return True

    def _exists(self, table: str, column: str, text: str) -> bool:
        if column == self._tables.schemas[table].key:
            return self._start.row(RowKey(table, text)) is not None
        return self._start.is_taken(table, column, text)

    def _minted(self, table: str, prefix: str) -> str:
        number = self._tables.base.tables[table].next_number + GAP
        return f"{prefix}-{number + self._rng.randrange(SPAN):05d}"

    def _other(self, table: str, column: str, text: str) -> str | None:
        """Return a text with its last long number changed; None if it has none."""
        numbers: list[Any] = [*FREE_DIGITS.finditer(text)]
        if SPOKEN.search(text) or not numbers or not self._codes.is_free(table, column):
            return None
        start, end = numbers[-1].span()
        first = text[start] if text[start] == "0" else str(self._rng.randrange(1, 10))
        rest = "".join(str(self._rng.randrange(10)) for _ in range(end - start - 1))
        return f"{text[:start]}{first}{rest}{text[end:]}"


def _bare(value: JsonValue) -> str:
    """Return the letters and digits of a value in lower case."""
    return "" if value is None else re.sub(r"[\W_]+", "", str(value)).casefold()
