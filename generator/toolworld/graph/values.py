"""Values inside JSON, by path and by the name they stand under."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolworld.prove.facts import leaves

Json = Any


def at(value: Json, path: str) -> list[Json]:
    """Return the values at a path; ``*`` means every item of a list."""
    if path.isidentifier() and isinstance(value, dict):  # most paths, at once
        found = value.get(path)
        return [] if found is None else [found]
    here = [value]
    for part in path.split("."):
        if part == "*":
            here = [item for one in here if isinstance(one, list) for item in one]
        else:
            here = [one[part] for one in here if isinstance(one, dict) and part in one]
    return [one for one in here if one is not None]


def places(value: Json, parts: Sequence[str]) -> list[tuple[str, Json]]:
    """Return the exact path and the value of each place that a path leads to."""
    if len(parts) == 1 and isinstance(value, dict):  # most paths, at once
        found = value.get(parts[0])
        return [] if found is None else [(parts[0], found)]
    here = [("", value)]
    for part in parts:
        if part == "*":
            here = [
                (f"{way}.{number}" if way else str(number), item)
                for way, one in here
                if isinstance(one, list)
                for number, item in enumerate(one)
            ]
        else:
            here = [
                (f"{way}.{part}" if way else part, one[part])
                for way, one in here
                if isinstance(one, dict) and part in one
            ]
    return [found for found in here if found[1] is not None]


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
    """Whether a plain value occurs anywhere inside another value."""
    return any(leaf == wanted for _, leaf in leaves(value))
