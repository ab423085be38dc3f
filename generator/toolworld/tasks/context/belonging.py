"""Which person a row belongs to, and which rows belong together.

A **person** is a row of a table with e-mail addresses that other tables name. A person's row may
hang on another one of theirs, as a return does on its order: then the two belong together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from toolworld.tasks.context.start import RowKey, StartRows, Tables

DEEPEST = 4
FEWEST_PARTS = 2
"""Rows hang on a row of a table that at least so many tables name: an order, not an address."""


class Belonging:
    """What belongs to whom in a package.

    Attributes:
        persons: The tables whose rows are persons.
    """

    def __init__(self, tables: Tables) -> None:
        """Find the tables of persons, and those whose rows are a person's."""
        self._tables = tables
        self.persons = _persons(tables)
        self._owned = self._owned_tables()

    def _owned_tables(self) -> set[str]:
        """Return the tables that name a person, and those that always name one."""
        owned: set[str] = set()
        while True:
            more = {
                name
                for name, schema in self._tables.schemas.items()
                if name not in owned | self.persons
                and any(self._gives_owner(name, one, owned) for one in schema.references)
            }
            if not more:
                return owned
            owned |= more

    def _gives_owner(self, table: str, reference: Any, owned: set[str]) -> bool:
        if reference.table in self.persons:
            return True
        return reference.table in owned and self._tables.is_required(table, reference.path[0])

    def owners(self, start: StartRows, place: RowKey) -> list[tuple[tuple[str, ...], RowKey]]:
        """Return the persons that a row names itself, each with the path at which it does."""
        return [one for one in start.references(place) if one[1].table in self.persons]

    def root_of(self, start: StartRows, place: RowKey) -> RowKey | None:
        """Return the topmost row that a row hangs on; None if that is nobody's."""
        here = place
        for _ in range(DEEPEST):
            above = next(self._above(start, here), None)
            if above is None:
                break
            here = above
        return here if here.table in self._owned and self.owners(start, here) else None

    def _above(self, start: StartRows, place: RowKey) -> Iterator[RowKey]:
        has_owner = bool(self.owners(start, place))
        for path, parent in start.references(place):
            if parent.table not in self._owned or not self._tables.is_required(
                place.table, path[0]
            ):
                continue
            if not has_owner or len(self._parts(parent.table)) >= FEWEST_PARTS:
                yield parent

    def _parts(self, table: str) -> set[str]:
        return {name for name, _ in self._tables.naming.get(table, ())}

    def family(self, start: StartRows, root: RowKey, most: int, needed_only: bool) -> list[RowKey]:
        """Return a row and the rows that name it, directly or not.

        Args:
            start: Where they stand.
            root: The row.
            most: No more rows than this.
            needed_only: Leave out rows of tables that the rules of a row do not look at.
        """
        found = [root]
        for place in found:
            wanted = self._tables.read_by_rules[place.table]
            for _, other in start.naming(place):
                if len(found) >= most:
                    return found
                if other not in found and (not needed_only or other.table in wanted):
                    found.append(other)
        return found


def _persons(tables: Tables) -> frozenset[str]:
    """Return the tables of persons; without e-mail addresses, those whose rows stand alone.

    Such a table names no other, and at least two others name its rows by something unique.
    """
    naming = Counter(
        reference.table
        for schema in tables.schemas.values()
        for reference in {one.table: one for one in schema.references}.values()
    )
    with_email = {
        name
        for name, schema in tables.schemas.items()
        if naming[name] and any("email" in column for column in _columns(schema))
    }
    alone = {
        name
        for name, schema in tables.schemas.items()
        if not schema.references and schema.unique and naming[name] >= FEWEST_PARTS
    }
    return frozenset(with_email or alone)


def _columns(schema: Any) -> Mapping[str, Any]:
    fields: Mapping[str, Any] = schema.row.model_fields
    return fields
