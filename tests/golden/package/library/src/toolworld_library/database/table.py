"""A table of an episode: the rows that all episodes share, under the episode's own changes."""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Generic, Protocol, TypeVar, cast

from pydantic import ValidationError

from ..errors import IntegrityError, Rejected
from ..values import Row, letters_of
from .base import BaseTable
from .schema import TableSchema, in_key_order, values_at

RowT = TypeVar("RowT", bound=Row)
Changes = dict[str, Row | None]
"""An episode's changes of a table by key: the new row, or None for a removed one."""

MOST_SHOWN = 60
"""How many characters of an unknown key a rejection repeats."""
ABSENT = object()
"""Marks a row without a change; None marks a removed row."""


class Transaction(Protocol):
    """The part of a database that takes a table's changes."""

    def mint(self, schema: TableSchema) -> str:
        """Return a new key."""

    def write(
        self, table: Table[Any], key: str, row: Row | None, columns: Collection[str] | None = None
    ) -> None:
        """Put a row, or its absence, into a table."""


class Table(Generic[RowT]):
    """One table of one episode."""

    __slots__ = ("_base_rows", "_database", "base", "changes", "schema")

    def __init__(self, database: Transaction, base: BaseTable) -> None:
        """Start with no changes over the base.

        Args:
            database: Mints the keys of new rows, and takes every change.
            base: The rows that all episodes share.
        """
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
            Rejected: No row has the key.
        """
        # The same as ``find``, inlined: no method is called more often.
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
        rows, new = self._base_rows.copy(), list[Row]()
        for key, row in self.changes.items():
            if row is None:
                rows.pop(key, None)
            elif key in rows:
                rows[key] = row
            else:
                new.append(row)
        return self._sorted_in(list(rows.values()), new)

    def where(self, **equal: object) -> list[RowT]:
        """Return the rows whose columns have these values, in key order.

        With a column among them that is neither a list nor an object, this is an index look-up.
        """
        base: Collection[Row] | None = None
        for column, value in equal.items():
            if isinstance(value, (list, tuple)):
                equal[column] = tuple(value)
            elif base is None and column in self.schema.selective:
                base = self.base.index((column,)).get(value, ())
        if base is None:
            base = self._narrowed(equal)
        if len(equal) > 1:
            base = _having(base, equal)
        if not self.changes:
            return cast("list[RowT]", list(base))
        return self._merged(base, _having(self._changed(), equal))

    def alike(self, **texts: str) -> list[RowT]:
        """Return the rows whose columns have these texts, in key order, by index look-up.

        Case, accents, spaces and signs do not count.
        """
        wanted = {column: letters_of(text) for column, text in texts.items()}
        pools = [self.base.by_letters(column).get(text, ()) for column, text in wanted.items()]
        base = [row for row in min(pools, key=len) if _is_alike(row, wanted)]
        return self._merged(base, [row for row in self._changed() if _is_alike(row, wanted)])

    def referring(self, path: tuple[str, ...], key: str) -> list[RowT]:
        """Return the rows that name a key at a path, in key order."""
        base = self.base.index(path).get(key, ())
        return self._merged(base, [row for row in self._changed() if key in values_at(row, path)])

    def add(self, **columns: object) -> RowT:
        """Add a row; mint its key if there is a prefix, and set nullable columns left out to null.

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
        """Change columns of a row and return the new row.

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

    def _narrowed(self, equal: Mapping[str, object]) -> Collection[Row]:
        """Return the rows of the base that have one of the values, the fewest that can be."""
        indexed = equal.keys() & self.schema.indexed
        pools = [self.base.index((column,)).get(equal[column], ()) for column in indexed]
        if pools:
            return min(pools, key=len)
        return _having(self._base_rows.values(), equal)

    def _changed(self) -> list[Row]:
        """Return the rows that the episode added or changed."""
        return [row for row in self.changes.values() if row is not None]

    def _differing(self, row: Row, columns: Mapping[str, object]) -> dict[str, object]:
        """Return the columns, each checked, whose values differ from those of a row."""
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

    def _merged(self, base: Iterable[Row], changed: Collection[Row]) -> list[RowT]:
        """Return the rows of the base that did not change, and those that did, in key order."""
        key, changes = self.schema.key, self.changes
        return self._sorted_in([row for row in base if getattr(row, key) not in changes], changed)

    def _sorted_in(self, rows: list[Row], more: Collection[Row]) -> list[RowT]:
        """Insert more rows into rows in key order, and return these."""
        if rows or len(more) > 1:
            key = self.schema.key
            for row in more:
                insort(rows, row, key=lambda one: in_key_order(getattr(one, key)))
        else:
            rows.extend(more)
        return cast("list[RowT]", rows)


def _misfit(error: ValidationError, *place: str) -> IntegrityError:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in (*place, *first["loc"]))
    return IntegrityError(f"{where}: {first['msg']}.")


def _having(rows: Collection[Row], equal: Mapping[str, object]) -> Collection[Row]:
    """Return the rows whose columns have these values."""
    for column, value in equal.items():
        rows = [row for row in rows if getattr(row, column) == value]
    return rows


def _is_alike(row: Row, wanted: Mapping[str, str]) -> bool:
    for column, text in wanted.items():
        value = getattr(row, column)
        if value is None or letters_of(value) != text:
            return False
    return True
