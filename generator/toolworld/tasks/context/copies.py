"""Real rows copied under fresh keys, as rows of another person.

Nothing in a copy is made up: what the first person's rows are to the copied ones, rows of the
second person are to the copies; the rest stays as it is.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from toolworld.jsonvalues import JsonObject, leaves, replaced
from toolworld.tasks.context.keys import FreshKeys
from toolworld.tasks.context.start import RowKey, StartRows, Tables

Copies: TypeAlias = Mapping[RowKey, JsonObject]
"""New rows, by where they are put."""

TOLD = ("name", "email", "phone")
"""Parts of the names of columns that say who somebody is."""
MINTED = re.compile(r"\b[A-Z]{2,5}-\d{5,}\b")
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class CopyOrder:
    """A row to copy, and its new owner.

    Attributes:
        root: The row on which all others hang.
        rows: The rows to copy, the root among them.
        person: Whose they are.
        other: Whose the copies are to be.
        model: The other person's row that a copy of the root stands beside.
    """

    root: RowKey
    rows: Sequence[RowKey]
    person: RowKey
    other: RowKey
    model: RowKey


@dataclass
class Renaming:
    """The replacements of names in copied rows.

    Attributes:
        rows: New rows by old ones; None where nothing can be named.
        texts: New texts by old ones, for keys and names inside other texts.
    """

    rows: dict[RowKey, RowKey | None] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def applied(self, row: JsonObject) -> JsonObject:
        """Return a row with old texts replaced wherever they stand as whole words."""
        longest = sorted(filter(None, self.texts), key=len, reverse=True)
        if not longest:
            return row
        words = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")
        new: JsonObject = row
        for path, value in leaves(row):
            if isinstance(value, str) and words.search(value):
                text = words.sub(lambda found: self.texts[found[0]], value)
                new = _with(new, path, text)
        return new


class Copier:
    """Copies rows of one start."""

    def __init__(
        self, tables: Tables, keys: FreshKeys, start: StartRows, rng: random.Random
    ) -> None:
        """Take the tables, the maker of keys, and random numbers."""
        self._tables, self._keys, self._start, self._rng = tables, keys, start, rng

    def copies(self, order: CopyOrder) -> Copies | None:
        """Return copies of rows; None if a key, or a unique text, cannot be made anew."""
        names = self._names(order)
        if names is None or not self._keeps_days(order):
            return None
        made: dict[RowKey, JsonObject] = {}
        for place in order.rows:
            copy = self._copy(place, names)
            new = names.rows[place]
            if copy is None or new is None:
                return None
            made[new] = self._at_home(copy, order) if place == order.root else copy
        return made

    def _names(self, order: CopyOrder) -> Renaming | None:
        names = Renaming({order.person: order.other}, self._told(order))
        for place in order.rows:
            key = self._keys.key(place)
            if key is None:
                return None
            names.rows[place] = RowKey(place.table, key)
            if MINTED.fullmatch(place.key):
                names.texts[place.key] = key
        for place in order.rows:
            for _, named in self._start.references(place):
                if named not in names.rows and self._belongs(named, order.person):
                    names.rows[named] = self._counterpart(named, order.other)
        return names

    def _told(self, order: CopyOrder) -> dict[str, str]:
        """Return the second person's identifying values, keyed by the first person's."""
        other = self._start.row(order.other) or {}
        return {
            value: new
            for column, value in (self._start.row(order.person) or {}).items()
            if any(part in column for part in TOLD)
            and isinstance(value, str)
            and isinstance(new := other.get(column), str)
        }

    def _belongs(self, place: RowKey, person: RowKey) -> bool:
        return any(named == person for _, named in self._start.references(place))

    def _counterpart(self, place: RowKey, other: RowKey) -> RowKey | None:
        """Return a row of a person to name in the place of another person's."""
        found = [one for _, one in self._start.naming(other) if one.table == place.table]
        return self._rng.choice(found) if found else None

    def _copy(self, place: RowKey, names: Renaming) -> JsonObject | None:
        schema, row, new = (
            self._tables.schemas[place.table],
            self._start.row(place) or {},
            names.rows[place],
        )
        copy = _with(names.applied(row), (schema.key,), new.key if new else None)
        for reference in schema.references:
            copy = _with_references(copy, row, reference.path, reference.table, names)
        named = {reference.path[0] for reference in schema.references}
        for column in schema.unique:
            text = row[column]
            if isinstance(text, str) and column not in named and column != schema.key:
                fresh = self._keys.text(place.table, column, text)
                if fresh is None:
                    return None
                copy = _with(copy, (column,), fresh)
        return copy

    def _at_home(self, copy: JsonObject, order: CopyOrder) -> JsonObject:
        """Return a copy in which objects such as an address are replaced by the new owner's."""
        shapes = {frozenset(part) for part in _objects(self._start.row(order.other) or {})}
        model = self._start.row(order.model) or {}
        for column, value in copy.items():
            own = model.get(column)
            if isinstance(value, dict) and frozenset(value) in shapes and isinstance(own, dict):
                copy = {**copy, column: own}
        return copy

    def _keeps_days(self, order: CopyOrder) -> bool:
        """Whether a row that is later than a day of its owner is also later than the other's."""
        days = [day for place in order.rows for _, day in _days(self._start.row(place) or {})]
        first = min(days, default="")
        other = dict(_days(self._start.row(order.other) or {}))
        return not any(
            day <= first < other.get(column, "")
            for column, day in _days(self._start.row(order.person) or {})
        )


def _with(row: JsonObject, path: tuple[str | int, ...], value: str | None) -> JsonObject:
    new = replaced(row, path, value)
    return new if isinstance(new, dict) else row


def _with_references(
    copy: JsonObject, row: JsonObject, path: tuple[str, ...], table: str, names: Renaming
) -> JsonObject:
    """Return a copy of a row in which the name at a path is replaced."""
    for place, value in leaves(row.get(path[0]), (path[0],)):
        if isinstance(value, str) and tuple(p for p in place if isinstance(p, str)) == path:
            old = RowKey(table, value)
            new = names.rows.get(old, old)
            copy = _with(copy, place, new.key if new else None)
    return copy


def _objects(row: JsonObject) -> Iterator[JsonObject]:
    """Yield the objects in the columns of a row, and in their lists."""
    for column in row.values():
        for part in column if isinstance(column, list) else (column,):
            if isinstance(part, dict):
                yield part


def _days(row: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield the columns of a row that hold a day or a time, each with its day."""
    for column, value in row.items():
        if isinstance(value, str) and DAY.match(value):
            yield column, value[:10]
