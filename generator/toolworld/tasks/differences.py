"""Which rows differ between two moments of a package, found without going to either of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from toolworld.emit import Package

Rows = Mapping[str, Mapping[str, Any]]
"""The package's rows that are not as in the database, by table and key; None for one taken away."""

ABSENT = object()
MOST_ROWS = 10_000
"""How many rows are remembered as JSON values."""


NONE: Mapping[str, Any] = {}


class Difference(NamedTuple):
    """A row that is another at two moments; None where there is none."""

    table: str
    key: str
    one: Any
    other: Any


class Differences:
    """Compares moments of a package's episodes."""

    def __init__(self, package: Package) -> None:
        """Take the package's database, and how it tells changes."""
        self._tables = package.module("seed").default_base().tables
        self._change = package.module("task").Change.model_construct
        self._as_json = package.module("environment").as_json
        self._in_key_order = package.module("schema").in_key_order
        self._known: dict[int, tuple[Any, Mapping[str, Any]]] = {}

    def between(self, one: Rows, other: Rows) -> Iterator[Difference]:
        """Yield the rows that differ, in no order: most are the same objects, and quickly seen."""
        if one is other:
            return
        for table in {**one, **other}:
            mine, theirs = one.get(table, NONE), other.get(table, NONE)
            if mine == theirs:
                continue  # as most are: the same objects are not compared
            base = self._tables[table].rows
            for key in {**mine, **theirs}:
                row, that = mine.get(key, ABSENT), theirs.get(key, ABSENT)
                if row is that:
                    continue
                row = base.get(key) if row is ABSENT else row
                that = base.get(key) if that is ABSENT else that
                if _differ(row, that):
                    yield Difference(table, key, row, that)

    def changes(self, start: Rows, now: Rows) -> Iterator[Any]:
        """Yield how a moment differs from its start as the package does, by table and key."""
        found: dict[str, dict[str, Difference]] = {}
        for one in self.between(start, now):
            found.setdefault(one.table, {})[one.key] = one
        for table in self._tables if found else ():
            rows = found.get(table, {})
            for key in sorted(rows, key=self._in_key_order):
                before, after = self._json(rows[key].one), self._json(rows[key].other)
                yield self._change(table=table, key=key, before=before, after=after)

    def _json(self, row: Any) -> Mapping[str, Any] | None:
        """Return a row as JSON values, which nobody may change."""
        if row is None:
            return None
        if id(row) not in self._known:
            if len(self._known) >= MOST_ROWS:
                self._known.clear()
            # With the row, so that no other can come to have its identity.
            self._known[id(row)] = row, self._as_json(row)
        return self._known[id(row)][1]


def _differ(row: Any, that: Any) -> bool:
    """Whether two rows of a table differ, or there is only one of them."""
    if row is None or that is None:
        return row is not that
    return bool(vars(row) != vars(that))  # all that their own comparison comes to, but faster
