"""The ids by entity, and other values by name, that calls have shown; the latest first."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any, Protocol

from toolworld.graph.surface import EntityFacts, Surface
from toolworld.graph.values import at
from toolworld.prove.facts import leaves

Json = Any
Row = Mapping[str, Json]
State = Mapping[str, Mapping[str, Row]]

MOST_KEPT = 30
HOPS = 2
NEIGHBOURS = 5
MOST_NEAR = 40
MOST_LESSONS = 10_000
"""How many rows are remembered by what they teach."""


class LinkedRows:
    """The rows of a package's start state, indexed by the rows they name.

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
        self._lessons: dict[int, tuple[Lesson, Row]] = {}
        for name, rows in self.rows.items():
            for key, row in rows.items():
                named = self._named[name, key] = names_in(surface.entities[name], row)
                for other in named:
                    self._naming.setdefault(other, []).append((name, key))
            for column in surface.entities[name].unique:
                found = (row[column] for row in rows.values())
                self.keys[f"{name}.{column}"] = [text for text in found if text is not None]

    def __getstate__(self) -> dict[str, Any]:
        """Drop caches keyed by object identity: another process has other identities."""
        return {**self.__dict__, "_lessons": {}}

    def around(self, rng: random.Random, entity: str | None = None) -> list[tuple[str, Row]]:
        """Return a row of an entity, or of any, and rows up to two steps away, nearest first."""
        name = entity if entity in self.filled else rng.choice(self.filled)
        return self.around_row(rng, name, rng.choice(self.keys[name]))

    def around_row(
        self, rng: random.Random, entity: str, key: str, most: int = MOST_NEAR
    ) -> list[tuple[str, Row]]:
        """Return a row and rows up to two steps away, nearest first, at most so many."""
        near: dict[tuple[str, str], Row] = {}
        edge = self._take(near, [(entity, key)], most)
        for _ in range(HOPS):
            edge = self._take(near, self._neighbours(edge, rng), most)
        return [(place[0], row) for place, row in near.items()]

    def _take(
        self, near: dict[tuple[str, str], Row], places: Iterable[tuple[str, str]], most: int
    ) -> list[tuple[str, str]]:
        """Add rows until there are so many; return those that are new."""
        taken = []
        for place in places:
            if len(near) == most:
                break
            if place not in near and (row := self.rows[place[0]].get(place[1])) is not None:
                near[place] = row
                taken.append(place)
        return taken

    def _neighbours(
        self, places: list[tuple[str, str]], rng: random.Random
    ) -> Iterator[tuple[str, str]]:
        """Yield the rows that each row names, and some that name it, as long as any are taken."""
        for place in places:
            yield from self._named[place]
            naming = self._naming.get(place)
            if naming is not None:
                yield from rng.sample(naming, min(NEIGHBOURS, len(naming)))

    def lesson(self, name: str, row: Row) -> Lesson:
        """Return the cached knowledge in a row; callers must not change it."""
        known = self._lessons.get(id(row))
        return known[0] if known is not None else self._learnt(name, row)

    def lessons(self, rows: Iterable[tuple[str, Row]]) -> list[Lesson]:
        """Return the knowledge in rows, as ``lesson`` does for one."""
        known = self._lessons  # at once: nothing is asked for more often
        return [
            found[0] if (found := known.get(id(row))) is not None else self._learnt(name, row)
            for name, row in rows
        ]

    def _learnt(self, name: str, row: Row) -> Lesson:
        if len(self._lessons) >= MOST_LESSONS:
            self._lessons.clear()
        lesson = lesson_of(self.surface.entities[name], row)
        # With the row, so that no other can come to have its identity.
        self._lessons[id(row)] = lesson, row
        return lesson


def names_in(entity: EntityFacts, row: Row) -> list[tuple[str, str]]:
    """Return the entity and id of each row that a row names."""
    return [(other, value) for path, other in entity.ids.items() for value in at(row, path)]


@dataclass(frozen=True)
class Lesson:
    """What a row or a result teaches.

    Attributes:
        named: What a row names: each entity and id.
        ids: Ids by what they name, an entity or a unique column, the latest last.
        values: All values by the name they stand under, the latest last.
    """

    ids: Mapping[str, Sequence[str]]
    values: Mapping[str, Sequence[Json]]
    named: Sequence[tuple[str, str]] = ()


