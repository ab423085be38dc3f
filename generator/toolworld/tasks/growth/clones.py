"""Rows like others: a row is cloned under a new key with the rows that belong to it.

The clone keeps what it refers to, so it is another order of the same customer or another
variant of the same product; what tells it from the first is varied: days, codes and numbers.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from itertools import count
from typing import Any

from toolworld.tasks.growth.patches import renamed
from toolworld.tasks.growth.start import Place, Row, Start, Worlds
from toolworld.tasks.growth.variation import Variation, day_of, other_code

Json = Any

FARTHEST, SHIFT_TRIES = 21, 6
KEY_TRIES = 50
"""How often a key like others is made up; there may be no other, as for ``R0``."""
GAP, SPAN = 100, 900
"""Keys of clones are this far above those there are, so that gold's own new rows fit between."""


Clone = Mapping[Place, Row]
"""New rows, that of the one which is like another first."""


class Cloner:
    """Makes clones for one start."""

    def __init__(
        self,
        worlds: Worlds,
        variations: Mapping[str, Variation],
        start: Start,
        rng: random.Random,
    ) -> None:
        """Take what may be varied in each table, where rows are looked up, and random numbers."""
        self._worlds = worlds
        self._variations = variations
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
            wanted = self._worlds.read_by_rules[place.table]
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
            varied = self._variations[place.table].apply(new, self._rng)
            if place == root:
                varied |= self._borrowed(place, row)
            rows[Place(place.table, names[place.key])] = varied
        return rows

    def _row(self, place: Place) -> Row:
        row = self._start.row(place)
        if row is None:
            raise LookupError(f"{place} is not there.")
        return row

    def _new_key(self, place: Place) -> str:
        """Return a key that no row has, like those there are, or longer if they are used up."""
        keys = (
            self._like(place) if number < KEY_TRIES else f"{place.key}-{number}"
            for number in count()
        )
        new = next(new for key in keys if self._is_free(new := Place(place.table, key)))
        self._taken.add(new)
        return new.key

    def _is_free(self, place: Place) -> bool:
        return place not in self._taken and self._start.row(place) is None

    def _like(self, place: Place) -> str:
        prefix = self._worlds.schemas[place.table].prefix
        if prefix is None:
            return other_code(place.key, self._rng)
        number = self._worlds.base.tables[place.table].next_number + GAP
        return f"{prefix}-{number + self._rng.randrange(SPAN):05d}"

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
            for group in self._variations[place.table].groups
            if any(donor[column] != row[column] and not day_of(row[column]) for column in group)
        ]
        group = self._rng.choice(groups) if groups else ()
        return {column: donor[column] for column in group}


def is_code(name: Json) -> bool:
    """Whether a name is one of many: a number, a code or an e-mail address."""
    return not isinstance(name, str) or bool(re.search(r"[\d@]", name))


def _shifted(value: Json, days: int) -> Json:
    day = day_of(value) if days else None
    if day is None:
        return value
    return f"{(day + timedelta(days=days)).isoformat()}{value[10:]}"
