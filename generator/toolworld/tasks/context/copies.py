"""Real rows copied under fresh keys, as rows of another person.

Nothing in a copy is made up: what the first person's rows are to the copied ones, rows of the
second person are to the copies; the rest stays as it is.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from toolworld.jsonvalues import JsonPath, JsonValue, leaves, replaced
from toolworld.tasks.context.keys import FreshKeys
from toolworld.tasks.context.start import Row, RowKey, StartRows, Tables

Copies = Mapping[RowKey, Row]
"""New rows, by where they are put."""

TOLD = ("name", "email", "phone")
"""Parts of the names of columns that say who somebody is."""
MINTED = re.compile(r"\b[A-Z]{2,5}-\d{5,}\b")
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class CopyOrder:
    """What is to be copied, and for whom.

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
    """What copies name instead of what the rows named.

    Attributes:
        places: New places by old ones; None where nothing can be named.
        texts: New texts by old ones, for keys and names inside other texts.
    """

    places: dict[RowKey, RowKey | None] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)


class Copier:
    """Copies rows of one start."""

    def __init__(
        self, tables: Tables, keys: FreshKeys, start: StartRows, rng: random.Random
    ) -> None:
        """Take where rows stand, what makes their keys, and random numbers."""
        self._tables, self._keys, self._start, self._rng = tables, keys, start, rng

    def copies(self, order: CopyOrder) -> Copies | None:
        """Return copies of rows; None if a key, or a unique text, cannot be made anew."""
        names = self._names(order)
        if names is None or not self._keeps_days(order):
            return None
        made: dict[RowKey, Row] = {}
        for place in order.rows:
            new, row = names.places[place], self._start.row(place)
            if new is None or row is None:
                return None
            copy = self._copy(place, row, names)
            if copy is None:
                return None
            made[new] = self._at_home(copy, order) if place == order.root else copy
        return made

    def _names(self, order: CopyOrder) -> Renaming | None:
        names = Renaming({order.person: order.other}, self._told(order))
        for place in order.rows:
            key = self._keys.key(place)
            if key is None:
                return None
            names.places[place] = RowKey(place.table, key)
            if MINTED.fullmatch(place.key):
                names.texts[place.key] = key
        for place in order.rows:
            for _, named in self._start.references(place):
                if named not in names.places and self._belongs(named, order.person):
                    names.places[named] = self._counterpart(named, order.other)
        return names

    def _told(self, order: CopyOrder) -> dict[str, str]:
        """Return what tells the one person from the other, by what tells the first."""
        one = self._start.row(order.person) or {}
        other = self._start.row(order.other) or {}
        return {
            value: new
            for column, value in one.items()
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

    def _copy(self, place: RowKey, row: Row, names: Renaming) -> Row | None:
        schema = self._tables.schemas[place.table]
        new = names.places[place]
        copy: Row = {**_renamed(row, names.texts), schema.key: new.key if new else ""}
        for reference in schema.references:
            copy = _with_references(copy, row, reference.path, reference.table, names)
        named = {reference.path[0] for reference in schema.references}
        for column in schema.unique:
            text = row[column]
            if isinstance(text, str) and column not in named and column != schema.key:
                fresh = self._keys.text(place.table, column, text)
                if fresh is None:
                    return None
                copy = {**copy, column: fresh}
        return copy

    def _at_home(self, copy: Row, order: CopyOrder) -> Row:
        """Return a copy with objects like those of its new owner, such as an address, as theirs."""
        person = self._start.row(order.other) or {}
        model = self._start.row(order.model) or {}
        shapes = {frozenset(part) for part in _objects(person)}
        own = {
            column: model[column]
            for column, value in copy.items()
            if isinstance(value, Mapping)
            and frozenset(value) in shapes
            and isinstance(model.get(column), Mapping)
        }
        return {**copy, **own}

    def _keeps_days(self, order: CopyOrder) -> bool:
        """Whether rows that are later than a day of their owner's are so for the other one too."""
        days = [day for place in order.rows for _, day in _days(self._start.row(place) or {})]
        first = min(days, default="")
        other = dict(_days(self._start.row(order.other) or {}))
        return not any(
            day <= first < other.get(column, "")
            for column, day in _days(self._start.row(order.person) or {})
        )


def _with_references(
    copy: Row, row: Row, path: tuple[str, ...], table: str, names: Renaming
) -> Row:
    """Return a copy that names, at a path, what it is to name instead of what the row named."""
    for place, value in leaves(row.get(path[0])):
        if not isinstance(value, str) or _without_positions(place) != path[1:]:
            continue
        old = RowKey(table, value)
        new = names.places.get(old, old)
        copied = replaced(copy, (path[0], *place), new.key if new else None)
        copy = copied if isinstance(copied, Mapping) else copy
    return copy


def _without_positions(path: JsonPath) -> tuple[str, ...]:
    return tuple(part for part in path if isinstance(part, str))


def _renamed(row: Row, texts: Mapping[str, str]) -> dict[str, JsonValue]:
    """Return a row with old texts replaced wherever they stand as whole words."""
    if not texts:
        return dict(row)
    longest = sorted(filter(None, texts), key=len, reverse=True)
    words = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")

    def inside(value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return words.sub(lambda found: texts[found[0]], value)
        if isinstance(value, Mapping):
            return {name: inside(part) for name, part in value.items()}
        if isinstance(value, list | tuple):
            return [inside(part) for part in value]
        return value

    return {column: inside(value) for column, value in row.items()}


def _objects(value: JsonValue) -> Iterator[Mapping[str, JsonValue]]:
    """Yield the objects in the columns of a row, and in their lists."""
    for column in value.values() if isinstance(value, Mapping) else ():
        for part in column if isinstance(column, list | tuple) else (column,):
            if isinstance(part, Mapping):
                yield part


def _days(row: Row) -> Iterator[tuple[str, str]]:
    """Yield the columns of a row that hold a day or a time, each with its day."""
    for column, value in row.items():
        if isinstance(value, str) and DAY.match(value):
            yield column, value[:10]
