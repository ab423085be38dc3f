"""Twins: a situation with one cell turned, so that the same wish must end otherwise."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from toolworld.packages import Package
from toolworld.tasks.scenarios.draws import NotDrawn, Situation, state_of
from toolworld.tasks.scenarios.experts import ExpertRun, Experts
from toolworld.tasks.wording.messages import Worded

DAYS = (1, -1, 2, -2, 5, -5, 15, -15, 30, -30, 60, -60, 100, -100)
STEPS = (1, -1, 2, -2, 5, 15, -15, 30)
FACTORS = (Decimal("0.5"), Decimal("0.9"), Decimal("1.1"), Decimal("2"))
MOST_TRIED, PATIENCE, FEW_TRIED = 12, 2, 2
"""How many cells are turned in search of a twin, until so many searches in a row were in vain."""
HOPS, FEW, FEWEST = 2, 3, 2
UNNAMED, MOST_UNNAMED = 100, 24
"""The rank of cells that the author does not name, as they come last; and of how many rows."""


@dataclass(frozen=True, eq=False)
class Twin:
    """A situation that differs from another in one cell, and ends otherwise.

    Attributes:
        cell: The table, key and column that was turned.
    """

    situation: Situation
    run: ExpertRun
    cell: tuple[str, str, str]


@dataclass(frozen=True)
class Cell:
    """A cell, and its possible other values.

    Attributes:
        rank: How soon it is tried, the smallest first.
    """

    table: str
    key: str
    column: str
    value: Any
    rank: int


@dataclass(frozen=True)
class TurnableColumn:
    """A column whose cells may be turned, and the allowed values; None for any."""

    table: str
    column: str
    text: str | None

    @classmethod
    def of(cls, text: str) -> TurnableColumn:
        """Read ``table.column`` or ``table.column=value``."""
        place, given, value = text.partition("=")
        table, _, column = place.partition(".")
        return cls(table, column, value if given else None)


class Twins:
    """Finds twins of the situations of a package."""

    def __init__(self, package: Package, experts: Experts, written: Collection[str] = ()) -> None:
        """Take a package and the runner of its experts.

        Args:
            package: The package.
            experts: What runs its experts.
            written: Columns that tools change, as ``table.column``: amounts and counts in these
                may be turned where no cell that the author names gives a twin.
        """
        self._written = [tuple(one.split(".")) for one in sorted(written)]
        self._schemas = package.modules.models.SCHEMAS
        self._values_at = package.modules.schema.values_at
        self._experts = experts
        self._package = package
        self._errors = package.modules.errors
        self._as_json = package.modules.draw.as_json
        self._values: dict[tuple[str, str], list[Any]] = {}
        self._worked: Counter[tuple[str, str, object]] = Counter()
        self._vain: Counter[tuple[str, str]] = Counter()

    def of(
        self,
        situation: Situation,
        worded: Worded,
        run: ExpertRun,
        rng: random.Random,
        fits: Callable[[ExpertRun], bool],
    ) -> Twin | None:
        """Return a twin of a situation; None if no cell that may be turned gives one.

        Args:
            situation: The situation.
            worded: Its words, which are the twin's as well.
            run: What its expert did.
            rng: Chooses among cells.
            fits: Whether a run that ends otherwise is one that is wanted.
        """
        environment = self._package.environment(self._experts.start(situation, worded))
        cells = list(self._cells(situation, run, environment._database))
        rng.shuffle(cells)
        # What gave a twin before is tried first: most of a scenario's twins turn on one thing.
        cells.sort(key=lambda cell: (-self._worked[self._kind(situation, cell)], cell.rank))
        end = situation.scenario.name, run.outcome
        for cell in cells[: MOST_TRIED if self._vain[end] < PATIENCE else FEW_TRIED]:
            turned = self._turned(situation, environment, cell)
            if turned is None:
                continue
            try:
                other = self._experts.run(turned, worded)
            except NotDrawn:
                continue
            if ends_otherwise(run, other) and fits(other) and self._is_sound(turned, worded):
                self._worked[self._kind(situation, cell)] += 1
                self._vain[end] = 0
                return Twin(turned, other, (cell.table, cell.key, cell.column))
        self._vain[end] += 1
        return None

    def _kind(self, situation: Situation, cell: Cell) -> tuple[str, str, object]:
        """Return a key that turned cells of different situations share."""
        value = cell.value
        plain = value if isinstance(value, str | int) else type(value).__name__
        return situation.scenario.name, f"{cell.table}.{cell.column}", plain

    def _cells(self, situation: Situation, run: ExpertRun, database: Any) -> Iterator[Cell]:
        """Yield the cells of seen rows that may be turned, with other values."""
        yield from (Cell(*turn, rank=-1) for turn in situation.turns)
        wanted = [TurnableColumn.of(text) for text in situation.scenario.words.twins]
        seen = self._seen(run, database)
        rows = self._with_below(seen, database, dict.fromkeys(one.table for one in wanted))
        for rank, one in enumerate(wanted):
            for near, (table, key) in enumerate(place for place in rows if place[0] == one.table):
                value = getattr(database.tables[table].find(key), one.column)
                for other in self._values_for(one, value):
                    if other != value:
                        yield Cell(table, key, one.column, other, rank + near)
        yield from self._cells_of_amounts(seen, database)

    def _cells_of_amounts(self, seen: Sequence[tuple[str, str]], database: Any) -> Iterator[Cell]:
        """Yield cells that tools change and the expert may have read, each with two values."""
        tables = dict.fromkeys(table for table, _ in self._written)
        rows = self._with_below(seen, database, tables)[:MOST_UNNAMED]
        for near, (table, key) in enumerate(rows):
            row = database.tables[table].find(key)
            for column in (column for place, column in self._written if place == table):
                value = getattr(row, column)
                if isinstance(value, int | Decimal) and not isinstance(value, bool):
                    for other in self._others(table, column, value)[:FEWEST]:
                        yield Cell(table, key, column, other, UNNAMED + near)

    def _values_for(self, wanted: TurnableColumn, value: Any) -> list[Any]:
        if wanted.text is None:
            return self._others(wanted.table, wanted.column, value)
        read = self._schemas[wanted.table].validators[wanted.column]
        try:
            return [read.validate_json(wanted.text)]
        except ValueError:
            return [read.validate_python(wanted.text)]

    def _seen(self, run: ExpertRun, database: Any) -> list[tuple[str, str]]:
        """Return the rows that results named, and those that these refer to."""
        texts = {text for event in run.trace if event.kind == "call" for text in _texts(event.text)}
        found = {
            (name, text): None
            for name, table in database.tables.items()
            for text in sorted(texts & table.base.rows.keys() | texts & table.changes.keys())
            if table.find(text) is not None
        }
        for _ in range(HOPS):
            found |= dict.fromkeys(
                above for place in list(found) for above in self._above(database, place)
            )
        return list(found)

    def _with_below(
        self, seen: Sequence[tuple[str, str]], database: Any, tables: Mapping[str, Any]
    ) -> list[tuple[str, str]]:
        """Return the seen rows of some tables, and the rows that refer to seen ones."""
        below = (row for place in seen for row in self._below(database, place, list(tables)))
        return [place for place in dict.fromkeys([*seen, *below]) if place[0] in tables]

    def _above(self, database: Any, place: tuple[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the rows that a row refers to."""
        row = database.tables[place[0]].find(place[1])
        for reference in self._schemas[place[0]].references:
            for key in self._values_at(row, reference.path):
                yield reference.table, key

    def _below(
        self, database: Any, place: tuple[str, str], tables: Sequence[str]
    ) -> Iterator[tuple[str, str]]:
        """Yield a few rows of some tables that refer to a row."""
        for table in tables:
            for reference in self._schemas[table].references:
                if reference.table == place[0] and len(reference.path) == 1:
                    rows = database.tables[table].where(**{reference.path[0]: place[1]})
                    key = self._schemas[table].key
                    yield from ((table, getattr(row, key)) for row in rows[:FEW])

    def _turned(self, situation: Situation, environment: Any, cell: Cell) -> Situation | None:
        """Return a situation with one cell turned; None if that breaks a rule of the data."""
        database, before = environment._database, environment.snapshot()
        try:
            row = database.tables[cell.table].update(cell.key, **{cell.column: cell.value})
            database.commit()
            opening = state_of(environment)
        except (self._errors.IntegrityError, self._errors.Rejected):
            database.rollback()
            return None
        environment.restore(before)
        patch = {name: dict(rows) for name, rows in situation.initial.items()}
        patch.setdefault(cell.table, {})[cell.key] = self._as_json(row)
        return replace(situation, initial=patch, opening=opening)

    def _is_sound(self, situation: Situation, worded: Worded) -> bool:
        """Return whether no rule of any row is broken: turning a cell looks at its own row's."""
        try:
            self._package.environment(self._experts.start(situation, worded))
        except self._errors.PackageError:
            return False
        return True

    def _others(self, table: str, column: str, value: Any) -> list[Any]:
        """Return other values for a cell, the nearest first."""
        if isinstance(value, bool):
            return [not value]
        if isinstance(value, date):  # datetimes as well
            return [value + timedelta(days=days) for days in DAYS if _is_past(value, days)]
        if isinstance(value, int):
            return [value + step for step in STEPS if value + step >= 0] + [0] * (value > 0)
        if isinstance(value, Decimal):
            return [(value * factor).quantize(Decimal("0.01")) for factor in FACTORS]
        return [other for other in self._known(table, column) if other != value]

    def _known(self, table: str, column: str) -> list[Any]:
        """Return the few values that a column of text has; none if there are many."""
        if (table, column) not in self._values:
            index = self._package.modules.seed.default_base().tables[table].index((column,))
            values = sorted(str(value) for value in index if value is not None)
            self._values[table, column] = values if len(values) <= 12 else []
        return self._values[table, column]


def ends_otherwise(run: ExpertRun, other: ExpertRun) -> bool:
    """Return whether two runs differ in outcome, answers or changes."""
    if run.outcome != other.outcome or run.values != other.values:
        return True
    return [change.after for change in run.changes] != [change.after for change in other.changes]


def _texts(text: str) -> Iterator[str]:
    """Yield the quoted texts of a result that have no spaces: keys are among them."""
    for part in text.split('"')[1::2]:
        if " " not in part:
            yield part


def _is_past(value: date | datetime, days: int) -> bool:
    return value.year + days // 365 < 9000
