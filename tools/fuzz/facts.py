"""What is known of a database while it is fuzzed: values by the name they stand under."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

Json = Any
Row = Mapping[str, Json]

MINTED = re.compile(r"\b([A-Z]{2,5})-\d{5,}\b")
MOST_KEPT = 40
NEIGHBOURS = 6


def leaves(value: Json, name: str = "") -> Iterator[tuple[str, Json]]:
    """Yield each plain value in a JSON value with the nearest name above it."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from leaves(part, key)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part, name)
    elif value is not None:
        yield name, value


class World:
    """The rows a package starts with, and which of them name the same things."""

    def __init__(self, state: Mapping[str, Mapping[str, Row]]) -> None:
        """Look through a state once."""
        self.rows = [list(rows.values()) for rows in state.values() if rows]
        self.keys = {table: list(rows) for table, rows in state.items()}
        known = {key for keys in self.keys.values() for key in keys}
        self._naming: dict[str, list[Row]] = {}
        for rows in self.rows:
            for row in rows:
                for _, value in leaves(row):
                    if isinstance(value, str) and value in known:
                        self._naming.setdefault(value, []).append(row)

    def around(self, rng: random.Random) -> list[Row]:
        """Return a row of any table and some that name what it names."""
        row = rng.choice(rng.choice(self.rows))
        near = [row]
        for _, value in leaves(row):
            if isinstance(value, str) and value in self._naming:
                rows = self._naming[value]
                near += rng.sample(rows, min(NEIGHBOURS, len(rows)))
        return near


class Facts:
    """Values that an agent could have seen, the latest first."""

    def __init__(self) -> None:
        """Start with none."""
        self._by_name: dict[str, list[Json]] = {}
        self._by_prefix: dict[str, list[str]] = {}
        self.texts: list[str] = []

    def learn(self, value: Json) -> None:
        """Take in a row or a result."""
        for name, leaf in leaves(value):
            _keep(self._by_name.setdefault(name, []), leaf)
            if isinstance(leaf, str):
                _keep(self.texts, leaf)
                minted = MINTED.fullmatch(leaf)
                if minted:
                    _keep(self._by_prefix.setdefault(minted[1], []), leaf)

    def about(self, name: str, description: str) -> list[Json]:
        """Return what fits a parameter by its name, or by an example in its description."""
        prefix = MINTED.search(description)
        if prefix and prefix[1] in self._by_prefix:
            return self._by_prefix[prefix[1]]
        if name in self._by_name:
            return self._by_name[name]
        ending = [known for known in self._by_name if name.endswith(f"_{known}")]
        return self._by_name[max(ending, key=len)] if ending else []


def _keep(values: list[Json], value: Json) -> None:
    if value in values:
        values.remove(value)
    values.insert(0, value)
    del values[MOST_KEPT:]
