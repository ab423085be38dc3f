"""The database: one immutable base shared by all episodes, and each episode's own changes.

A table looks a row up in its episode's changes first and in the base second. So the cost of
opening, resetting, copying and comparing episodes grows with their changes, not with the base.
Changes belong to a transaction: ``commit`` checks every constraint on what was touched, and
``rollback`` puts back exactly what was there. Nothing here knows tools, tasks or MCP.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date, datetime
from itertools import repeat
from typing import Any, NamedTuple, cast

from ..errors import IntegrityError, Rejected
from ..values import Row
from .base import Base
from .digest import StateDigest
from .schema import Invariant, TableSchema, values_at
from .table import ABSENT, Changes, Table

KEY_WIDTH = 5


class Written(NamedTuple):
    """A row before and after a call changed it; None where the row did not exist."""

    table: str
    key: str
    before: Any
    after: Any


def _differing(one: Changes, other: Changes) -> list[str]:
    """Return the keys under which two sets of changes hold different objects."""
    if not other:
        return [*one]
    differing = [key for key, row in one.items() if other.get(key, ABSENT) is not row]
    return [*differing, *(other.keys() - one.keys())]


class Snapshot(NamedTuple):
    """An episode's changes at one moment, for ``restore``."""

    changes: Mapping[str, Changes]
    numbers: Mapping[str, int]