class Known(Protocol):
    """What arguments are made from."""

    def ids(self, named: str) -> list[str]:
        """Return ids of an entity, or texts of a unique column, the first the likeliest."""
        ...

    def about(self, name: str) -> list[Json]:
        """Return values for a parameter of a name, the first the likeliest."""
        ...


class Knowledge:
    """Values that could be given as arguments, the latest learnt first.

    They are looked for when they are asked about: of what is learnt, little ever is.
    """

    def __init__(self, world: LinkedRows) -> None:
        """Start with none; unique texts are ids too, as ``Variant.sku``."""
        self._world = world
        self._lessons: list[Lesson] = []
        self._ids: dict[str, list[str]] = {}
        self._about: dict[str, list[Json]] = {}
        self._known: list[str] | None = None

    def copy(self) -> Knowledge:
        """Return one that learns on its own."""
        other = Knowledge(self._world)
        # What was looked for is shared, too, until one of the two learns.
        other._lessons, other._known = self._lessons, self._known
        other._ids, other._about = self._ids, self._about
        return other

    def learn_rows(self, rows: Iterable[tuple[str, Row]]) -> None:
        """Take in rows, the last of them latest."""
        self.learn(self._world.lessons(rows))

    def learn_result(self, result: Json, names: Mapping[str, str]) -> None:
        """Take in a tool's result; ``names`` has the entity named at each path."""
        self.learn([lesson_of_result(result, names)])

    def learn(self, lessons: Iterable[Lesson]) -> None:
        """Take in knowledge from rows or results; the last item counts as the latest."""
        self._lessons = [*self._lessons, *lessons]
        self._ids, self._about, self._known = {}, {}, None

    def ids(self, named: str) -> list[str]:
        """Return ids of an entity, or texts of a unique column, the latest first."""
        if named not in self._ids:
            self._ids[named] = _latest([lesson.ids.get(named, ()) for lesson in self._lessons])
        return self._ids[named]

    def about(self, name: str) -> list[Json]:
        """Return values that stood under a name or one it ends, else under its own ending."""
        if name not in self._about:
            self._about[name] = self._find(name)
        return self._about[name]

    def _find(self, name: str) -> list[Json]:
        known = self._names()
        longer = f"_{name}"
        groups = [self._under(one) for one in known if one == name or one.endswith(longer)]
        if groups:
            turns = zip_longest(*groups)
            return [value for turn in turns for value in turn if value is not None]
        fitting = [one for one in known if name.endswith(f"_{one}")]
        return self._under(max(fitting, key=len)) if fitting else []

    def _names(self) -> list[str]:
        """Return the names that values stood under, in the order they were learnt."""
        if self._known is None:
            names = chain.from_iterable(lesson.values for lesson in self._lessons)
            self._known = list(dict.fromkeys(names))
        return self._known

    def _under(self, name: str) -> list[Json]:
        return _latest([lesson.values.get(name, ()) for lesson in self._lessons])


def lesson_of(entity: EntityFacts, row: Row) -> Lesson:
    """Return the knowledge in a row: the ids it names, its own id, and its values."""
    unique = [
        (f"{entity.name}.{column}", row[column])
        for column in entity.unique
        if row[column] is not None
    ]
    named = names_in(entity, row)
    ids = [*named, (entity.name, row[entity.key]), *unique]
    return Lesson(_grouped(ids), _grouped(leaves(row)), named)


def lesson_of_result(result: Json, names: Mapping[str, str]) -> Lesson:
    """Return the ids and values in a tool's result; ``names`` has the entity named at each path."""
    ids = [
        (named, value) for path, named in names.items() for value in at(result, path)[:MOST_KEPT]
    ]
    shown = {**result, "items": result["items"][:5]} if "items" in result else result
    return Lesson(_grouped(ids), _grouped(leaves(shown)))


def _grouped(pairs: Iterable[tuple[str, Json]]) -> dict[str, list[Json]]:
    groups: dict[str, list[Json]] = {}
    for name, value in pairs:
        groups.setdefault(name, []).append(value)
    return groups


def _latest(groups: Iterable[Sequence[Json]]) -> list[Json]:
    """Return the different values of some groups, the last one first, at most so many."""
    values = [*chain.from_iterable(groups)]
    return list(dict.fromkeys(reversed(values)))[:MOST_KEPT]
