"""Values inside JSON, by path and by the name they stand under."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toolworld.prove.facts import leaves

Json = Any


def at(value: Json, path: str) -> Iterator[Json]:
    """Yield what stands at a path; ``*`` is every item of a list."""
    yield from (found for _, found in places(value, path.split(".")))


def places(value: Json, parts: list[str], way: str = "") -> Iterator[tuple[str, Json]]:
    """Yield each place a path leads to, as its exact path and what stands there."""
    if not parts:
        if value is not None:
            yield way, value
    elif parts[0] == "*":
        for number, item in enumerate(value if isinstance(value, list) else ()):
            yield from places(item, parts[1:], _join(way, str(number)))
    elif isinstance(value, dict) and parts[0] in value:
        yield from places(value[parts[0]], parts[1:], _join(way, parts[0]))


def _join(way: str, part: str) -> str:
    return f"{way}.{part}" if way else part


def placed(value: Json, parts: list[str], new: Json) -> Json:
    """Return a copy of a value with another at a path, in the first item of each list."""
    if not parts:
        return new
    if parts[0] == "*":
        items = value if isinstance(value, list) and value else [{}]
        return [placed(items[0], parts[1:], new), *items[1:]]
    inner = value if isinstance(value, Mapping) else {}
    return {**inner, parts[0]: placed(inner.get(parts[0]), parts[1:], new)}


def holds(value: Json, wanted: Json) -> bool:
    """Whether a plain value stands anywhere inside another."""
    return any(leaf == wanted for _, leaf in leaves(value))
