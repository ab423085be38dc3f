"""A task's patch of the database, changes that the world makes, and the rows that differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_jsonable_python

from ..database.models import Database
from ..database.store import Snapshot
from ..database.table import Table
from ..errors import BadTask, IntegrityError, Rejected
from ..values import Row
from .task import Change, JsonRow, Task, WorldChange


def apply_patch(database: Database, task: Task) -> None:
    """Apply a task's initial patch to the database, and check what it touched.

    Raises:
        BadTask: The patch names no table, misnames a row, or breaks a constraint.
    """
    try:
        for name, rows in task.initial.items():
            table = database.tables.get(name)
            if table is None:
                raise BadTask(f'Task "{task.id}" patches "{name:.60}", which is no table.')
            for key, row in rows.items():
                patch_row(database, table, key, row)
        database.commit()
    except (IntegrityError, Rejected) as error:
        raise BadTask(f'Task "{task.id}" does not fit the database: {error}') from error


def patch_row(database: Database, table: Table[Row], key: str, columns: JsonRow | None) -> None:
    """Put a row of a patch into a table, or remove it.

    Raises:
        IntegrityError: The row does not fit, or names another key than its own.
        Rejected: There is no row to remove.
    """
    if columns is None:
        table.remove(key)
        return
    row = table.parse(columns)
    own = getattr(row, table.schema.key)
    if own != key:
        raise IntegrityError(f'{table.schema.name} "{key}" has the {table.schema.key} "{own}".')
    database.write(table, key, row)


def change_of(table: Table[Any], key: str, start: Mapping[str, Row | None]) -> Change | None:
    """Return how a row differs from the start, or None if it does not."""
    before = start[key] if key in start else table.base.rows.get(key)
    after = table.find(key)
    if before == after:
        return None
    return Change(
        table=table.schema.name,
        key=key,
        before=None if before is None else as_json(before),
        after=None if after is None else as_json(after),
    )


def as_json(row: Row) -> dict[str, Any]:
    """Return a row as JSON values."""
    return to_jsonable_python(row)  # type: ignore[no-any-return]


def change_row(database: Database, change: WorldChange) -> None:
    """Apply a change of the world to a row.

    Raises:
        BadTask: It does not fit the database.
    """
    try:
        table = database.tables[change.table]
        row = table.get(change.key)
        patch_row(database, table, change.key, {**as_json(row), **change.columns})
    except (IntegrityError, Rejected, KeyError) as error:
        raise BadTask(f"A change of the world does not fit: {error}") from error


def with_change(start: Snapshot, database: Database, change: WorldChange) -> Snapshot:
    """Return a start that includes a change of the world, so that a diff does not show it."""
    table = database.tables[change.table]
    changes = start.changes.get(change.table, {})
    before = changes.get(change.key, table.base.rows.get(change.key))
    if before is None:
        return start
    row = table.parse({**as_json(before), **change.columns})
    now = table.find(change.key)
    # Use one object in both states, so that a row that nothing else wrote is no difference.
    same = now if row == now else row
    changed = {**start.changes, change.table: {**changes, change.key: same}}
    return Snapshot(changed, start.numbers)
