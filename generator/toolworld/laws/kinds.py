"""Kinds of rows: rows of one kind have the same values in columns that tools decide by."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import Any, Literal, get_args, get_origin

from toolworld.graph.surface import Surface
from toolworld.laws.columns import is_optional, plain_type
from toolworld.packages import Package

Kind = tuple[object, ...]
"""What each telling column of a row says."""

MOST_KNOWN = 20_000
"""How many rows are remembered with their kind."""


class RowKinds:
    """Tells rows apart by enumerations, flags, empty columns, and the signs of days and numbers."""

    def __init__(self, package: Package, surface: Surface, today: date) -> None:
        """Look through the columns of a package's tables; days are before, on or after today."""
        self._schemas = package.modules.models.SCHEMAS
        self._tables = {name: entity.table for name, entity in surface.entities.items()}
        self._known: dict[int, tuple[Any, Kind]] = {}
        self._telling = {
            name: [
                (column, how)
                for column, field in self._schemas[table].row.model_fields.items()
                if (how := _telling(field.annotation, today)) is not None
            ]
            for name, table in self._tables.items()
        }

    def of(self, entity: str, row: Any) -> Kind:
        """Return the kind of a row; the row must not change afterwards."""
        known = self._known.get(id(row))
        return known[1] if known is not None else self._learnt(entity, row)

    def _learnt(self, entity: str, row: Any) -> Kind:
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        kind = tuple([how(getattr(row, column)) for column, how in self._telling[entity]])
        # With the row, so that no other can come to have its identity.
        self._known[id(row)] = row, kind
        return kind

    def named(self, named: str, text: str, database: Any) -> Kind | None:
        """Return the kind of the row that a text names; None if there is no such row.

        Args:
            named: An entity, or a unique column as ``Variant.sku``.
            text: The key, or what stands in that column.
            database: Where the row is.
        """
        entity, _, column = named.partition(".")
        table = database.tables[self._tables[entity]]
        if column:
            found = table.where(**{column: text})
            return self.of(entity, found[0]) if found else None
        row = table.find(text)
        return self.of(entity, row) if row is not None else None

    def groups(self, database: Any) -> dict[str, dict[Kind, list[str]]]:
        """Return the keys of each entity's rows by their kind."""
        found: dict[str, dict[Kind, list[str]]] = {}
        for entity, table in self._tables.items():
            groups, key = found.setdefault(entity, {}), self._schemas[table].key
            for row in database.tables[table].all():
                groups.setdefault(self.of(entity, row), []).append(getattr(row, key))
        return found


def _telling(annotation: Any, today: date) -> Callable[[Any], object] | None:
    """Return a column's contribution to a row's kind; None for ids, texts and lists."""
    how = _plain(plain_type(annotation), today)
    return partial(_or_empty, how or _something) if is_optional(annotation) else how


def _plain(kind: Any, today: date) -> Callable[[Any], object] | None:
    if kind is bool or get_origin(kind) is Literal:
        return _itself
    if kind in (int, Decimal):
        return _sign
    if kind in (date, datetime):
        return partial(_when, today)
    is_list = get_origin(kind) is tuple
    return partial(_choices, names) if is_list and (names := _enums(get_args(kind)[0])) else None


def _enums(item: Any) -> list[str]:
    """Return the columns of the items of a list that hold a choice."""
    fields = getattr(item, "model_fields", {})
    kinds = {name: plain_type(field.annotation) for name, field in fields.items()}
    return [name for name, kind in kinds.items() if get_origin(kind) is Literal]


def _or_empty(how: Callable[[Any], object], value: object) -> object:
    return None if value is None else how(value)


def _something(_: object) -> object:
    return True


def _itself(value: object) -> object:
    return value


def _sign(value: int | Decimal) -> object:
    return (value > 0) - (value < 0)


def _when(today: date, value: date) -> object:
    day = value.date() if isinstance(value, datetime) else value
    return (day > today) - (day < today)


def _choices(names: list[str], items: tuple[Any, ...]) -> object:
    return frozenset([getattr(item, name) for item in items for name in names])
