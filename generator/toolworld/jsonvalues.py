"""JSON values: their one type, and the paths inside them.

A path is the names and numbers that lead from a value to a part of it. Nothing here changes a
value in place.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TypeAlias

JsonValue: TypeAlias = "None | bool | int | float | str | list[JsonValue] | dict[str, JsonValue]"
JsonObject: TypeAlias = "dict[str, JsonValue]"
Path: TypeAlias = tuple[str | int, ...]

NESTED = (dict, list)


def parsed(text: str) -> JsonValue:
    """Return the value of a JSON text.

    Raises:
        ValueError: It is no JSON, or nested too deeply to be read.
    """
    try:
        value: JsonValue = json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return value


def leaves(value: JsonValue, path: Path = ()) -> Iterator[tuple[Path, JsonValue]]:
    """Yield each value that is neither an object nor a list, with its path, in their order.

    Args:
        value: The value to look through.
        path: What its paths begin with.
    """
    if not isinstance(value, NESTED):
        yield path, value
        return
    for step, part in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(part, NESTED):
            yield from leaves(part, (*path, step))
        else:  # most are plain: no generator for each
            yield (*path, step), part


def at(value: JsonValue, path: Path) -> JsonValue:
    """Return the value at a path.

    Raises:
        LookupError: Nothing does.
    """
    for part in path:
        if isinstance(value, dict) and isinstance(part, str):
            value = value[part]
        elif isinstance(value, list) and isinstance(part, int):
            value = value[part]
        else:
            raise LookupError(f"{spelled(path)}: nothing stands at {part!r}")
    return value


def replaced(value: JsonValue, path: Path, new: JsonValue) -> JsonValue:
    """Return a copy of a value with another part at a path.

    Raises:
        LookupError: Nothing stands there.
    """
    if not path:
        return new
    first, rest = path[0], path[1:]
    inner = replaced(at(value, (first,)), rest, new)
    if isinstance(value, dict):
        return {**value, str(first): inner}
    assert isinstance(value, list)  # noqa: S101 - at() found something there
    return [inner if number == first else part for number, part in enumerate(value)]


def texts(value: JsonValue) -> Iterator[str]:
    """Yield each text inside a value, in their order."""
    for _, leaf in leaves(value):
        if isinstance(leaf, str):
            yield leaf


def spelled(path: Path) -> str:
    """Return a path as people read it: ``items.0.order_id``."""
    return ".".join(map(str, path))


def pattern(path: Path) -> str:
    """Return a path as a tool's effects spell it, with each number as an asterisk."""
    return ".".join("*" if isinstance(part, int) else part for part in path)
