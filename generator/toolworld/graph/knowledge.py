"""What is known around some rows: ids by entity and other values by name, the latest first."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any

from toolworld.graph.surface import EntityFacts, Surface
from toolworld.graph.values import at
from toolworld.prove.facts import leaves

Json = Any
Row = Mapping[str, Json]
State = Mapping[str, Mapping[str, Row]]

MOST_KEPT = 30
NEIGHBOURS = 5
MOST_NEAR = 40


class World:
    """The rows a package starts with, and which of them name the same things.

    Attributes:
        rows: Rows by entity and key.
        keys: All keys of each entity, and all texts of each unique column, as ``Variant.sku``.
        filled: The entities that have rows.
    """

    def __init__(self, surface: Surface, state: State) -> None:
        """Look through a state once."""
        self.surface = surface
        self.rows = {name: state[entity.table] for name, entity in surface.entities.items()}
        self.filled = [name for name, rows in self.rows.items() if rows]
        self.keys = {name: list(rows) for name, rows in self.rows.items()}
        self._named: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self._naming: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for name, rows in self.rows.items():
            for key, row in rows.items():
                named = self._named[name, key] = names_in(surface.entities[name], row)
                for other in named:
                    self._naming.setdefault(other, []).append((name, key))
            for column in surface.entities[name].unique:
                found = (row[column] for row in rows.values())
                self.keys[f"{name}.{column}"] = [text for text in found if text is not None]

    def around(self, rng: random.Random, entity: str | None = None) -> list[tuple[str, Row]]:
        """Return a row of an entity, or of any, and rows up to two steps away, nearest first."""
        name = entity if entity in self.filled else rng.choice(self.filled)
        return self.around_row(rng, name, rng.choice(self.keys[name]))

    def around_row(
        self, rng: random.Random, entity: str, key: str, most: int = MOST_NEAR
    ) -> list[tuple[str, Row]]:
        """Return a row and rows up to two steps away, nearest first, at most so many."""
        near: dict[tuple[str, str], Row] = {}
        edge = [(entity, key)]
        for _ in range(3):
            edge = [place for place in edge if len(near) < most and self._take(near, place)]
            edge = [other for place in edge for other in self.neighbours(place, rng)]
        return [(place[0], row) for place, row in near.items()]

    def _take(self, near: dict[tuple[str, str], Row], place: tuple[str, str]) -> bool:
        row = self.rows[place[0]].get(place[1])
        if row is None or place in near:
            return False
        near[place] = row
        return True

    def neighbours(self, place: tuple[str, str], rng: random.Random) -> list[tuple[str, str]]:
        """Return the rows that a row names, and some that name it."""
        named = self._named[place]
        naming = self._naming.get(place, [])
        return [*named, *rng.sample(naming, min(NEIGHBOURS, len(naming)))]


def names_in(entity: EntityFacts, row: Row) -> list[tuple[str, str]]:
    """Return what a row names: each entity and id."""
    return [(other, value) for path, other in entity.ids.items() for value in at(row, path)]


class Knowledge:
    """Values that could be given as arguments, the latest learnt first.

    Values are looked for when they are asked about: of what is learnt, little ever is.
    """

    def __init__(self, surface: Surface) -> None:
        """Start with none; unique texts are ids too, as ``Variant.sku``."""
        self._surface = surface
        self.ids: dict[str, list[str]] = {}
        self._learnt: list[Json] = []
        self._leaves: dict[str, list[Json]] | None = None
        self._about: dict[str, list[Json]] = {}

    def copy(self) -> Knowledge:
        """Return one that learns on its own."""
        other = Knowledge(self._surface)
        other.ids = {name: list(known) for name, known in self.ids.items()}
        other._learnt = list(self._learnt)
        return other

    def learn_rows(self, rows: Iterable[tuple[str, Row]]) -> None:
        """Take in rows, the last of them latest."""
        for name, row in rows:
            entity = self._surface.entities[name]
            for other, key in names_in(entity, row):
                _keep(self.ids.setdefault(other, []), key)
            _keep(self.ids.setdefault(name, []), row[entity.key])
            for column in entity.unique:
                if row[column] is not None:
                    _keep(self.ids.setdefault(f"{name}.{column}", []), row[column])
            self._learn_values(row)

    def learn_result(self, result: Json, names: Mapping[str, str]) -> None:
        """Take in a tool's result; ``names`` says what its values name, by path."""
        for path, named in names.items():
            for value in at(result, path)[:MOST_KEPT]:
                _keep(self.ids.setdefault(named, []), value)
        self._learn_values(
            {**result, "items": result["items"][:5]} if "items" in result else result
        )

    def _learn_values(self, value: Json) -> None:
        self._learnt.append(value)
        self._leaves = None
        self._about.clear()

    def about(self, name: str) -> list[Json]:
        """Return values that stood under a name or one it ends, else under its own ending."""
        if name not in self._about:
            self._about[name] = self._find(name)
        return self._about[name]

    def _find(self, name: str) -> list[Json]:
        known = self._all_leaves()
        groups = [_kept(known[one]) for one in known if f"_{one}".endswith(f"_{name}")]
        if groups:
            turns = zip_longest(*groups)
            return [value for turn in turns for value in turn if value is not None]
        fitting = [one for one in known if name.endswith(f"_{one}")]
        return _kept(known[max(fitting, key=len)]) if fitting else []

    def _all_leaves(self) -> dict[str, list[Json]]:
        """Return all values by the name they stood under, the latest last."""
        if self._leaves is None:
            self._leaves = {}
            for value in self._learnt:
                for name, leaf in leaves(value):
                    self._leaves.setdefault(name, []).append(leaf)
        return self._leaves


def _kept(values: Iterable[Json]) -> list[Json]:
    kept: list[Json] = []
    for value in values:
        _keep(kept, value)
    return kept


def _keep(values: list[Json], value: Json) -> None:
    if value in values:
        values.remove(value)
    values.insert(0, value)
    del values[MOST_KEPT:]
