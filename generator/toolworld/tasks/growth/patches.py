"""Rows put into a task's initial patch, and keys changed in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from toolworld.tasks.episodes import Patch
from toolworld.tasks.growth.start import Place, Row


def merged(initial: Patch, more: Iterable[Mapping[Place, Row]]) -> dict[str, dict[str, Any]]:
    """Return a patch with rows added; a row that the patch has already stays as it is there."""
    patch: dict[str, dict[str, Any]] = {table: dict(rows) for table, rows in initial.items()}
    for rows in more:
        for place, row in rows.items():
            patch.setdefault(place.table, {}).setdefault(place.key, row)
    return patch


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a JSON value with each text that is an old name replaced by the new one."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [renamed(part, names) for part in value]
    if isinstance(value, dict):
        return {key: renamed(part, names) for key, part in value.items()}
    return value
