"""What the search chooses from: rows like those that a tool took, and values beside its limits."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import islice
from typing import Any

from toolworld.graph.knowledge import Knowledge
from toolworld.graph.surface import ToolFacts
from toolworld.graph.values import at
from toolworld.jsonvalues import JsonValue
from toolworld.laws.kinds import Kind, RowKinds

Named = tuple[str, Kind]
"""An entity or a unique column, and the kind of a row that it named."""

Place = tuple[str, str]
"""A tool, and an entity or a unique column."""

MOST_IDS = 8
"""How many ids there are to choose from."""
MOST_DAYS = 1000
"""The largest number that may count days."""


class TakenKinds:
    """The rows that tools accepted before, by the columns that tell rows apart.

    What one column said goes with what another said of another row, so that little needs to be
    seen before most of what a tool takes is known.
    """

    def __init__(self, kinds: RowKinds, database: Any, rng: random.Random) -> None:
        """Start with nothing learnt.

        Args:
            kinds: What tells rows apart.
            database: The rows; now those of the start.
            rng: Chooses among them.
        """
        self._kinds, self._database, self._rng = kinds, database, rng
        self._groups = kinds.groups(database)
        self._taken: dict[Place, list[set[object]]] = {}
        self._fitting: dict[Place, list[list[str]]] = {}
        self._verdicts: dict[Place, dict[Kind, bool]] = {}

    def of_call(self, tool: ToolFacts, arguments: Mapping[str, Any]) -> list[Named]:
        """Return the present kinds of the rows that arguments name."""
        return [
            (named, kind)
            for path, named in tool.names.items()
            for text in at(arguments, path)
            if (kind := self._kinds.named(named, text, self._database)) is not None
        ]

    def learn(self, tool: ToolFacts, kinds: Sequence[Named]) -> None:
        """Take in that a tool took rows of some kinds."""
        for named, kind in kinds:
            place = tool.name, named
            taken = self._taken.setdefault(place, [set() for _ in kind])
            if not _fits(kind, taken):
                self._fitting.pop(place, None)
                self._verdicts[place] = {}
                for said, known in zip(kind, taken, strict=True):
                    known.add(said)

    def takes(self, tool: ToolFacts, named: str, text: str) -> bool:
        """Return whether a tool took rows like the one a text names; true if it took none."""
        verdicts = self._verdicts.get((tool.name, named))
        if verdicts is None:
            return True
        kind = self._kinds.named(named, text, self._database)
        if kind is None:
            return False
        found = verdicts.get(kind)
        if found is None:
            found = verdicts[kind] = _fits(kind, self._taken[tool.name, named])
        return found

    def key(self, tool: ToolFacts, entity: str) -> str | None:
        """Return a row of the start that a tool may take, each kind as likely; None if none."""
        place = tool.name, entity
        if place not in self._fitting:
            taken, groups = self._taken.get(place), self._groups[entity]
            self._fitting[place] = [
                keys for kind, keys in groups.items() if taken is None or _fits(kind, taken)
            ]
        return self._one_of(self._fitting[place]) or self.any_key(entity)

    def any_key(self, entity: str) -> str | None:
        """Return a random row of the start, each kind equally likely; None without rows."""
        return self._one_of([*self._groups[entity].values()])

    def _one_of(self, groups: Sequence[Sequence[str]]) -> str | None:
        return self._rng.choice(self._rng.choice(groups)) if groups else None


class Choices:
    """What there is to choose from for a call of a tool."""

    def __init__(
        self, tool: ToolFacts, known: Knowledge, taken: TakenKinds, beside: Sequence[JsonValue]
    ) -> None:
        """Take what is known.

        Args:
            tool: The tool.
            known: What an agent could know.
            taken: What the tool took before; only rows like those are chosen.
            beside: Values that are chosen before those that are known; none for most calls.
        """
        self._tool, self._known, self._taken, self._beside = tool, known, taken, beside
        self._ids: dict[str, list[str]] = {}

    def ids(self, named: str) -> list[str]:
        """Return ids of an entity, or texts of a unique column, the latest first."""
        if named not in self._ids:
            taken, tool = self._taken, self._tool
            fitting = (text for text in self._known.ids(named) if taken.takes(tool, named, text))
            self._ids[named] = list(islice(fitting, MOST_IDS))
        return self._ids[named]

    def about(self, name: str) -> list[JsonValue]:
        """Return values for a parameter of this name."""
        return [*self._beside, *self._known.about(name)]


def values_beside(numbers: Sequence[object], today: date) -> list[JsonValue]:
    """Return values just below, at and just above numbers, also as days around today.

    Args:
        numbers: What a tool compares with, such as the cap of a sum.
        today: The day that days are counted from.
    """
    return list(dict.fromkeys(_beside(numbers, today)))


def _beside(numbers: Sequence[object], today: date) -> Iterator[JsonValue]:
    for number in numbers:
        if isinstance(number, int) and not isinstance(number, bool):
            yield from (number - 1, number, number + 1)
            for days in (number - 1, number, number + 1) if number <= MOST_DAYS else ():
                yield (today - timedelta(days=days)).isoformat()
                yield (today + timedelta(days=days)).isoformat()
        if isinstance(number, int | float):
            yield from (round(number - 0.01, 2), round(number + 0.01, 2))


def _fits(kind: Kind, taken: Sequence[set[object]]) -> bool:
    return all(said in known for said, known in zip(kind, taken, strict=True))