class Database:
    """One episode: a view of the base with changes of its own, made in transactions.

    Each table is an attribute of its name. The emitted subclass declares their types.
    """

    def __init__(
        self,
        base: Base,
        invariants: Mapping[str, tuple[Invariant, ...]],
        first_number: int = 0,
    ) -> None:
        """Open an episode with no changes.

        Args:
            base: The database it starts from.
            invariants: The rules of each table's rows.
            first_number: How many numbers new keys skip, so that episodes can differ in them.
        """
        self.base = base
        self.first_number = first_number
        self.tables: dict[str, Table[Row]] = {
            name: Table(self, table) for name, table in base.tables.items()
        }
        self.__dict__.update(self.tables)
        self._invariants = invariants
        self._numbers: dict[str, int] = {}
        # By table and key: the change before the transaction, and the columns written in it.
        self._journal: dict[tuple[str, str], tuple[object, Collection[str] | None]] = {}
        self._written: set[str] = set()
        # The tables whose changes a snapshot holds.
        self._held: set[str] = set()
        self._minted: dict[str, int] = {}
        self._digest = StateDigest()

    def now(self) -> datetime:
        """Return the world clock's time, in UTC; the clock never moves."""
        return self.base.clock

    def today(self) -> date:
        """Return the world clock's date."""
        return self.base.today

    def mint(self, schema: TableSchema) -> str:
        """Return a new key for a table: the next number that no row has."""
        number = self._numbers.get(schema.name)
        if number is None:
            number = self.base.tables[schema.name].next_number + self.first_number
        if schema.name not in self._minted:
            self._minted[schema.name] = number
        table = self.tables[schema.name]
        while table.find(key := f"{schema.prefix}-{number:0{KEY_WIDTH}d}") is not None:
            number += 1
        self._numbers[schema.name] = number + 1
        return key

    def write(
        self, table: Table[Any], key: str, row: Row | None, columns: Collection[str] | None = None
    ) -> None:
        """Put a row, or its absence, into a table as part of the open transaction.

        Args:
            table: The table.
            key: The row's key.
            row: The row, or None to remove it.
            columns: The columns that change; None for all.
        """
        place = (table.schema.name, key)
        entry = self._journal.get(place)
        if entry is None:
            self._written.add(table.schema.name)
            self._journal[place] = (table.changes.get(key, ABSENT), columns)
        else:
            before, others = entry
            both = None if columns is None or others is None else {*columns, *others}
            self._journal[place] = (before, both)
        self._changes_of(table)[key] = row

    def _changes_of(self, table: Table[Any]) -> Changes:
        """Return a table's changes for writing: a copy, if a snapshot holds them."""
        name = table.schema.name
        if name in self._held:
            self._held.remove(name)
            table.changes = table.changes.copy()
        return table.changes

    def written(self) -> tuple[Written, ...]:
        """Return the rows that the open transaction changes, before and after."""
        return tuple(
            Written(
                name,
                key,
                self.base.tables[name].rows.get(key) if before is ABSENT else before,
                self.tables[name].find(key),
            )
            for (name, key), (before, _) in self._journal.items()
        )

    def commit(self) -> None:
        """Check the rows that the transaction touched, and keep the changes.

        Raises:
            IntegrityError: A reference, uniqueness or invariant is broken; nothing is kept
                until ``rollback`` is called.
        """
        journal = self._journal
        if journal:
            tables = {name for name, _ in journal}
            for (name, key), (_, columns) in journal.items():
                self.check(name, key, columns, tables)
            self._digest.touch(journal)
            journal.clear()
        self._minted.clear()

    def rollback(self) -> None:
        """Undo everything since the transaction began."""
        for (name, key), (before, _) in self._journal.items():
            changes = self._changes_of(self.tables[name])
            if before is ABSENT:
                del changes[key]
            else:
                changes[key] = cast("Row | None", before)
        self._numbers.update(self._minted)
        self._journal.clear()
        self._minted.clear()

    def check(
        self,
        name: str,
        key: str,
        columns: Collection[str] | None = None,
        tables: Collection[str] = (),
    ) -> None:
        """Check the constraints on one row, or on its absence.

        Args:
            name: The row's table.
            key: The row's key.
            columns: The columns that changed since the row was last sound; constraints that read
                none of them are skipped. None to check everything.
            tables: The tables that changed since then.

        Raises:
            IntegrityError: A constraint is broken.
        """
        table = self.tables[name]
        row = table.find(key)
        if row is None:
            self._check_unreferenced(table.schema, key)
            return
        self._check_references(table.schema, key, row, columns)
        for column in table.schema.unique:
            if columns is None or column in columns:
                self._check_unique(table, key, row, column)
        for invariant in self._invariants.get(name, ()):
            if (
                columns is not None
                and invariant.columns.isdisjoint(columns)
                and invariant.tables.isdisjoint(tables)
            ):
                continue
            try:
                keeps = invariant.holds(self, row)
            except Rejected:
                # The rule looks up a missing row: it is broken, and the call is not rejected.
                keeps = False
            if not keeps:
                raise IntegrityError(
                    f'{name} "{key}" breaks the rule {invariant.name}: {invariant.says}'
                )

    def _check_references(
        self, schema: TableSchema, key: str, row: Row, columns: Collection[str] | None
    ) -> None:
        for reference in schema.references:
            if columns is not None and reference.path[0] not in columns:
                continue
            target = self.tables[reference.table]
            for value in values_at(row, reference.path):
                if target.find(value) is None:
                    path = ".".join(reference.path)
                    raise IntegrityError(
                        f'{schema.name} "{key}": {path} names the {target.schema.noun} '
                        f'"{value}", which does not exist.'
                    )

    def _check_unique(self, table: Table[Row], key: str, row: Row, column: str) -> None:
        value = getattr(row, column)
        if value is not None and len(table.where(**{column: value})) > 1:
            raise IntegrityError(
                f'{table.schema.name} "{key}": another row has the {column} "{value}".'
            )

    def _check_unreferenced(self, schema: TableSchema, key: str) -> None:
        for table in self.tables.values():
            for reference in table.schema.references:
                if reference.table == schema.name and table.referring(reference.path, key):
                    raise IntegrityError(
                        f'{schema.name} "{key}" is gone, but {table.schema.name} still names it.'
                    )

    def snapshot(self) -> Snapshot:
        """Return the changes so far; they are copied only once more changes follow."""
        tables = self.tables
        changes = {name: tables[name].changes for name in self._written if tables[name].changes}
        self._held.update(changes)
        return Snapshot(changes, dict(self._numbers))

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot of this episode or of another one with the same base."""
        for name in self._written.union(snapshot.changes):
            table, then = self.tables[name], snapshot.changes.get(name, {})
            if table.changes is not then:
                self._digest.touch(zip(repeat(name), _differing(table.changes, then)))
                table.changes = then
        self._written, self._held = set(snapshot.changes), set(snapshot.changes)
        self._numbers = dict(snapshot.numbers)

    def put(self, table: str, key: str, row: Row | None) -> None:
        """Put a row as it was at another moment, or its absence; nothing is checked."""
        self._written.add(table)
        self._changes_of(self.tables[table])[key] = row
        self._digest.touch([(table, key)])

    def digest(self) -> str:
        """Return the state's digest, 32 hexadecimal digits; equal states have equal ones."""
        return self._digest.over(
            self.base.digest,
            before=lambda name, key: self.base.tables[name].rows.get(key),
            now=lambda name, key: self.tables[name].find(key),
        )
