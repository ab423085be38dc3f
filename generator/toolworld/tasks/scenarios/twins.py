"""Twins: a situation with one cell turned, so that the same wish must end otherwise."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from toolworld.emit.load import Package
from toolworld.tasks.scenarios.draws import NotDrawn, Situation
from toolworld.tasks.scenarios.experts import ExpertRun, Experts
from toolworld.tasks.wording.messages import Worded

DAYS = (1, -1, 2, -2, 5, -5, 15, -15, 30, -30, 60, -60, 100, -100)
STEPS = (1, -1, 2, -2, 5, 15, -15, 30)
FACTORS = (Decimal("0.5"), Decimal("0.9"), Decimal("1.1"), Decimal("2"))
MOST_TRIED = 40


@dataclass(frozen=True, eq=False)
class Twin:
    """A situation that differs from another in one cell, and ends otherwise.

    Attributes:
        cell: The table, key and column that was turned.
    """

    situation: Situation
    run: ExpertRun
    cell: tuple[str, str, str]


class Twins:
    """Finds twins of the situations of a package."""

    def __init__(self, package: Package, experts: Experts) -> None:
        """Take a package and what runs its experts."""
        self._schemas = package.module("models").SCHEMAS
        self._experts = experts
        self._package = package
        self._errors = package.module("errors")
        self._as_json = package.module("making.draw").as_json
        self._values: dict[tuple[str, str], list[Any]] = {}

    def of(
        self, situation: Situation, worded: Worded, run: ExpertRun, rng: random.Random
    ) -> Twin | None:
        """Return a twin of a situation; None if no cell that may be turned gives one."""
        environment = self._package.environment(self._experts.start(situation, worded))
        cells = list(self._cells(situation, run, environment._database))
        rng.shuffle(cells)
        for table, key, column, value in cells[:MOST_TRIED]:
            turned = self._turned(situation, environment, table, key, column, value)
            if turned is None:
                continue
            try:
                other = self._experts.run(turned, worded)
            except NotDrawn:
                continue
            if other.outcome != run.outcome:
                return Twin(turned, other, (table, key, column))
        return None

    def _cells(
        self, situation: Situation, run: ExpertRun, database: Any
    ) -> Iterator[tuple[str, str, str, Any]]:
        """Yield the cells that may be turned, with other values, of rows that were seen."""
        allowed: dict[str, list[str]] = {}
        for cell in situation.scenario.words.twins:
            table, _, column = cell.partition(".")
            allowed.setdefault(table, []).append(column)
        for table, key in self._seen(run, database, allowed):
            row = database.tables[table].find(key)
            for column in allowed[table]:
                for value in self._others(table, column, getattr(row, column)):
                    yield table, key, column, value

    def _seen(
        self, run: ExpertRun, database: Any, tables: Mapping[str, Any]
    ) -> list[tuple[str, str]]:
        """Return the rows of some tables that results named, and those that these belong to."""
        texts = {text for event in run.trace if event.kind == "call" for text in _texts(event.text)}
        found: dict[tuple[str, str], None] = {}
        for table in tables:
            for text in sorted(texts):
                if database.tables[table].find(text) is not None:
                    found[table, text] = None
            for reference in self._schemas[table].references:
                for text in sorted(texts):
                    if len(reference.path) == 1 and database.tables[reference.table].find(text):
                        rows = database.tables[table].where(**{reference.path[0]: text})
                        key = self._schemas[table].key
                        found |= dict.fromkeys((table, getattr(row, key)) for row in rows[:3])
        return list(found)

    def _turned(
        self, situation: Situation, environment: Any, table: str, key: str, column: str, value: Any
    ) -> Situation | None:
        """Return a situation with one cell turned; None if that breaks a rule of the data."""
        database, before = environment._database, environment.snapshot()
        try:
            row = database.tables[table].update(key, **{column: value})
            database.commit()
        except (self._errors.IntegrityError, self._errors.Rejected):
            database.rollback()
            return None
        environment.restore(before)
        patch = {name: dict(rows) for name, rows in situation.initial.items()}
        patch.setdefault(table, {})[key] = self._as_json(row)
        return replace(situation, initial=patch)

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
            index = self._package.module("seed").default_base().tables[table].index((column,))
            values = sorted(str(value) for value in index if value is not None)
            self._values[table, column] = values if len(values) <= 12 else []
        return self._values[table, column]


def _texts(text: str) -> Iterator[str]:
    """Yield the quoted texts of a result that have no spaces: keys are among them."""
    for part in text.split('"')[1::2]:
        if " " not in part:
            yield part


def _is_past(value: date | datetime, days: int) -> bool:
    return value.year + days // 365 < 9000
