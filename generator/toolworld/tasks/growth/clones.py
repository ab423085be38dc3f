"""Rows like others: a row is cloned under a new key with the rows that belong to it.

The clone keeps what it refers to, so it is another order of the same customer or another
variant of the same product; what tells it from the first is varied: days, codes and numbers.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from toolworld.tasks.growth.patches import renamed
from toolworld.tasks.growth.start import Place, Row, Start, Worlds

Json = Any

DAY = re.compile(r"\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?")
CODE = re.compile(r"\S*\d\S*")
FARTHEST, SHIFT_TRIES = 21, 6
GAP, SPAN = 100, 900
"""Keys of clones are this far above those there are, so that gold's own new rows fit between."""


@dataclass(frozen=True)
class Clone:
    """New rows, and the rows beside them whose rules might not allow them.

    Attributes:
        witnesses: Rows that are there already and stay as they are.
    """

    rows: Mapping[Place, Row]
    witnesses: Mapping[Place, Row]


class Cloner:
    """Makes clones for one start."""

    def __init__(self, worlds: Worlds, start: Start, rng: random.Random) -> None:
        """Take where rows are looked up, and random numbers."""
        self._worlds = worlds
        self._start = start
        self._rng = rng
        self._today = worlds.base.clock.date()
        self._taken: set[Place] = set()

    def clones(self, root: Place, most: int) -> Iterator[Clone]:
        """Yield clones of a row: with all rows that name it, with those it needs, and alone.

        Args:
            root: The row.
            most: The most rows to add.
        """
        tried: list[set[Place]] = []
        for needed_only in (False, True):
            family = set(self._family(root, needed_only, most + 1))
            if len(family) <= most and family not in tried:
                tried.append(family)
                yield self._clone(root, family)
        if {root} not in tried:
            yield self._clone(root, {root})

    def _family(self, root: Place, needed_only: bool, most: int) -> list[Place]:
        """Return a row and the rows that name it, directly or not, up to a number."""
        found = [root]
        known = {root}
        for place in found:
            wanted = self._worlds.read_by_rules(place.table)
            for _, other in self._start.naming(place):
                if len(found) >= most:
                    return found
                if other not in known and (not needed_only or other.table in wanted):
                    found.append(other)
                    known.add(other)
        return found

    def _clone(self, root: Place, family: set[Place]) -> Clone:
        members = sorted(family, key=lambda place: (place != root, place.table, place.key))
        old = {place: self._row(place) for place in members}
        names = {place.key: self._new_key(place) for place in members}
        shift = self._shift(old.values())
        rows = {}
        for place, row in old.items():
            new = {column: renamed(_shifted(value, shift), names) for column, value in row.items()}
            varied = Variation(self._worlds, place.table, self._rng).apply(new)
            if place == root:
                varied |= self._borrowed(place, row)
            rows[Place(place.table, names[place.key])] = varied
        return Clone(rows, dict(self._witnesses(rows)))

    def _row(self, place: Place) -> Row:
        row = self._start.row(place)
        if row is None:
            raise LookupError(f"{place} is not there.")
        return row

    def _new_key(self, place: Place) -> str:
        prefix = self._worlds.schemas[place.table].prefix
        while True:
            if prefix is None:
                key = other_code(place.key, self._rng)
            else:
                number = self._worlds.base.tables[place.table].next_number + GAP
                key = f"{prefix}-{number + self._rng.randrange(SPAN):05d}"
            new = Place(place.table, key)
            if new not in self._taken and self._start.row(new) is None:
                self._taken.add(new)
                return key

    def _shift(self, rows: Any) -> int:
        """Return by how many days all days can move without passing today."""
        days = [day for row in rows for value in row.values() if (day := day_of(value))]
        for _ in range(SHIFT_TRIES if days else 0):
            shift = self._rng.choice((-1, 1)) * self._rng.randint(1, FARTHEST)
            moved = [day + timedelta(days=shift) for day in days]
            if all(
                self._side(day) == self._side(new) for day, new in zip(days, moved, strict=True)
            ):
                return shift
        return 0

    def _side(self, day: date) -> int:
        today = self._today
        return 1 if day > today else -1 if day < today else 0

    def _borrowed(self, place: Place, row: Row) -> Row:
        """Return columns as another row has them that names the same, if that keeps the rules."""
        parents = list(self._start.named(place.table, row))
        if not parents:
            return {}
        beside = [
            other
            for path, other in self._start.naming(self._rng.choice(parents))
            if other.table == place.table and other.key != place.key and len(path) == 1
        ]
        if not beside:
            return {}
        donor = self._row(self._rng.choice(beside))
        groups = [
            group
            for group in Variation(self._worlds, place.table, self._rng).groups
            if any(donor[column] != row[column] and not day_of(row[column]) for column in group)
        ]
        group = self._rng.choice(groups) if groups else ()
        return {column: donor[column] for column in group}

    def _witnesses(self, rows: Mapping[Place, Row]) -> Iterator[tuple[Place, Row]]:
        """Yield the rows near new ones whose rules look at their tables."""
        tables = {place.table for place in rows}
        edge = list(rows.items())
        for _ in range(2):
            near = {
                named: row
                for place, row_of in edge
                for named in self._start.named(place.table, row_of)
                if named not in rows and (row := self._start.row(named)) is not None
            }
            for place, row in near.items():
                if tables & self._worlds.read_by_rules(place.table):
                    yield place, row
            edge = list(near.items())


