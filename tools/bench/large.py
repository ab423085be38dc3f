"""Makes a database a thousand times as large, in seconds, from one small seed.

Each copy of a row shares its values with the original; only its key, its references and its
unique columns are new. So as many rows as before have the same value of a reference. Rows go
straight into the base's tables: nothing is validated again. References nested in lists still name
the original rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tools.bench.timing import no_collection
from toolworld import bundled
from toolworld.emit.seed import make_base
from toolworld.packages import Package
from toolworld.spec import load_spec

STRIDE = 10_000
"""The distance between the key numbers of two copies; no small table has as many rows."""


def small(package: Package, rows: int) -> Any:
    """Return a database of about as many rows in all."""
    spec = load_spec(bundled.domain_folder("retail"))
    whole = sum(len(table.rows) for table in package.environment()._base.tables.values())
    orders = round(rows * spec.domain.seed["orders"] / whole)
    return make_base(spec, package, orders, 0, lambda *_: None)


def multiplied(package: Package, base: Any, times: int) -> Any:
    """Return a database with ``times`` copies of each row of another one."""
    module = package.modules.base
    with no_collection():
        return module.Base(
            base.clock,
            {
                name: module.BaseTable(table.schema, _copies(table, base.tables, times))
                for name, table in base.tables.items()
            },
        )


def _copies(table: Any, tables: Mapping[str, Any], times: int) -> Iterator[Any]:
    schema = table.schema
    keys = {schema.key: schema.prefix}
    for reference in schema.references:
        if len(reference.path) == 1:
            keys[reference.path[0]] = tables[reference.table].schema.prefix
    for number in range(times):
        for row in table.rows.values():
            yield _copy(row, keys, schema.unique, number)


def _copy(row: Any, keys: Mapping[str, str | None], unique: tuple[str, ...], number: int) -> Any:
    values = row.__dict__
    changes = {
        column: key_of(values[column], prefix, number)
        for column, prefix in keys.items()
        if values[column] is not None
    }
    for column in unique:
        if number and column not in keys and values[column] is not None:
            changes[column] = f"{values[column]}-{number}"
    copy = row.model_copy(update=changes)
    # One set for all copies: a million of them would be most of the memory.
    object.__setattr__(copy, "__pydantic_fields_set__", row.__pydantic_fields_set__)
    return copy


def key_of(key: str, prefix: str | None, number: int) -> str:
    """Return the key that a row has in one of the copies; in the first it keeps its own."""
    if number == 0:
        return key
    if prefix is None:
        return f"{key}-{number}"
    return f"{prefix}-{int(key.removeprefix(prefix + '-')) + number * STRIDE:05d}"


def size(base: Any) -> int:
    """Return how many rows a database has."""
    return sum(len(table.rows) for table in base.tables.values())
