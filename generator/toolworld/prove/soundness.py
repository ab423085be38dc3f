"""Rules of rows that a call did not touch: the package itself checks those it touched.

Checked are the rows around what changed, some steps along references, and some spread over each
table, against the rules that read a table that changed. No other rule can be broken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolworld.packages import Package

STEPS = 2
MOST_NEAR = 40
SPREAD = 20

Place = tuple[str, str]
"""A table and a key."""


class Soundness:
    """Looks for broken rules among the rows a call left alone."""

    def __init__(self, package: Package) -> None:
        """Take a package."""
        models, rules = package.modules.models, package.modules.invariants.INVARIANTS
        self._integrity_error = package.modules.errors.IntegrityError
        self._values_at = package.modules.schema.values_at
        self._database = models.Database(package.modules.seed.default_base(), rules)
        self._readers = {
            name: frozenset().union(*(rule.tables for rule in rules.get(name, ())))
            for name in models.SCHEMAS
        }

    def broken(self, before: Any, after: Any, touched: set[Place]) -> str | None:
        """Return the rule that a call broke for a row it did not touch, in words.

        Args:
            before: A snapshot of the environment before the call.
            after: One after it.
            touched: The rows that the call changed.
        """
        tables = {table for table, _ in touched}
        self._database.restore(after.state)
        places = [place for place in self._around(touched, tables) if place not in touched]
        found = [(place, wrong) for place in places if (wrong := self._wrong(place, tables))]
        self._database.restore(before.state)
        for place, wrong in found:
            if not self._wrong(place, tables):
                return wrong
        return None

    def _wrong(self, place: Place, tables: set[str]) -> str:
        """Return the rule about some tables that a row breaks, in words."""
        if self._database.tables[place[0]].find(place[1]) is None:
            return ""
        try:
            self._database.check(*place, columns=(), tables=tables)
        except self._integrity_error as error:
            return str(error)
        return ""

    def _around(self, touched: set[Place], tables: set[str]) -> list[Place]:
        readers = [name for name, read in self._readers.items() if not read.isdisjoint(tables)]
        if not readers:
            return []
        near = dict.fromkeys(sorted(touched))
        fresh = list(near)
        for _ in range(STEPS):
            fresh = [one for place in fresh for one in self._neighbours(place) if one not in near]
            near |= dict.fromkeys(fresh)
        spread = (place for name in readers for place in self._spread(name))
        return [place for place in dict.fromkeys([*near, *spread]) if place[0] in readers]

    def _neighbours(self, place: Place) -> Iterator[Place]:
        """Yield the rows that a row names, and those that name it."""
        table, key = self._database.tables[place[0]], place[1]
        row = table.find(key)
        for reference in table.schema.references if row is not None else ():
            for value in self._values_at(row, reference.path):
                yield reference.table, value
        for other in self._database.tables.values():
            for reference in other.schema.references:
                if reference.table == place[0]:
                    rows = other.referring(reference.path, key)[:MOST_NEAR]
                    yield from ((other.schema.name, getattr(one, other.schema.key)) for one in rows)

    def _spread(self, name: str) -> list[Place]:
        """Return some rows of a table, evenly spaced."""
        table = self._database.tables[name]
        rows = table.all()
        step = max(1, len(rows) // SPREAD)
        return [(name, getattr(row, table.schema.key)) for row in rows[::step]]
