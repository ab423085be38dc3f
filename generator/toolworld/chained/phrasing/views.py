"""Rows and values as templates see them: typed, and with rows in place of their ids."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from toolworld.chained.outline import Row
from toolworld.chained.phrasing.catalogue import LIST, Catalogue
from toolworld.chained.phrasing.spoken import Amount, Day, Moment, Number, SpokenChoice, Style

Lookup = Callable[[str, str], Row | None]
"""Finds a row by entity and key."""


class Naming(Protocol):
    """Says which row is meant."""

    def name_of(self, entity: str, key: str) -> str:
        """Return a noun phrase for a row."""


class Name:
    """A row in place of its id; what it is called is made up only when it is said."""

    __slots__ = ("_entity", "_key", "_naming")

    def __init__(self, naming: Naming, entity: str, key: str) -> None:
        """Keep whom to ask for the name."""
        self._naming, self._entity, self._key = naming, entity, key

    def __str__(self) -> str:
        """The name."""
        return self._naming.name_of(self._entity, self._key)


class View:
    """A row or object whose columns are said as people do."""

    __slots__ = ("_shape", "_values", "_views")

    def __init__(self, views: Views, shape: str, values: Row) -> None:
        """Keep the values and what is known of their types."""
        self._views, self._shape, self._values = views, shape, values

    def __getitem__(self, column: str) -> Any:
        """Return a column as it is said, or the row a reference leads to."""
        return self._views.column(self._shape, self._values, column)


class Keyed:
    """A row whose key is said as it is, as people do who know it."""

    __slots__ = ("_column", "_key", "_view")

    def __init__(self, view: View, column: str, key: str) -> None:
        """Take the row and its key."""
        self._view, self._column, self._key = view, column, key

    def __getitem__(self, column: str) -> Any:
        """Return a column as it is said."""
        return self._key if column == self._column else self._view[column]


class Views:
    """Makes views; knows types, the person's way of writing, and other rows."""

    def __init__(self, catalogue: Catalogue, style: Style, lookup: Lookup, naming: Naming) -> None:
        """Keep what views are made with."""
        self.catalogue, self.style, self.lookup, self.naming = catalogue, style, lookup, naming

    def row(self, shape: str, values: Row) -> View:
        """Return a row or object as a template sees it."""
        return View(self, shape, values)

    def value(self, kind: str, value: Any) -> Any:
        """Return a value of a type as it is said."""
        if value is None or isinstance(value, bool):
            return value
        if kind.startswith(LIST):
            return [self.value(kind.removeprefix(LIST), part) for part in value]
        if kind in self.catalogue.entities:
            return Name(self.naming, kind, value)
        if kind in self.catalogue.enums:
            return SpokenChoice(value)
        if kind in self.catalogue.shapes:
            return View(self, kind, value)
        return self._scalar(kind, value)

    def _scalar(self, kind: str, value: Any) -> Any:
        if kind == "date":
            return Day(value, self.style)
        if kind == "datetime":
            return Moment(value, self.style)
        if kind == "money":
            return Amount(value)
        return Number(value) if kind == "number" else value

    def column(self, shape: str, values: Row, column: str) -> Any:
        """Return what a template gets for a column, or for the row a reference leads to.

        Raises:
            KeyError: There is no such column.
        """
        entity = self.catalogue.entities.get(shape)
        if entity is not None and column == entity.key:
            return Name(self.naming, shape, values[column])
        if column in self.catalogue.shapes[shape]:
            return self.value(self.catalogue.type_of(shape, column), values.get(column))
        reference, target = self.catalogue.references[shape][column]
        return self._followed(target, values.get(reference))

    def _followed(self, entity: str, key: str | None) -> View | None:
        row = None if key is None else self.lookup(entity, key)
        return None if row is None else View(self, entity, row)
