"""Places inside JSON values, as paths of names and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Json = Any
Path = tuple[str | int, ...]


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
    """Yield each place inside a value where a plain value stands."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from places_of(part, wanted, (*path, name))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from places_of(part, wanted, (*path, number))
    elif value == wanted and isinstance(value, bool) == isinstance(wanted, bool):
        yield path
