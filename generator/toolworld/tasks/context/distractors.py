"""Near misses: rows of the same person, much like the ones they mean.

A near miss is a real row of the same table, with the rows that belong to it, copied as that
person's. What is kept is tried: the rows keep all rules of the database, none of them fits what
the person said, and gold does the same among them. The cost depends on the task, never on the
size of the database.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from toolworld.graph.values import at
from toolworld.jsonvalues import JsonObject, JsonValue
from toolworld.packages import Package
from toolworld.packages.task import TaskModel
from toolworld.tasks.context.belonging import Belonging
from toolworld.tasks.context.copies import DAY, Copier, Copies, CopyOrder
from toolworld.tasks.context.keys import Codes, FreshKeys
from toolworld.tasks.context.replay import GoldReplay
from toolworld.tasks.context.start import Patch, RowKey, StartRows, Tables, values_at
from toolworld.tasks.execute import Playthrough

Column: TypeAlias = tuple[str, ...]
"""A column, then the names of the fields inside it; lists are walked through."""
NewPatch: TypeAlias = "dict[str, dict[str, JsonObject | None]]"

MOST_ROWS, MOST_IN_FAMILY = 24, 12
TRIES = 4
"""How many rows are copied for each near miss that is wanted, until one can stay."""
CANDIDATES = 6
"""From how many rows the one most like what the person said is chosen."""


class Description(Protocol):
    """A fact as a situation gives it: a value that describes a column of a row."""

    @property
    def value(self) -> JsonValue:
        """What the person says."""

    @property
    def table(self) -> str:
        """The row's table."""

    @property
    def key(self) -> str:
        """The row's key."""

    @property
    def path(self) -> Column:
        """The column it describes."""


@dataclass(frozen=True)
class Meant:
    """A row that the person of a task means.

    Attributes:
        said: What they say of it, by column.
    """

    place: RowKey
    said: Mapping[Column, JsonValue] = field(default_factory=dict)

    @classmethod
    def by(cls, facts: Iterable[Description]) -> list[Meant]:
        """Return the rows that facts describe, each with all that is said of it."""
        said: dict[RowKey, dict[Column, JsonValue]] = {}
        for one in facts:
            said.setdefault(RowKey(one.table, one.key), {})[one.path] = one.value
        return [cls(place, columns) for place, columns in said.items()]

    def agreeing(self, row: JsonObject) -> int:
        """Count the facts about a row that are also true of another row."""
        return sum(_is_said(value, values_at(row, path)) for path, value in self.said.items())

    def fits(self, row: JsonObject) -> bool:
        """Whether another row fits everything the person says."""
        return bool(self.said) and self.agreeing(row) == len(self.said)


class Distractors:
    """Adds near misses to tasks of a package."""

    def __init__(self, package: Package) -> None:
        """Read a package once."""
        self._tables = Tables(package)
        self._belonging = Belonging(self._tables)
        self._codes = Codes(self._tables)
        self._replay = GoldReplay(package)

    def add(
        self,
        task: TaskModel | Mapping[str, object],
        rng: random.Random,
        density: float,
        meant: Sequence[Meant] = (),
    ) -> NewPatch:
        """Return a start for a task that has near misses in it.

        Args:
            task: The task, as the package's own object or as JSON values.
            rng: Where random numbers come from: the same ones give the same rows.
            density: How many near misses there are to be for each row that is meant.
            meant: The rows that the person means; those that gold changes or names unless given.

        Returns:
            A patch by table and key: that of the task, and new rows.

        Raises:
            ValueError: Gold does not run from the task's start.
        """
        run = self._replay.play(task)
        calls = [(step.step.tool, step.arguments) for step in run.steps]
        named = self.named(self._replay.changes(run), calls)
        return self._kept(
            run, run.task.initial, self.near(run.task.initial, named, rng, density, meant)
        )

    def near(
        self,
        initial: Patch,
        named: Sequence[RowKey],
        rng: random.Random,
        density: float,
        meant: Sequence[Meant] = (),
    ) -> list[Copies]:
        """Return near misses around a start that keep its rules; gold is not run with them.

        Args:
            initial: The start.
            named: The rows that gold has to do with.
            rng: Where random numbers come from.
            density: How many near misses there are to be for each row that is meant.
            meant: The rows that the person means; those that are named unless given.
        """
        start = self._tables.open(initial)
        keys = FreshKeys(self._tables, self._codes, start, rng)
        copier = Copier(self._tables, keys, start, rng)
        named = [place for place in named if start.row(place) is not None]
        search = NearMissSearch(self._tables, self._belonging, copier, start, rng, named)
        return search.near_misses([*meant] or [Meant(place) for place in named], density)

    def named(
        self, changed: Iterable[RowKey], calls: Sequence[tuple[str, JsonObject]]
    ) -> list[RowKey]:
        """Return the rows that gold changes, then those that its calls name, the latest first."""
        places = sorted(changed)
        for name, arguments in reversed(calls):
            tool = self._replay.surface.tools.get(name)
            for parameter in tool.parameters.values() if tool else ():
                for path, entity in parameter.ids.items():
                    table = self._replay.surface.entities[entity].table
                    places += [RowKey(table, key) for key in at(arguments, path)]
        return list(dict.fromkeys(places))

    def _kept(self, run: Playthrough, initial: Patch, found: Sequence[Copies]) -> NewPatch:
        """Return a patch with all near misses if gold does the same, else with those it bears."""
        everything = merged(initial, found)
        if not found or self._replay.bears(run, everything):
            return everything
        kept = merged(initial, ())
        for copies in found:
            more = merged(kept, [copies])
            if self._replay.bears(run, more):
                kept = more
        return kept


