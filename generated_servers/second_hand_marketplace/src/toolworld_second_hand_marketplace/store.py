"""The database: one immutable base shared by all episodes, and each episode's own changes.

A table looks a row up in its episode's changes first and in the base second, so opening,
resetting, copying and comparing episodes cost what they changed, never what the base holds.
Changes belong to a transaction: ``commit`` checks every constraint on what was touched, and
``rollback`` puts back exactly what was there. Nothing here knows tools, tasks or MCP.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from itertools import repeat
from typing import Any, Generic, NamedTuple, TypeVar, cast

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
from .trace import Written
from .values import Row

RowT = TypeVar("RowT", bound=Row)
Changes = dict[str, Row | None]
"""What an episode made of a table: a row replaced or added, or None for one removed."""

KEY_WIDTH = 5
MOST_SHOWN = 60
"""How much of a key that no row has is said back."""
ABSENT = object()
"""Stands for no change of a row, where None is the change that removes it."""


class Table(Generic[RowT]):
    """One table of one episode."""

    __slots__ = ("_base_rows", "_database", "base", "changes", "schema")

    def __init__(self, database: Database, base: BaseTable) -> None:
        """Start with no changes over the base."""
        self._database = database
        self._base_rows: dict[str, Any] = base.rows
        self.base = base
        self.schema = base.schema
        self.changes: dict[str, Any] = {}

    def find(self, key: str) -> RowT | None:
        """Return the row with a key, or None."""
        changes = self.changes
        return changes[key] if key in changes else self._base_rows.get(key)

    def get(self, key: str) -> RowT:
        """Return the row with a key.

        Raises:
            Rejected: There is none.
        """
        # What find does, without calling it: nothing is called more often.
        changes = self.changes
        row: RowT | None = changes[key] if key in changes else self._base_rows.get(key)
        if row is None:
            raise self._unknown(key)
        return row

    def _unknown(self, key: str) -> Rejected:
        """Return the rejection of a key that no row has."""
        schema, shown = self.schema, f"{key:.{MOST_SHOWN}}"
        return Rejected(
            f"unknown_{schema.noun.replace(' ', '_')}",
            f'No {schema.noun} has the {schema.key} "{shown}". '
            "Look it up first, and pass it exactly as it was given.",
            **{schema.key: shown},
        )

    def all(self) -> list[RowT]:
        """Return every row, in key order."""
        if not self.changes:
            return list(self._base_rows.values())
        rows, new = self._base_rows.copy(), list[Row | None]()
        for key, row in self.changes.items():
            if key not in rows:
                new.append(row)
            elif row is None:
                del rows[key]
            else:
                rows[key] = row
        return self._sorted_in(list(rows.values()), new)

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
        if not self.changes:
            return cast("list[RowT]", list(base))
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
        row = self.get(key)
        changed = self._differing(row, columns)
        row = row.changed(changed)
        self._database.write(self, key, row, changed)
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
            raise _misfit(error, self.schema.name) from error

    def _differing(self, row: Row, columns: Mapping[str, object]) -> dict[str, object]:
        """Return those of some columns, checked one by one, that are not as in a row."""
        validators = self.schema.validators
        differing = {}
        for column, value in columns.items():
            validator = validators.get(column)
            if validator is None:
                raise IntegrityError(f"{self.schema.name} has no column {column}.")
            try:
                checked = validator.validate_python(value)
            except ValidationError as error:
                raise _misfit(error, self.schema.name, column) from error
            if checked != getattr(row, column):
                differing[column] = checked
        return differing

    def _merged(self, base: Iterable[Row], changed: Iterable[Row | None]) -> list[RowT]:
        key = self.schema.key
        kept = [row for row in base if getattr(row, key) not in self.changes]
        return self._sorted_in(kept, changed)

    def _sorted_in(self, rows: list[Row], more: Iterable[Row | None]) -> list[RowT]:
        """Put more rows where they belong among rows in key order."""
        key = self.schema.key
        for row in more:
            if row is not None:
                insort(rows, row, key=lambda one: in_key_order(getattr(one, key)))
        return cast("list[RowT]", rows)


def _misfit(error: ValidationError, *place: str) -> IntegrityError:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in (*place, *first["loc"]))
    return IntegrityError(f"{where}: {first['msg']}.")


def _differing(one: Changes, other: Changes) -> list[str]:
    """Return the keys of the rows of which two tables' changes hold another object."""
    if not other:
        return [*one]
    differing = [key for key, row in one.items() if other.get(key, ABSENT) is not row]
    return [*differing, *(other.keys() - one.keys())]


def _matches(row: Row, equal: Mapping[str, object]) -> bool:
    for column, value in equal.items():
        if getattr(row, column) != value:
            return False
    return True


class Snapshot(NamedTuple):
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
        # By table and key: the change there was before the transaction, and the columns it changes.
        self._journal: dict[tuple[str, str], tuple[object, Collection[str] | None]] = {}
        self._written: set[str] = set()
        # The tables whose changes a snapshot holds.
        self._held: set[str] = set()
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

    def write(
        self, table: Table[Any], key: str, row: Row | None, columns: Collection[str] | None = None
    ) -> None:
        """Put a row, or its absence, into a table as part of the open transaction.

        Args:
            table: The table.
            key: The row's key.
            row: The row, or None to take it away.
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
        """Return a table's changes to make more of them: a copy, where a snapshot holds them."""
        name = table.schema.name
        if name in self._held:
            self._held.remove(name)
            table.changes = table.changes.copy()
        return table.changes

    def written(self) -> tuple[Written, ...]:
        """Return the rows that the open transaction changes, as they were and as they are."""
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
        """Check what the transaction touched, and keep it.

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
        """Put everything back to where the transaction began."""
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
            columns: The columns that changed since the row was sound: what reads none of them
                needs no second look. None to check everything.
            tables: The tables where anything changed since.

        Raises:
            IntegrityError: A constraint is broken.
        """
        table = self.tables[name]
        row = table.find(key)
        if row is None:
            self._check_unreferenced(table.schema, key)
            return
        changed = row.__dict__ if columns is None else columns
        for reference in table.schema.references:
            if reference.path[0] in changed:
                self._check_reference(table.schema, key, row, reference)
        for column in table.schema.unique:
            if column in changed:
                self._check_unique(table, key, row, column)
        for invariant in self._invariants.get(name, ()):
            if invariant.columns.isdisjoint(changed) and invariant.tables.isdisjoint(tables):
                continue
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
        """Return the changes so far, which are copied only when more are made."""
        tables = self.tables
        changes = {name: tables[name].changes for name in self._written if tables[name].changes}
        self._held.update(changes)
        return Snapshot(changes, dict(self._numbers))

    def restore(self, snapshot: Snapshot) -> None:
        """Go back, or over, to a snapshot of an episode of the same base."""
        for name in self._written.union(snapshot.changes):
            table, then = self.tables[name], snapshot.changes.get(name, {})
            if table.changes is not then:
                self._digest.touch(zip(repeat(name), _differing(table.changes, then)))
                table.changes = then
        self._written, self._held = set(snapshot.changes), set(snapshot.changes)
        self._numbers = dict(snapshot.numbers)

    def digest(self) -> str:
        """Return the state's digest, 32 hexadecimal digits; equal states have equal ones."""
        return self._digest.over(
            self.base.digest,
            before=lambda name, key: self.base.tables[name].rows.get(key),
            now=lambda name, key: self.tables[name].find(key),
        )
