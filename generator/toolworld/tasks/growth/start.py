"""The database as a task finds it: rows by key, and the rows that name them.

Nothing here looks through a whole table: every look-up is by key or by an index.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from toolworld.emit import Package
from toolworld.tasks.episodes import Patch

Json = Any
Row = dict[str, Json]

MOST_NAMING = 12


class Place(NamedTuple):
    """Where a row stands."""

    table: str
    key: str


class Worlds:
    """Opens starts of a package.

    Attributes:
        references: The tables and paths in them that name rows of a table.
        read_by_rules: The tables that a table's rules look at.
    """

    def __init__(self, package: Package) -> None:
        """Take the package's tables and rules."""
        environment = package.module("environment")
        self._database = package.module("models").Database
        self._task = package.module("task").Task
        self._patch = environment.apply_patch
        self.patch_row = environment.patch_row
        self.values_at = package.module("schema").values_at
        self.refused = package.module("errors").PackageError
        self.as_json = environment.as_json
        self.base = package.module("seed").default_base()
        self.schemas: Mapping[str, Any] = package.module("models").SCHEMAS
        self.rules: Mapping[str, Any] = package.module("invariants").INVARIANTS
        self.references: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for name, schema in self.schemas.items():
            for reference in schema.references:
                self.references.setdefault(reference.table, []).append((name, reference.path))
        self.read_by_rules = {
            name: {table for rule in self.rules.get(name, ()) for table in rule.tables}
            for name in self.schemas
        }

    def start(self, initial: Patch) -> Start:
        """Return the database with a patch that fits it."""
        database = self._database(self.base, self.rules)
        self._patch(database, self._task(id="start", instruction="", initial=initial))
        return Start(self, database)


class Start:
    """One such database."""

    def __init__(self, worlds: Worlds, database: Any) -> None:
        """Take an open database."""
        self._worlds = worlds
        self._database = database
        self._rows: dict[Place, Row | None] = {}

    def row(self, place: Place) -> Row | None:
        """Return a row as JSON values."""
        if place not in self._rows:
            found = self._database.tables[place.table].find(place.key)
            self._rows[place] = None if found is None else self._worlds.as_json(found)
        return self._rows[place]

    def fits(self, rows: Mapping[Place, Row]) -> bool:
        """Whether rows could be added: they and those beside them would keep all rules."""
        database = self._database
        before = database.snapshot()
        try:
            for place, row in rows.items():
                table = database.tables[place.table]
                self._worlds.patch_row(database, table, place.key, row)
            database.commit()
            # Most that do not fit break a rule of their own, before others are looked at.
            for place in self._beside(rows):
                database.check(place.table, place.key)
        except self._worlds.refused:
            database.rollback()
            return False
        finally:
            database.restore(before)
        return True

    def _beside(self, rows: Mapping[Place, Row]) -> Iterator[Place]:
        """Yield the rows near new ones whose rules look at their tables."""
        tables = {place.table for place in rows}
        edge = list(rows.items())
        for _ in range(2):
            near = {
                named: row
                for place, row_of in edge
                for named in self.named(place.table, row_of)
                if named not in rows and (row := self.row(named)) is not None
            }
            for place in near:
                if tables & self._worlds.read_by_rules[place.table]:
                    yield place
            edge = list(near.items())

    def naming(
        self, place: Place, most: int = MOST_NAMING
    ) -> Iterator[tuple[tuple[str, ...], Place]]:
        """Yield rows that name a row, and the path at which each does.

        Args:
            place: The row that is named.
            most: How many of the seed database's rows to yield at most for each table and path:
                a popular row is named by thousands.
        """
        for name, path in self._worlds.references.get(place.table, ()):
            table = self._database.tables[name]
            rows = table.base.index(path).get(place.key, ())[:most]
            patched = [row for row in table.changes.values() if row is not None]
            new = [row for row in patched if place.key in self._worlds.values_at(row, path)]
            for row in (*rows, *new):
                key = getattr(row, table.schema.key)
                if row is table.find(key):
                    yield path, Place(name, key)

    def named(self, table: str, row: Row) -> Iterator[Place]:
        """Yield each row that a row names."""
        for reference in self._worlds.schemas[table].references:
            for key in _at(row, reference.path):
                yield Place(reference.table, key)


def _at(value: Json, path: tuple[str, ...]) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _at(item, path)
    elif value is not None:
        if path:
            yield from _at(value[path[0]], path[1:])
        else:
            yield value
