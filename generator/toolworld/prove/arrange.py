"""Rows arranged so that a call meets another state: near what the call is about, and plausible.

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
from toolworld.prove.facts import World, leaves

DAYS = (-365, -30, -7, -2, -1, 0, 1, 2, 7, 30, 365)
NEW_KEY = 90000


class Arranger:
    """Changes rows around a call."""

    def __init__(
        self, world: World, clock: datetime, values: Sequence[object], rng: random.Random
    ) -> None:
        """Take what states are made of.

        Args:
            world: The seed rows.
            clock: The world clock.
            values: Numbers and texts the code speaks of.
            rng: The source of chance.
        """
        self._world, self._clock, self._rng = world, clock, rng
        self._numbers = [value for value in values if isinstance(value, int | float)]
        self._numbers += [float(value) for value in values if _is_number(value)]

    def patch(self, arguments: Mapping[str, Json], initial: Patch) -> Patch:
        """Return a change to one row that the arguments, or what they name, are about."""
        found = self._near(arguments, initial)
        if not found:
            return {}
        table, key, row = self._rng.choice(found)
        change = self._rng.choices(
            (self._one_column, self._donor, self._beside, self._inside, self._clone),
            (25, 20, 35, 10, 10),
        )[0]
        made = change(table, key, copy.deepcopy(row), arguments)
        if made is None:
            return {}
        return {table: {made[self._world.key_of[table]]: made}}

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
        return {**row, column: copy.deepcopy(donor[column])}

    def _donor(self, table: str, key: str, row: Any, arguments: Any) -> Any:
        """Take everything of another row but the key and what else names rows."""
        donor = copy.deepcopy(self._world.row_of(table, self._rng))
        kept = [
            name
            for name, value in row.items()
            if isinstance(value, str)
            and value in self._world.table_of
            and self._rng.random() < 0.8
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
            if self._rng.random() < 0.5:
                del value[index]
            else:
                value.append(copy.deepcopy(value[index]))
            return row
        part = self._rng.choice(value) if isinstance(value, list) else value
        if isinstance(part, dict):
            fitting = [name for name in part if _can_vary(part[name], self._world.table_of)]
            if fitting:
                name = self._rng.choice(fitting)
                part[name] = self._varied(part[name], arguments)
        return row

    def _clone(self, table: str, key: str, row: Any, arguments: Any) -> Any:
        head = key.rpartition("-")[0]
        number = NEW_KEY + self._rng.randrange(1000)
        return {**row, self._world.key_of[table]: f"{head}-{number}" if head else f"{number}"}

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
        moved = (near or self._clock.date()) + timedelta(days=days + rng.choice((0, 0, 1, -1)))
        time = rng.choice((value[10:], self._clock.isoformat()[10:19] + "Z"))
        return moved.isoformat() + (time if len(value) > 10 else "")


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
