"""Texts and whole objects as they stand in the rows of a package."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from toolworld.chained.outline import Row
from toolworld.prove.facts import leaves

Json: TypeAlias = Any

MOST_ROWS = 200
"""Rows of a table that are looked at: enough for variety, and no more in a large database."""


class Samples:
    """What stands in rows: texts by the name they stand under, objects by their fields."""

    def __init__(self, tables: Iterable[Mapping[str, Row]]) -> None:
        """Look through the first rows of each table."""
        self._texts: dict[str, list[str]] = {}
        self._objects: dict[frozenset[str], list[Row]] = {}
        for table in tables:
            for row in [*table.values()][:MOST_ROWS]:
                self._learn(row)

    def _learn(self, row: Row) -> None:
        for name, leaf in leaves(row):
            if isinstance(leaf, str):
                self._texts.setdefault(name, []).append(leaf)
        for value in row.values():
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, Mapping):
                    self._objects.setdefault(frozenset(part), []).append(part)

    def text(self, name: str, rng: random.Random) -> str | None:
        """Return a text that stands under a name or its ending somewhere, if any does."""
        fitting = [known for known in self._texts if name == known or name.endswith(f"_{known}")]
        return rng.choice(self._texts[max(fitting, key=len)]) if fitting else None

    def object(self, fields: Iterable[str], rng: random.Random) -> Row | None:
        """Return an object with these fields, if any row has one."""
        known = self._objects.get(frozenset(fields))
        return rng.choice(known) if known else None