class NearMissSearch:
    """The search for near misses around one start."""

    def __init__(
        self,
        tables: Tables,
        belonging: Belonging,
        copier: Copier,
        start: StartRows,
        rng: random.Random,
        named: Sequence[RowKey],
    ) -> None:
        """Take the tables, the owners of rows, and the rows that gold names."""
        self._tables, self._belonging, self._copier = tables, belonging, copier
        self._start, self._rng = start, rng
        self._named = named
        self._used: set[RowKey] = set()

    def near_misses(self, meant: Sequence[Meant], density: float) -> list[Copies]:
        """Return near misses that the database accepts, in turn for each row that is meant."""
        roots: dict[RowKey, tuple[Meant, RowKey]] = {}
        for one in meant:
            root = self._belonging.root_of(self._start, one.place)
            if root is not None:
                roots.setdefault(root, (one, root))
        wanted = math.ceil(density * len(roots))
        found: list[Copies] = []
        rows = 0
        for turn in range(wanted * TRIES if roots else 0):
            one, root = list(roots.values())[turn % len(roots)]
            if len(found) >= wanted or rows >= MOST_ROWS:
                break
            copies = self._near_miss(one, root, meant)
            if copies is not None:
                found.append(copies)
                rows += len(copies)
        return found

    def _near_miss(self, meant: Meant, root: RowKey, everything: Sequence[Meant]) -> Copies | None:
        owners = dict(self._belonging.owners(self._start, root))
        path = min(owners, key=lambda path: self._turn(owners[path]))
        donor = self._donor(meant, root, path, owners[path])
        if donor is None:
            return None
        person = dict(self._belonging.owners(self._start, donor))[path]
        for needed_only in (False, True):
            rows = self._belonging.family(self._start, donor, MOST_IN_FAMILY + 1, needed_only)
            if len(rows) > MOST_IN_FAMILY:
                continue
            copies = self._copier.copies(CopyOrder(donor, rows, person, owners[path], root))
            if copies and self._is_other(copies, everything) and self._start.admits(copies):
                self._used.add(donor)
                return copies
        return None

    def _turn(self, place: RowKey) -> int:
        """Return the step at which gold first names a row; the speaker comes first."""
        return -self._named.index(place) if place in self._named else 1

    def _donor(
        self, meant: Meant, root: RowKey, path: tuple[str, ...], person: RowKey
    ) -> RowKey | None:
        """Return another owner's row that fits the person's facts best."""
        keys, own = self._tables.keys(meant.place.table), self._start.row(meant.place) or {}
        taken = self._days(root.table, person)
        best: tuple[float, RowKey] | None = None
        for key in self._rng.sample(keys, min(CANDIDATES, len(keys))):
            place = RowKey(meant.place.table, key)
            row, other = self._start.row(place), self._belonging.root_of(self._start, place)
            if row is None or other is None or other.table != root.table or meant.fits(row):
                continue
            if not self._can_give(other, path, person) or taken & self._days_of(other):
                continue
            likeness = meant.agreeing(row) if meant.said else _likeness(own, row)
            if best is None or likeness > best[0]:
                best = likeness, other
        return best[1] if best else None

    def _can_give(self, root: RowKey, path: tuple[str, ...], person: RowKey) -> bool:
        """Whether a row is somebody else's, and was not copied before."""
        theirs = dict(self._belonging.owners(self._start, root))
        return root not in self._used and path in theirs and person not in theirs.values()

    def _days(self, table: str, person: RowKey) -> set[tuple[str, JsonValue]]:
        """Return the days of a person's rows: two shifts on one day would be one too many."""
        own = [one for _, one in self._start.naming(person) if one.table == table]
        return {day for one in (*own, *self._used) for day in self._days_of(one)}

    def _days_of(self, place: RowKey) -> set[tuple[str, JsonValue]]:
        """Return the columns of a row that hold a day, without a time, and the day."""
        row = self._start.row(place) or {}
        return {
            (column, value)
            for column, value in row.items()
            if isinstance(value, str) and DAY.fullmatch(value)
        }

    def _is_other(self, copies: Copies, meant: Sequence[Meant]) -> bool:
        """Whether no copy fits the person's facts or looks like a row that gold names."""
        for place, row in copies.items():
            hidden = self._tables.schemas[place.table].key
            seen = {**row, hidden: None}
            others = [self._start.row(one) for one in self._named if one.table == place.table]
            if any(other is not None and {**other, hidden: None} == seen for other in others):
                return False
            if any(one.place.table == place.table and one.fits(row) for one in meant):
                return False
        return True


def merged(initial: Patch, copies: Sequence[Copies]) -> NewPatch:
    """Return a patch with copies added."""
    patch = {table: dict(rows) for table, rows in initial.items()}
    for rows in copies:
        for place, row in rows.items():
            patch.setdefault(place.table, {})[place.key] = row
    return patch


def rows_added(before: Patch, after: Patch) -> int:
    """Count the rows that one patch has and another has not."""
    return sum(key not in before.get(table, {}) for table, rows in after.items() for key in rows)


def _is_said(value: JsonValue, cells: Iterable[JsonValue]) -> bool:
    """Whether a value as a person says it can mean one of some cells."""
    if not isinstance(value, str):
        return value in cells
    return any(isinstance(cell, str) and _words(value) <= _words(cell) for cell in cells)


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text.casefold()))


def _likeness(one: JsonObject, other: JsonObject) -> float:
    """Count the columns in which two rows have the same word, or both have something."""
    return sum(
        1.0 if isinstance(value, str) else 0.5
        for column, value in one.items()
        if value is not None and value == other.get(column) and not str(value)[:1].isdigit()
    )
