"""Places inside JSON values, as paths of names and numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = Any
Path = tuple[str | int, ...]

NESTED = (dict, list)


def path_of(text: str) -> Path:
    """Return the path that a reference spells: ``items.0.order_id``."""
    return tuple(int(part) if part.isdecimal() else part for part in text.split(".") if part)


def found_at(value: Json, path: Path) -> Json:
    """Return what stands at a path; None where nothing does."""
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def places_of(value: Json, wanted: Json, path: Path = ()) -> Iterator[Path]:
    """Yield each place inside an object or a list where a plain value stands."""
    for name, part in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(part, NESTED):
            yield from places_of(part, wanted, (*path, name))
        elif part == wanted and isinstance(part, bool) == isinstance(wanted, bool):
            yield (*path, name)
