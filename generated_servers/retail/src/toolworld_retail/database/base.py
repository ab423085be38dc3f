"""The database every episode of a process starts from: rows and indexes that never change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cached_property

from ..errors import IntegrityError
from ..values import Row, letters_of
from .digest import total_of
from .schema import TableSchema, in_key_order, values_at

Index = dict[object, tuple[Row, ...]]
"""The rows that have a value, by value, in key order."""
NOTHING = (None,)
"""The index values of a row that has no value at a path."""


class BaseTable:
    """One table's rows as every episode starts with them; immutable."""

    def __init__(self, schema: TableSchema, rows: Iterable[Row]) -> None:
        """Keep the rows in key order.

        Raises:
            IntegrityError: Two rows share a key.
        """
        self.schema = schema
        keyed = [(getattr(row, schema.key), row) for row in rows]
        keyed.sort(key=lambda pair: in_key_order(pair[0]))
        self.rows: dict[str, Row] = dict(keyed)
        self._indexes: dict[tuple[str, ...], Index] = {}
        self._by_letters: dict[str, Index] = {}
        if len(self.rows) != len(keyed):
            raise IntegrityError(f"Two rows of {schema.name} share a {schema.key}.")

    def index(self, path: tuple[str, ...]) -> Index:
        """Return the rows by the value at a path, or by None; built when first asked for."""
        index = self._indexes.get(path)
        if index is None:
            index = self._indexes[path] = self._grouped(
                lambda row: dict.fromkeys(values_at(row, path)) or NOTHING
            )
        return index

    def by_letters(self, column: str) -> Index:
        """Return the rows by the letters in a column; built when first asked for."""
        index = self._by_letters.get(column)
        if index is None:
            index = self._by_letters[column] = self._grouped(
                lambda row: map(letters_of, values_at(row, (column,)))
            )
        return index

    def _grouped(self, values_of: Callable[[Row], Iterable[object]]) -> Index:
        lists: dict[object, list[Row]] = defaultdict(list)
        for row in self.rows.values():
            for value in values_of(row):
                lists[value].append(row)
        return {value: tuple(rows) for value, rows in lists.items()}

    @cached_property
    def next_number(self) -> int:
        """The number after the highest minted key."""
        start = f"{self.schema.prefix}-"
        numbers = (key.removeprefix(start) for key in self.rows if key.startswith(start))
        return 1 + max((int(number) for number in numbers if number.isdecimal()), default=0)


class Base:
    """One immutable database, shared by every episode of the process."""

    def __init__(self, clock: datetime, tables: Mapping[str, BaseTable]) -> None:
        """Keep a clock and tables, unchecked."""
        self.clock = clock
        self.today = clock.date()
        self.tables = dict(tables)

    @cached_property
    def digest(self) -> int:
        """The sum of the digests of all rows."""
        return sum(total_of(name, table.rows.values()) for name, table in self.tables.items())