class Variation:
    """What of a table's rows may be varied."""

    def __init__(self, worlds: Worlds, table: str, rng: random.Random) -> None:
        """Take the table's columns and rules."""
        self._schema = worlds.schemas[table]
        self._rules = worlds.rules.get(table, ())
        self._rng = rng

    def apply(self, row: Row) -> Row:
        """Return a row with its codes, and unique texts, varied."""
        fixed = {self._schema.key, *(path.path[0] for path in self._schema.references)}
        return {
            column: value if column in fixed else self._varied(column, value)
            for column, value in row.items()
        }

    def _varied(self, column: str, value: Json) -> Json:
        if not isinstance(value, str) or day_of(value):
            return value
        if column in self._schema.unique or (CODE.fullmatch(value) and column not in self._bound):
            return other_code(value, self._rng)
        return value

    @cached_property
    def _bound(self) -> set[str]:
        """The columns that rules look at."""
        return {column for rule in self._rules for column in rule.columns}

    @cached_property
    def groups(self) -> list[tuple[str, ...]]:
        """The columns that can be taken over from another row together, by themselves.

        Columns of one rule stay together; those of rules over other rows stay as they are.
        """
        fixed = {self._schema.key, *self._schema.unique}
        fixed |= {reference.path[0] for reference in self._schema.references}
        groups = [{column} for column in self._schema.row.model_fields]
        for rule in self._rules:
            together = [group for group in groups if group & rule.columns]
            groups = [group for group in groups if group not in together]
            groups.append(set().union(*together))
            if rule.tables:
                fixed |= rule.columns
        return [tuple(sorted(group)) for group in groups if not group & fixed]


def day_of(value: Json) -> date | None:
    """Return the day a text stands for, as a date or a time; None for other values."""
    if isinstance(value, str) and value[4:5] == "-" and DAY.fullmatch(value):
        return date.fromisoformat(value[:10])
    return None


def is_code(name: Json) -> bool:
    """Whether a name is one of many: a number, a code or an e-mail address."""
    return not isinstance(name, str) or bool(re.search(r"[\d@]", name))


def other_code(code: str, rng: random.Random) -> str:
    """Return a code or an address with other digits, or with some if it had none."""
    if re.search(r"\d", code):
        return re.sub(r"\d", lambda found: _other_digit(found[0], rng), code)
    name, at, rest = code.partition("@")
    return f"{name}{'' if at else '-'}{rng.randrange(10, 100)}{at}{rest}"


def _other_digit(digit: str, rng: random.Random) -> str:
    # A leading or lone 0 often has a meaning, such as padding.
    return digit if digit == "0" else str(rng.randrange(1, 10))


def _shifted(value: Json, days: int) -> Json:
    day = day_of(value)
    if day is None:
        return value
    return f"{(day + timedelta(days=days)).isoformat()}{value[10:]}"
