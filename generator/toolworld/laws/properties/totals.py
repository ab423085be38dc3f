"""Total changes of calls: sums of numbers and counts of rows, independent of row keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any, Literal, get_args, get_origin

from toolworld.laws.columns import plain_type
from toolworld.laws.properties.patterns import choices_of
from toolworld.packages import Package

Total = Decimal | int


class Totals:
    """Counts the changes of calls.

    A column of numbers has its sum, as ``payments.amount``; a choice has the number of rows that
    hold it, as ``orders.status=paid``; a day counts as its number in the calendar; parts of lists
    count as ``orders.lines.quantity``.

    Attributes:
        choices: The columns of each table that hold a choice.
    """

    def __init__(self, package: Package) -> None:
        """Look through the columns of a package's tables."""
        schemas = package.modules.models.SCHEMAS
        self._columns = {name: _counted(schema.row) for name, schema in schemas.items()}
        self.choices = {name: choices_of(schema.row) for name, schema in schemas.items()}

    def of(self, writes: Iterable[Any]) -> dict[str, Total]:
        """Return the total change of some writes; columns that did not change are left out."""
        totals: Counter[str] = Counter()
        for one in writes:
            if one.after is not None:
                totals.update(dict(self._of_row(one.table, one.after)))
            if one.before is not None:
                totals.subtract(dict(self._of_row(one.table, one.before)))
        return {name: total for name, total in totals.items() if total}

    def moved(self, writes: Iterable[Any]) -> dict[str, Total]:
        """Return the sums that some writes changed of rows that were there before and after."""
        there = (one for one in writes if one.before is not None and one.after is not None)
        return {name: total for name, total in self.of(there).items() if "=" not in name}

    def money(self, writes: Iterable[Any]) -> dict[str, Decimal]:
        """Return the sums of money that some writes changed."""
        totals = self.of(writes)
        return {name: total for name, total in totals.items() if isinstance(total, Decimal)}

    def _of_row(self, table: str, row: Any) -> Iterator[tuple[str, Total]]:
        found: Counter[str] = Counter()
        for name, value in _leaves(table, self._columns[table], row):
            if isinstance(value, str):
                found[f"{name}={value}"] += 1
            elif isinstance(value, date):
                found[name] += value.toordinal()
            elif value is not None:
                found[name] += value
        yield from found.items()


Columns = Mapping[str, "Columns | None"]
"""The columns that count; those of the parts of a list or an object below it."""


def _counted(row: Any) -> Columns:
    """Return the columns of a class that hold numbers or choices."""
    found: dict[str, Columns | None] = {}
    for name, field in row.model_fields.items():
        kind = plain_type(field.annotation)
        if kind in (int, Decimal, date) or get_origin(kind) is Literal:
            found[name] = None
        part = get_args(kind)[0] if get_origin(kind) is tuple else kind
        if hasattr(part, "model_fields") and (below := _counted(part)):
            found[name] = below
    return found


def _leaves(path: str, columns: Columns, row: Any) -> Iterator[tuple[str, Any]]:
    for name, below in columns.items():
        value = getattr(row, name)
        if below is None:
            yield f"{path}.{name}", value
        else:
            for part in value if isinstance(value, tuple) else [value]:
                if part is not None:
                    yield from _leaves(f"{path}.{name}", below, part)
