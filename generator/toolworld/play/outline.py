"""Lays out JSON values for people: on one line if they fit; long lists are shortened."""

from __future__ import annotations

import json
from collections.abc import Iterator

from toolworld.jsonvalues import JsonValue

MOST_ITEMS = 10
"""The most items shown of a list; the command ``last`` shows the whole result."""

STEP = 2


def outline(value: JsonValue, width: int) -> str:
    """Return a value as lines of about a width."""
    return "\n".join(_lines(value, width))


def _lines(value: JsonValue, width: int) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for name, part in value.items():
            yield from _headed(f"{name}:", part, width)
    elif isinstance(value, list) and value:
        for part in value[:MOST_ITEMS]:
            yield from _bulleted(part, width)
        if len(value) > MOST_ITEMS:
            yield f"... and {len(value) - MOST_ITEMS} more"
    else:
        yield _flat(value)


def _headed(head: str, value: JsonValue, width: int) -> Iterator[str]:
    """Yield a value after its name, or under it if it is too long."""
    line = f"{head} {_flat(value)}"
    if _is_plain(value) or len(line) <= width:
        yield line
        return
    yield head
    for inner in _lines(value, width - STEP):
        yield " " * STEP + inner


def _bulleted(value: JsonValue, width: int) -> Iterator[str]:
    line = f"- {_flat(value)}"
    if _is_plain(value) or len(line) <= width:
        yield line
        return
    for number, inner in enumerate(_lines(value, width - STEP)):
        yield f"{' ' if number else '-'} {inner}"


def _is_plain(value: JsonValue) -> bool:
    return not value or not isinstance(value, dict | list)


def _flat(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)
