"""Changes of rows that make other states for a call: near its arguments, and plausible.

A changed row takes columns from a donor row of its table, or a value just beside its own, one
of the call's, or one the code speaks of. Whatever breaks a rule is refused when it is opened.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from toolworld.prove.cases import Json, Patch
from toolworld.prove.facts import SeedRows, leaves

DAYS = (-365, -30, -7, -2, -1, 0, 1, 2, 7, 30, 365)
DAY = 10
NEW_KEY = 90000
MOST_COPIES = 60
HOPS = 3


class Arranger:
    """Changes rows around a call."""

    def __init__(
        self, world: SeedRows, clock: datetime, values: Sequence[object], rng: random.Random
    ) -> None:
        """Take the rows that states are made from.

        Args:
            world: The seed rows.
            clock: The world clock.
            values: Numbers and texts the code speaks of.
            rng: The source of chance.
        """
        self._world, self._clock, self._rng = world, clock, rng
        self._numbers = [value for value in values if isinstance(value, int | float)]
        self._numbers += [float(str(value)) for value in values if _is_number(value)]

    def patch(self, arguments: Mapping[str, Json], initial: Patch) -> Patch:
        """Return a change to one row that the arguments name or lead to."""
        found = self._near(arguments, initial)
        if not found:
            return {}
        table, key, row = self._rng.choice(found)
        change = self._rng.choices(
            (self._one_column, self._donor, self._beside, self._inside),
            (30, 20, 35, 15),
        )[0]
        made = change(table, key, copy.deepcopy(row), arguments)
        if made is None:
            return {}
        return {table: {made[self._world.key_of[table]]: made}}

    def swarm(self, arguments: Mapping[str, Json], initial: Patch) -> Patch:
        """Return several similar rows, under new keys, that name one row nearby."""
        found = self._near(arguments, initial)
        if not found:
            return {}
        table, key, row = self._rng.choice(found)
        naming = self._world.refers.get(table)
        column = ""
        if naming and self._rng.random() < 0.7:
            table, column = self._rng.choice(naming)
            row = dict(self._world.row_of(table, self._rng))
        few = [int(number) for number in self._numbers if 1 <= number <= MOST_COPIES]
        count = max(1, self._rng.choice([1, 1, 2, *few]) + self._rng.choice((-1, 0, 0, 1)))
        spread = self._rng.random() < 0.7
        start = NEW_KEY + self._rng.randrange(900)
        fixed = {**self._joined(table, found), column: key} if column else {}
        return {table: dict(self._copy(table, row, start + n, fixed, spread) for n in range(count))}

    def _joined(self, table: str, found: list[tuple[str, str, dict[str, Json]]]) -> dict[str, str]:
        """Return columns that name further rows nearby, for about half of those there are."""
        columns = {
            column: target
            for target, places in self._world.refers.items()
            for place, column in places
            if place == table
        }
        return {
            column: next(key for near, key, _ in found if near == target)
            for column, target in columns.items()
            if any(near == target for near, _, _ in found) and self._rng.random() < 0.4
        }

    def _copy(
        self, table: str, row: Any, number: int, fixed: dict[str, str], spread: bool
    ) -> tuple[str, Any]:
        """Return a copy of a row; if spread out, it names other rows than the original."""
        own, made = self._world.key_of[table], copy.deepcopy(row)
        head = row[own].rpartition("-")[0]
        key = f"{head}-{number}" if head else f"{number}"
        if spread:
            other = self._world.row_of(table, self._rng)
            columns = [name for target in self._world.refers.values() for name in target]
            made |= {name: other[name] for place, name in columns if place == table}
        return key, {**made, **fixed, own: key}

    def matched(
        self, arguments: Mapping[str, Json], initial: Patch, found: Json, value: Json
    ) -> Patch:
        """Return a change that puts a value in the place of another, in a row nearby."""
        for table, key, row in self._rng.sample(near := self._near(arguments, initial), len(near)):
            made, done = replaced(row, found, value)
            if done and made[self._world.key_of[table]] == key:
                return {table: {key: made}}
        return {}

    def unlike(self, arguments: Mapping[str, Json], initial: Patch, found: Json) -> Patch:
        """Return a change that puts another value of its column in a value's place.

        The row may be further away than others that are changed: three names lead to it.
        """
        rows = self._led_to(arguments, initial)
        for table, key, row in self._rng.sample(rows, len(rows)):
            columns = [name for name in row if row[name] == found != key]
            others = [
                (name, value)
                for name in columns
                for value in sorted(self._world.values_of(table, name) - {found})
            ]
            if others:
                return {table: {key: row | dict([self._rng.choice(others)])}}
        return {}

    def _led_to(
        self, arguments: Mapping[str, Json], initial: Patch
    ) -> list[tuple[str, str, dict[str, Json]]]:
        """Return the rows that the arguments name, those that these name, and so on."""
        found: dict[tuple[str, str], tuple[str, str, dict[str, Json]]] = {}
        texts = {value for _, value in leaves(arguments) if isinstance(value, str)}
        for _ in range(HOPS):
            rows = self._world.named(texts, initial)
            found |= {(table, key): (table, key, row) for table, key, row in rows}
            texts = {
                value for *_, row in rows for _, value in leaves(row) if isinstance(value, str)
            }
        return list(found.values())

    def _near(
        self, arguments: Mapping[str, Json], initial: Patch
    ) -> list[tuple[str, str, dict[str, Json]]]:
        """Return rows named by the arguments, named by those, or naming them."""
        named = {value for _, value in leaves(arguments) if isinstance(value, str)}
        first = self._world.named(named, initial)
        further = {
            value for _, _, row in first for _, value in leaves(row) if isinstance(value, str)
        }
        keys = {key for _, key, _ in first}
        around = self._world.naming(sorted(keys), self._rng)
        return first * 2 + self._world.named(further - named, initial) + around

    def _one_column(self, table: str, key: str, row: Any, arguments: Any) -> Any:
        donor, own = self._world.row_of(table, self._rng), self._world.key_of[table]
        column = self._rng.choice([name for name in row if name != own])
        target = self._world.tables.get(self._world.target_of.get((table, column), ""))
        if target and self._rng.random() < 0.7:
            return {**row, column: self._rng.choice(list(target))}
        return {**row, column: copy.deepcopy(donor[column])}

    def _donor(self, table: str, key: str, row: Any, arguments: Any) -> Any:
        """Return a row with another row's columns, except keys and names of rows."""
        donor = copy.deepcopy(self._world.row_of(table, self._rng))
        kept = [
            name
            for name, value in row.items()
            if isinstance(value, str) and value in self._world.table_of and self._rng.random() < 0.8
        ]
        own = self._world.key_of[table]
        return {**donor, **{name: row[name] for name in kept}, own: key}

    def _beside(self, table: str, key: str, row: Any, arguments: Any) -> Any:
        """Put a value near its own, or near one that matters, into one column."""
        names = [name for name in row if name != self._world.key_of[table]]
        fitting = [name for name in names if _can_vary(row[name], self._world.table_of)]
        if not fitting:
            return None
        for name in self._rng.sample(fitting, min(len(fitting), self._rng.choice((1, 1, 2)))):
            row[name] = self._varied(row[name], arguments)
        return row

    def _inside(self, table: str, key: str, row: Any, arguments: Any) -> Any:
        """Change something inside a list or object: drop, repeat or vary a part."""
        names = [name for name, value in row.items() if value and isinstance(value, dict | list)]
        if not names:
            return None
        value = row[self._rng.choice(names)]
        if isinstance(value, list) and self._rng.random() < 0.5:
            index = self._rng.randrange(len(value))
            few = [int(number) for number in self._numbers if 1 <= number <= MOST_COPIES]
            if self._rng.random() < 0.5:
                del value[index]
            else:
                count = self._rng.choice([1, 1, *few])
                value.extend(copy.deepcopy(value[index]) for _ in range(count))
            return row
        part = self._rng.choice(value) if isinstance(value, list) else value
        if isinstance(part, dict):
            fitting = [name for name in part if _can_vary(part[name], self._world.table_of)]
            if fitting:
                name = self._rng.choice(fitting)
                part[name] = self._varied(part[name], arguments)
        return row

    def _varied(self, value: Json, arguments: Any) -> Json:
        rng = self._rng
        if isinstance(value, bool):
            return not value
        if isinstance(value, int | float):
            given = [leaf for _, leaf in leaves(arguments) if type(leaf) in (int, float)]
            near = rng.choice([value, *self._numbers, *given])
            step = rng.choice((0, 1, -1) if isinstance(value, int) else (0, 0.01, -0.01, 1, -1))
            return type(value)(round(near + step, 2)) if abs(near) < 1e12 else value
        return self._moved(value, arguments)

    def _moved(self, value: str, arguments: Any) -> str:
        rng = self._rng
        given = [leaf for _, leaf in leaves(arguments) if isinstance(leaf, str) and _day(leaf)]
        near = _day(rng.choice([value, *given])) if rng.random() < 0.5 else self._clock.date()
        far = [int(number) for number in self._numbers if abs(number) <= 4000]
        days = rng.choice((*DAYS, *far, *(-number for number in far)))
        moved = _later(near or self._clock.date(), days + rng.choice((0, 0, 1, -1)))
        time = rng.choice((value[10:], self._clock.isoformat()[10:19] + "Z"))
        return moved.isoformat() + (time if len(value) > 10 else "")


