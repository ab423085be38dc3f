"""States compared by the rows that an episode changed, without making JSON of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel

from toolworld.packages import Package

Rows = Mapping[str, Mapping[str, Any]]
"""The package's rows that are not as in its database, by table and key; None for one taken away."""

ABSENT = object()
NO_ROWS: Mapping[str, Any] = {}


class RowDifference(NamedTuple):
    """A row that differs between two states; None where it is absent."""

    table: str
    key: str
    one: Any
    other: Any


class StateComparison:
    """Compares states of a package's episodes."""

    def __init__(self, package: Package) -> None:
        """Read how grading compares the columns of each table."""
        self._tables = package.modules.seed.default_base().tables
        schemas = package.modules.models.SCHEMAS
        self._free = {name: frozenset(schema.policies or ()) for name, schema in schemas.items()}
        self._exact = {name: _exact(schema) for name, schema in schemas.items()}

    def differing(self, one: Rows, other: Rows) -> Iterator[RowDifference]:
        """Yield the rows that differ between two states, in no order."""
        for table in {**one, **other}:
            mine, theirs = one.get(table, NO_ROWS), other.get(table, NO_ROWS)
            if mine is theirs:
                continue
            base = self._tables[table].rows
            for key in {**mine, **theirs}:
                row, that = mine.get(key, ABSENT), theirs.get(key, ABSENT)
                if row is that:
                    continue
                row = base.get(key) if row is ABSENT else row
                that = base.get(key) if that is ABSENT else that
                if row != that:
                    yield RowDifference(table, key, row, that)

    def are_same(self, one: Rows, other: Rows) -> bool:
        """Return whether no row differs between two states."""
        return next(self.differing(one, other), None) is None

    def differs_freely(self, differing: Iterable[RowDifference]) -> bool:
        """Return whether rows differ only in columns that grading does not compare exactly."""
        return all(
            row.one is not None
            and row.other is not None
            and self._free[row.table].issuperset(_differing_columns(row))
            for row in differing
        )

    def new_keys(self, rows: Rows, start: Rows) -> frozenset[str]:
        """Return the keys of the rows of a state that were not there at its start."""
        return frozenset(
            key
            for table, changed in rows.items()
            for key in changed
            if not self._was_there(table, key, start)
        )

    def misses_goal(
        self, differing: Iterable[RowDifference], start: Rows, new: Collection[str]
    ) -> bool:
        """Return whether a state surely misses the goal, by the rows that are not as after gold.

        A row that was there at the start stands for itself, so one column that grading compares
        exactly decides. A new row may stand for any other whose columns are the same, whatever
        its key: so each kind of new row must be there as often.

        Args:
            differing: The rows that differ from the state gold leads to.
            start: The state that both started from.
            new: The keys of the new rows of both.
        """
        more: Counter[Hashable] = Counter()
        for row in differing:
            one, other = (self._letters(row.table, each, new) for each in (row.one, row.other))
            if not self._was_there(row.table, row.key, start):
                more[row.table, one] += 1
                more[row.table, other] -= 1
            elif one != other:
                return True
        return any(more.values())

    def _was_there(self, table: str, key: str, start: Rows) -> bool:
        patched = start.get(table, NO_ROWS)
        rows = patched if key in patched else self._tables[table].rows
        return rows.get(key) is not None

    def _letters(self, table: str, row: Any, new: Collection[str]) -> Hashable:
        """Return the columns of a row that grading compares exactly; None for no row."""
        if row is None:
            return None
        columns = vars(row)
        return tuple([_renamed(columns[name], new) for name in self._exact[table]])


def _differing_columns(row: RowDifference) -> Iterator[str]:
    one, other = vars(row.one), vars(row.other)
    return (name for name in one if one[name] != other[name])


def _exact(schema: Any) -> list[str]:
    """Return the columns that grading compares exactly; of a new row, the key is not."""
    loose = {schema.key, *(schema.policies or {})}
    return [name for name in schema.row.model_fields if name not in loose]


def _renamed(value: Any, new: Collection[str]) -> Hashable:
    """Return a value of a row as one that can be counted, with each new key as an asterisk."""
    if isinstance(value, str):
        return "*" if value in new else value
    if isinstance(value, list | tuple):
        return tuple([_renamed(part, new) for part in value])
    if isinstance(value, BaseModel):
        value = vars(value)
    if isinstance(value, dict):
        return tuple([(name, _renamed(part, new)) for name, part in sorted(value.items())])
    plain: Hashable = value
    return plain
