"""The database as a task finds it: rows by key, and the rows that name them.

Nothing here looks through a whole table: every look-up is by key or by an index.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from toolworld.jsonvalues import JsonObject, JsonValue
from toolworld.packages import Package

Patch: TypeAlias = "Mapping[str, Mapping[str, JsonObject | None]]"
"""Rows over the seed database, by table and key; None takes one away."""

MOST_NAMING = 12
HOPS = 2
"""How far from new rows the rules of other rows are checked."""


class RowKey(NamedTuple):
    """Where a row stands."""

    table: str
    key: str


class Tables:
    """The tables of a package, which are read once.

    Attributes:
        schemas: What the package's store knows of each table.
        naming: The tables, and the paths in them, that name rows of a table.
        read_by_rules: The tables that a table's rules look at.
        keys: Gives the keys of a table's rows in the seed database.
    """

    def __init__(self, package: Package) -> None:
        """Read a package's tables and rules."""
        patches = package.modules.patches
        self._database = package.modules.models.Database
        self._task = package.modules.task.Task
        self._apply = patches.apply_patch
        self._rules: Mapping[str, Any] = package.modules.invariants.INVARIANTS
        self.put = patches.patch_row
        self.as_json = patches.as_json
        self.values_in = package.modules.schema.values_at
        self.error: type[Exception] = package.modules.errors.PackageError
        self.base = package.modules.seed.default_base()
        self.schemas: Mapping[str, Any] = package.modules.models.SCHEMAS
        self.naming: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for name, schema in self.schemas.items():
            for reference in schema.references:
                self.naming.setdefault(reference.table, []).append((name, reference.path))
        self.read_by_rules = {
            name: {table for rule in self._rules.get(name, ()) for table in rule.tables}
            for name in self.schemas
        }
        self.keys = cache(lambda table: list(self.base.tables[table].rows))

    def is_required(self, table: str, column: str) -> bool:
        """Whether a column of a table is never null."""
        return bool(self.schemas[table].row.model_fields[column].is_required())

    def open(self, initial: Patch) -> StartRows:
        """Return the seed database with a patch over it.

        Raises:
            PackageError: The package's own: the patch does not fit the database.
        """
        database = self._database(self.base, self._rules)
        self._apply(database, self._task(id="start", instruction="", initial=initial))
        return StartRows(self, database)


class StartRows:
    """The start of one task."""

    def __init__(self, tables: Tables, database: Any) -> None:
        """Take an open database."""
        self._tables = tables
        self._database = database
        self._rows: dict[RowKey, JsonObject | None] = {}

    def row(self, place: RowKey) -> JsonObject | None:
        """Return a row as JSON values; None if there is no such row."""
        if place not in self._rows:
            found = self._database.tables[place.table].find(place.key)
            self._rows[place] = None if found is None else self._tables.as_json(found)
        return self._rows[place]

    def is_taken(self, table: str, column: str, value: JsonValue) -> bool:
        """Whether a row has a value in a unique column."""
        return bool(self._database.tables[table].where(**{column: value}))

    def references(self, place: RowKey) -> Iterator[tuple[tuple[str, ...], RowKey]]:
        """Yield the rows that a row names, each with the path at which it does."""
        yield from self.references_of(place.table, self.row(place) or {})

    def references_of(
        self, table: str, row: JsonObject
    ) -> Iterator[tuple[tuple[str, ...], RowKey]]:
        """Yield the rows that a row of a table names, each with its path."""
        for reference in self._tables.schemas[table].references:
            for key in values_at(row, reference.path):
                if isinstance(key, str):
                    yield reference.path, RowKey(reference.table, key)

    def naming(
        self, place: RowKey, most: int = MOST_NAMING
    ) -> Iterator[tuple[tuple[str, ...], RowKey]]:
        """Yield rows that name a row, each with the path at which it does.

        Args:
            place: The row that is named.
            most: How many rows of the seed database to yield at most for each table and path:
                a popular row is named by thousands.
        """
        for name, path in self._tables.naming.get(place.table, ()):
            table = self._database.tables[name]
            rows = table.base.index(path).get(place.key, ())[:most]
            patched = [row for row in table.changes.values() if row is not None]
            new = [row for row in patched if place.key in self._tables.values_in(row, path)]
            for row in (*rows, *new):
                key = getattr(row, table.schema.key)
                if row is table.find(key):
                    yield path, RowKey(name, key)

    def admits(self, rows: Mapping[RowKey, JsonObject]) -> bool:
        """Whether rows could be added: they, and the rows around them, would keep all rules."""
        database = self._database
        before = database.snapshot()
        try:
            for place, row in rows.items():
                self._tables.put(database, database.tables[place.table], place.key, row)
            database.commit()
            for place in self._around(rows):
                database.check(place.table, place.key)
        except self._tables.error:
            database.rollback()
            return False
        finally:
            database.restore(before)
        return True

    def _around(self, rows: Mapping[RowKey, JsonObject]) -> Iterator[RowKey]:
        """Yield the rows that new rows name, and those these name, whose rules could be broken."""
        tables = {place.table for place in rows}
        edge = list(rows.items())
        for _ in range(HOPS):
            near = {
                named: row
                for place, own in edge
                for _, named in self.references_of(place.table, own)
                if named not in rows and (row := self.row(named)) is not None
            }
            yield from (place for place in near if tables & self._tables.read_by_rules[place.table])
            edge = list(near.items())


def values_at(value: JsonValue, path: tuple[str, ...]) -> Iterator[JsonValue]:
    """Yield the values at a path, through all items of lists; nulls are left out."""
    if isinstance(value, list):
        for item in value:
            yield from values_at(item, path)
    elif isinstance(value, dict) and path:
        yield from values_at(value.get(path[0]), path[1:])
    elif value is not None and not path:
        yield value
