"""JSON objects within answers: models give them as objects or as text."""

from __future__ import annotations

import json
from typing import Any

LONGEST = 4000
DEEPEST = 12
MOST_SHOWN = 80
NULL = "null"


def as_text(value: Any) -> Any:
    """Return the text of an object; anything else unchanged."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value


def object_text(value: Any) -> str:
    """Return the text of a JSON object that is given as an object or as text.

    Raises:
        ValueError: It is no JSON object, or is too long or nested too deeply.
    """
    value = as_text(value)
    if not isinstance(value, str):
        raise ValueError("give a JSON object")
    if len(value) > LONGEST:
        raise ValueError(f"it has {len(value):,} characters; give at most {LONGEST:,}")
    if not isinstance(_loaded(value), dict):
        raise ValueError(f"{value[:MOST_SHOWN]} is no JSON object")
    return value


def object_text_or_null(value: Any) -> str:
    """Return the text of a JSON object or null that is given as a value or as text.

    Raises:
        ValueError: It is neither.
    """
    if value is None or (isinstance(value, str) and value.strip() == NULL):
        return NULL
    return object_text(value)


def _loaded(text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=_no_number)
        text.encode()
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{text[:MOST_SHOWN]!a} is no JSON ({error})") from error
    if _depth(value) > DEEPEST:
        raise ValueError(f"it is nested more than {DEEPEST} deep")
    return value


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _depth(value: Any) -> int:
    """Return how deep a value is nested, without looking further than ``DEEPEST``."""
    depth, level = 0, [value]
    while level and depth <= DEEPEST:
        parts = [one.values() if isinstance(one, dict) else one for one in level
                 if isinstance(one, dict | list)]  # fmt: skip
        level = [part for inner in parts for part in inner]
        depth += 1
    return depth
