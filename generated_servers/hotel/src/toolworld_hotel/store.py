"""The database: one immutable base shared by all episodes, and each episode's own changes.

A table looks a row up in its episode's changes first and in the base second, so opening,
resetting, copying and comparing episodes cost what they changed, never what the base holds.
Changes belong to a transaction: ``commit`` checks every constraint on what was touched, and
``rollback`` puts back exactly what was there. Nothing here knows tools, tasks or MCP.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Generic, TypeVar, cast

from pydantic import ValidationError

from .base import Base, BaseTable
from .digest import StateDigest
from .errors import IntegrityError, Rejected
from .schema import (
    Invariant,
    Reference,
    TableSchema,
    in_key_order,
    values_at,
)
from .values import Row

RowT = TypeVar("RowT", bound=Row)
Changes = dict[str, Row | None]
"""What an episode made of a table: a row replaced or added, or None for one removed."""

KEY_WIDTH = 5


class Table(Generic[RowT]):
    """One table of one episode."""

    __slots__ = ("_base_rows", "_database", "base", "changes", "schema")

    def __init__(self, database: Database, base: BaseTable) -> None:
        """Start with no changes over the base."""
        self._database = database
        self._base_rows = base.rows
        self.base = base
        self.schema = base.schema
        self.changes: Changes = {}

    def find(self, key: str) -> RowT | None:
        """Return the row with a key, or None."""
        if key in self.changes:
            return cast("RowT | None", self.changes[key])
        return cast("RowT | None", self._base_rows.get(key))

    def get(self, key: str) -> RowT:
        """Return the row with a key.

        Raises:
            Rejected: There is none.
        """
        row = self.find(key)
        if row is None:
            raise Rejected(
                f'No {self.schema.noun} has the {self.schema.key} "{key:.60}". '
                "Look it up first, and pass it exactly as it was given."
            )
        return row

    def all(self) -> list[RowT]:
        """Return every row, in key order."""
        return self._merged(self._base_rows.values(), self.changes.values())

    def where(self, **equal: object) -> list[RowT]:
        """Return the rows whose columns have these values, in key order.

        One reference or unique column among them makes it an index look-up.
        """
        base: Iterable[Row] | None = None
        for column, value in equal.items():
            if isinstance(value, list | tuple):
                equal[column] = tuple(value)
            elif base is None and column in self.schema.indexed:
                base = self.base.index((column,)).get(value, ())
        if base is None:
            base = [row for row in self._base_rows.values() if _matches(row, equal)]
        elif len(equal) > 1:
            base = [row for row in base if _matches(row, equal)]
        changed = [row for row in self.changes.values() if row and _matches(row, equal)]
        return self._merged(base, changed)

    def referring(self, path: tuple[str, ...], key: str) -> list[RowT]:
        """Return the rows that name a key at a path, in key order."""
        base = self.base.index(path).get(key, ())
        changed = [row for row in self.changes.values() if row and key in values_at(row, path)]
        return self._merged(base, changed)

    def add(self, **columns: object) -> RowT:
        """Add a row; a minted key is filled in, nullable columns left out are null.

        Raises:
            IntegrityError: A column is missing or of the wrong type, or the key is taken.
        """
        schema = self.schema
        if schema.prefix is not None and schema.key not in columns:
            columns[schema.key] = self._database.mint(schema)
        row = self.parse(columns)
        key = cast(str, getattr(row, schema.key))
        if self.find(key) is not None:
            raise IntegrityError(f'{schema.name} already has the {schema.key} "{key}".')
        self._database.write(self, key, row)
        return row

    def update(self, key: str, /, **columns: object) -> RowT:
        """Change columns of a row and return the row as it is now.

        Raises:
            Rejected: There is no such row.
            IntegrityError: A column is unknown, of the wrong type, or the key.
        """
        if self.schema.key in columns:
            raise IntegrityError(f"{self.schema.name}.{self.schema.key} is the key: it stays.")
        row = self.parse(self.get(key).__dict__ | columns)
        self._database.write(self, key, row)
        return row

    def remove(self, key: str) -> RowT:
        """Remove a row and return it.

        Raises:
            Rejected: There is no such row.
        """
        row = self.get(key)
        self._database.write(self, key, None)
        return row

    def parse(self, columns: Mapping[str, object]) -> RowT:
        """Return a row of these columns, without putting it into the table.

        Raises:
            IntegrityError: A column is missing, unknown or of the wrong type.
        """
        try:
            return cast(RowT, self.schema.row.model_validate(columns))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in (self.schema.name, *first["loc"]))
            raise IntegrityError(f"{where}: {first['msg']}.") from error

    def _merged(self, base: Iterable[Row], changed: Iterable[Row | None]) -> list[RowT]:
        if not self.changes:
            return cast("list[RowT]", list(base))
        key = self.schema.key
        kept = [row for row in base if getattr(row, key) not in self.changes]
        added = [row for row in changed if row is not None]
        if added:
            kept = sorted(kept + added, key=lambda row: in_key_order(getattr(row, key)))
        return cast("list[RowT]", kept)


def _differs(row: Row, before: Row | None, column: str) -> bool:
    return before is None or getattr(row, column) != getattr(before, column)


def _matches(row: Row, equal: Mapping[str, object]) -> bool:
    for column, value in equal.items():
        if getattr(row, column) != value:
            return False
    return True


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An episode's changes at one moment: what ``restore`` puts back."""

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
        self._journal: list[tuple[Table[Any], str, bool, Row | None]] = []
        self._minted: dict[str, int] = {}
        self._digest = StateDigest()

    def now(self) -> datetime:
        """Return the world clock's time, in UTC; it stands still."""
        return self.base.clock

    def today(self) -> date:
        """Return the world clock's date."""
        return self.base.clock.date()

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

    def write(self, table: Table[Any], key: str, row: Row | None) -> None:
        """Put a row, or its absence, into a table as part of the open transaction."""
        changes = table.changes
        self._journal.append((table, key, key in changes, changes.get(key)))
        changes[key] = row

    def commit(self) -> None:
        """Check what the transaction touched, and keep it.

        Raises:
            IntegrityError: A reference, uniqueness or invariant is broken; nothing is kept
                until ``rollback`` is called.
        """
        if not self._journal:
            self._minted.clear()
            return
        touched: dict[tuple[str, str], Row | None] = {}
        for table, key, was_changed, row in self._journal:
            before = row if was_changed else table.base.rows.get(key)
            touched.setdefault((table.schema.name, key), before)
        for name, key in sorted(touched):
            self.check(name, key, touched[name, key])
        self._digest.touch(touched)
        self._journal.clear()
        self._minted.clear()

    def rollback(self) -> None:
        """Put everything back to where the transaction began."""
        for table, key, was_changed, row in reversed(self._journal):
            if was_changed:
                table.changes[key] = row
            else:
                del table.changes[key]
        self._numbers.update(self._minted)
        self._journal.clear()
        self._minted.clear()

    def check(self, name: str, key: str, before: Row | None = None) -> None:
        """Check the constraints on one row, or on its absence.

        Args:
            name: The row's table.
            key: The row's key.
            before: The row as it last was sound: what it still shares with that needs no
                second look. None to check everything.

        Raises:
            IntegrityError: A constraint is broken.
        """
        table = self.tables[name]
        row = table.find(key)
        if row is None:
            self._check_unreferenced(table.schema, key)
            return
        for reference in table.schema.references:
            if _differs(row, before, reference.path[0]):
                self._check_reference(table.schema, key, row, reference)
        for column in table.schema.unique:
            if _differs(row, before, column):
                self._check_unique(table, key, row, column)
        for invariant in self._invariants.get(name, ()):
            if not self._keeps(invariant, row):
                raise IntegrityError(
                    f'{name} "{key}" breaks the rule {invariant.name}: {invariant.says}'
                )

    def _check_reference(
        self, schema: TableSchema, key: str, row: Row, reference: Reference
    ) -> None:
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

    def _keeps(self, invariant: Invariant, row: Row) -> bool:
        try:
            return invariant.holds(self, row)
        except Rejected:
            # It looks for a row that is not there: a broken rule, and no rejection of a call.
            return False

    def _check_unreferenced(self, schema: TableSchema, key: str) -> None:
        for table in self.tables.values():
            for reference in table.schema.references:
                if reference.table == schema.name and table.referring(reference.path, key):
                    raise IntegrityError(
                        f'{schema.name} "{key}" is gone, but {table.schema.name} still names it.'
                    )

    def snapshot(self) -> Snapshot:
        """Return the changes so far."""
        changes = {
            name: dict(table.changes) for name, table in self.tables.items() if table.changes
        }
        return Snapshot(changes, dict(self._numbers))

    def restore(self, snapshot: Snapshot) -> None:
        """Go back, or over, to a snapshot of an episode of the same base."""
        for name, table in self.tables.items():
            if table.changes or name in snapshot.changes:
                table.changes = dict(snapshot.changes.get(name, {}))
        self._numbers = dict(snapshot.numbers)
        self._digest = StateDigest(
            (name, key) for name, rows in snapshot.changes.items() for key in rows
        )

    def digest(self) -> str:
        """Return the state's digest, 32 hexadecimal digits; equal states have equal ones."""
        return self._digest.over(
            self.base.digest,
            before=lambda name, key: self.base.tables[name].rows.get(key),
            now=lambda name, key: self.tables[name].find(key),
        )
