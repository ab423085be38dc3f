"""JSON values and what stands inside them: the one module that walks through them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

JsonValue: TypeAlias = (
    "None | bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue]"
)
JsonPath: TypeAlias = tuple[str | int, ...]
"""The names and list positions that lead to a value."""


def leaves(value: JsonValue, path: JsonPath = ()) -> Iterator[tuple[JsonPath, JsonValue]]:
    """Yield each plain value inside a value, with its path."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from leaves(part, (*path, name))
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from leaves(part, (*path, number))
    else:
        yield path, value


def at(value: JsonValue, path: str) -> list[JsonValue]:
    """Return what stands at a path with dots; ``*`` is every item of a list, nulls are left out."""
    here: list[JsonValue] = [value]
    for part in path.split("."):
        inner: list[JsonValue] = []
        for one in here:
            if isinstance(one, Mapping):
                inner += [one[part]] if part in one else []
            elif isinstance(one, list | tuple):
                inner += _items(one, part)
        here = inner
    return [one for one in here if one is not None]


def _items(items: Sequence[JsonValue], part: str) -> Sequence[JsonValue]:
    if part == "*":
        return items
    return items[int(part) : int(part) + 1] if part.isdecimal() else ()


def replaced(value: JsonValue, path: Sequence[str | int], new: JsonValue) -> JsonValue:
    """Return a value with another one at a path; names on the way that are missing are added."""
    if not path:
        return new
    first, rest = path[0], path[1:]
    if isinstance(value, list | tuple):
        return [
            replaced(part, rest, new) if number == first else part
            for number, part in enumerate(value)
        ]
    inner = value if isinstance(value, Mapping) else {}
    return {**inner, str(first): replaced(inner.get(str(first)), rest, new)}
