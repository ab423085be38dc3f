"""Rows off the gold path, near-misses first: a second order that must not be touched.

What is kept is tried: the patch must fit the database with all its rules, and gold must still
take the same arguments and make the same changes. The cost depends on the task, never on the
size of the database.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from toolworld.emit import Package
from toolworld.graph.surface import surface_of
from toolworld.graph.values import at
from toolworld.tasks.episodes import Episodes, Patch
from toolworld.tasks.growth.clones import Clone, Cloner, is_code
from toolworld.tasks.growth.patches import merged
from toolworld.tasks.growth.settings import GrowthSettings, Level
from toolworld.tasks.growth.start import Place, Row, Start, Worlds
from toolworld.tasks.growth.trial import Played, Spoilt, Step, Trial, emptied
from toolworld.tasks.growth.variation import Variation

Json = Any

SPARE = 2
"""By how many rows a distractor may be too big, so that an order can have its payment."""


@dataclass(frozen=True)
class Distracted:
    """A task's start with distractors in it.

    Attributes:
        initial: The patch, with the rows it had and the new ones.
        gold: The steps, with paths corrected where rows have moved in results.
        rows: How many rows were added.
        named: How many rows gold names or changes.
    """

    initial: Patch
    gold: tuple[Step, ...]
    rows: int
    named: int

    @property
    def density(self) -> float:
        """Distractor rows for each row that gold names or changes."""
        return self.rows / max(1, self.named)


class Distractors:
    """Adds distractors to tasks of a package."""

    def __init__(
        self,
        package: Package,
        settings: GrowthSettings | None = None,
        episodes: Episodes | None = None,
    ) -> None:
        """Take the package, the settings, and where gold is tried."""
        self._settings = settings or GrowthSettings()
        self._surface = surface_of(package)
        self._worlds = Worlds(package)
        self._variations = {table: Variation(self._worlds, table) for table in self._worlds.schemas}
        self._trial = Trial(episodes or Episodes(package))

    def add(
        self,
        task: Mapping[str, Json],
        level: Level,
        rng: random.Random,
        closed: Collection[int] = (),
    ) -> Distracted:
        """Return a bigger start for a task.

        Args:
            task: Its ``gold`` and ``initial``; nothing else is looked at.
            level: How many rows to add, as the settings say.
            rng: Where random numbers come from.
            closed: Steps whose results must not change at all, beside the listings of which
                gold uses several items: there "every" means the rows that are there now.

        Raises:
            ValueError: Gold does not run from the task's start.
        """
        gold, initial = tuple(task["gold"]), task.get("initial", {})
        before = self._trial.play(gold, initial)
        if before is None:
            raise ValueError(
                "Gold does not run from the task's start; distractors need a task that works."
            )
        start = self._worlds.start(initial)
        places = self._named(before, start)
        named = len(places)
        closed = {*closed, *emptied(gold)}
        wanted = math.ceil(self._settings.densities[level] * named)
        wanted = min(wanted, self._settings.most_distractors)
        cloner = Cloner(self._worlds, self._variations, start, rng)
        found = list(self._fitting(cloner, start, places, wanted))
        return self._kept(found, before, initial, closed, named)

    def _named(self, played: Played, start: Start) -> list[Place]:
        """Return the rows gold changes, then the others it names."""
        changed = [Place(change.table, change.key) for change in played.changes]
        named = [place for call in reversed(played.calls) for place in self._places(call)]
        places = dict.fromkeys(place for place in (*changed, *named) if start.row(place))
        return list(places)

    def _places(self, call: Any) -> Iterator[Place]:
        tool = self._surface.tools[call.tool]
        for parameter in tool.parameters.values():
            for path, entity in parameter.ids.items():
                yield from self._rows(call.arguments, path, entity)
        for path, entity in tool.result_ids.items():
            if "*" not in path:
                yield from self._rows(call.result, path, entity)

    def _rows(self, value: Json, path: str, entity: str) -> Iterator[Place]:
        table = self._surface.entities[entity].table
        yield from (Place(table, key) for key in at(value, path) if isinstance(key, str))

    def _fitting(
        self,
        cloner: Cloner,
        start: Start,
        places: Sequence[Place],
        wanted: int,
    ) -> Iterator[Clone]:
        """Yield clones that fit the database by themselves, in turns of the rows they are like."""
        tries = self._settings.distractor_tries
        roots = (place for place in self._roots(places, start) if self._has_likes(place, start))
        rows = 0
        for root in islice(_turns(roots, tries), wanted * tries):
            if rows >= wanted:
                return
            most = min(self._settings.most_clones, wanted - rows + SPARE)
            clone = self._first_fitting(cloner.clones(root, most), places, start)
            if clone is not None:
                rows += len(clone)
                yield clone

    def _roots(self, places: Sequence[Place], start: Start) -> Iterator[Place]:
        """Yield the rows gold names, and after them one of each table that names one of these."""
        yield from places
        known = set(places)
        for place in places:
            for _, other in start.naming(place, 1):
                if other not in known:
                    known.add(other)
                    yield other

    def _has_likes(self, place: Place, start: Start) -> bool:
        """Whether there could be rows like one, told from it by more than a minted key.

        What has a name of its own, such as a hotel or a brand, is the only one of its kind.
        """
        schema, row = self._worlds.schemas[place.table], start.row(place) or {}
        named_by = [*schema.unique, *(() if schema.prefix else (schema.key,))]
        codes = [row[column] for column in named_by if row[column] is not None]
        return bool(schema.references or codes) and all(is_code(code) for code in codes)

    def _first_fitting(
        self, clones: Iterator[Clone], places: Sequence[Place], start: Start
    ) -> Clone | None:
        for clone in clones:
            if self._differs(clone, places, start):
                if start.fits(clone):
                    return clone
        return None

    def _differs(self, clone: Clone, places: Sequence[Place], start: Start) -> bool:
        """Whether people could tell a clone from all rows gold names."""
        (place, row), *_ = clone.items()
        hidden = {self._worlds.schemas[place.table].key}
        others = [start.row(other) for other in places if other.table == place.table]
        return all(
            other is None or _visible(other, hidden) != _visible(row, hidden) for other in others
        )

    def _kept(
        self,
        found: Sequence[Clone],
        before: Played,
        initial: Patch,
        closed: Collection[int],
        named: int,
    ) -> Distracted:
        """Keep all clones if gold does the same with them, else those with which it does."""
        kept, rows, played = initial, 0, before
        untried = [list(found)] if found else []
        while untried:
            clones = untried.pop(0)
            more = merged(kept, clones)
            again = self._trial.replay(played, more, closed)
            if isinstance(again, Spoilt):
                untried[:0] = _parts(clones, again)
            else:
                kept, played = more, again
                rows += sum(len(clone) for clone in clones)
        return Distracted(kept, played.gold, rows, named)


def _parts(clones: list[Clone], spoilt: Spoilt) -> list[list[Clone]]:
    """Return the parts of some clones that may do, though all together spoil gold.

    Clones that the spoilt step shows are in the way. If it shows none, each half may do: few are.
    """
    hidden = [clone for clone in clones if not _is_shown(clone, spoilt)]
    half = len(clones) // 2
    if len(hidden) < len(clones):
        return [hidden] if hidden else []
    return [clones[:half], clones[half:]] if half else []


def _is_shown(clone: Clone, spoilt: Spoilt) -> bool:
    return any(f'"{place.key}"' in spoilt.said for place in clone)


def _turns(places: Iterable[Place], times: int) -> Iterator[Place]:
    """Yield places, and then all of them again, a number of times together; no more than asked."""
    known: list[Place] = []
    for place in places:
        known.append(place)
        yield place
    for _ in range(times - 1):
        yield from known


def _visible(row: Row, hidden: Collection[str]) -> Row:
    return {column: value for column, value in row.items() if column not in hidden}