def _later(day: date, days: int) -> date:
    """Return a shifted day, or the same day at the end of the calendar."""
    return day + timedelta(days=days) if 20 < day.year < 9980 else day


def _is_number(value: object) -> bool:
    return isinstance(value, str) and value.replace(".", "", 1).isdecimal()


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def _can_vary(value: Json, keys: Mapping[str, str]) -> bool:
    if isinstance(value, str):
        return value not in keys and _day(value) is not None
    return isinstance(value, int | float)


def replaced(value: Json, found: Json, wanted: Json) -> tuple[Json, bool]:
    """Return a JSON value with one plain value in it replaced, and whether it was there.

    A day stands for the date of a moment as well.
    """
    if not isinstance(value, dict | list):
        made = _in_place_of(value, found, wanted)
        return made, made is not value
    for place, part in value.items() if isinstance(value, dict) else enumerate(value):
        made, done = replaced(part, found, wanted)
        if done:
            whole = copy.copy(value)
            whole[place] = made
            return whole, True
    return value, False


def _in_place_of(value: Json, found: Json, wanted: Json) -> Json:
    if isinstance(value, bool) != isinstance(found, bool):
        return value
    if value == found:
        return wanted
    dated = isinstance(value, str) and isinstance(found, str) and len(found) == DAY
    if dated and isinstance(wanted, str) and value.startswith(found) and _day(value):
        return f"{wanted[:DAY]}{value[DAY:]}"
    return value


def beside(value: Json, rng: random.Random) -> Json:
    """Return a value, or one just before or after it."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value + rng.choice((0, 0, 1, -1))
    if isinstance(value, float):
        return round(value + rng.choice((0, 0, 0.01, -0.01)), 2) if abs(value) < 1e12 else value
    day = _day(value) if isinstance(value, str) else None
    if day is None:
        return value
    return _later(day, rng.choice((0, 0, 1, -1))).isoformat() + value[DAY:]
