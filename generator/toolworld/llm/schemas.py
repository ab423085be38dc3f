"""JSON schemas of answers, reduced to possible answers and to keywords that servers enforce."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

Schema = dict[str, Any]
DEFS = "$defs"
OBJECT: Schema = {"type": "object"}
"""An object with any keys."""


def without_names(schema: Schema, missing: Iterable[str]) -> None:
    """Remove the parts of a schema that need a name of a kind that has no names.

    Many servers refuse an enum without values, and nobody could answer it.

    Args:
        schema: The schema; it is changed.
        missing: The kinds that have no names.
    """
    definitions: Schema = schema.get(DEFS, {})
    gone = set(missing)
    while fresh := {name for name, one in definitions.items() if _cannot_be(one, gone)} - gone:
        gone |= fresh
    if not gone:
        return
    for name in gone:
        definitions.pop(name, None)
    for part in (schema, *definitions.values()):
        _leave_out(part, gone)


def _cannot_be(part: Schema, gone: set[str]) -> bool:
    """Return whether no value fits: a required field needs a name that is gone."""
    fields = part.get("properties", {})
    return any(_is_gone(fields[name], gone) for name in part.get("required", ()))


def _is_gone(part: Schema, gone: set[str]) -> bool:
    if part.get("type") == "array" and part.get("minItems"):
        return _is_gone(part["items"], gone)
    return str(part.get("$ref", "")).removeprefix(f"#/{DEFS}/") in gone


def _leave_out(part: Schema, gone: set[str]) -> None:
    """Remove the optional fields that are gone; a required list of them must be empty."""
    fields: Schema = part.get("properties", {})
    for name, one in [*fields.items()]:
        if not _is_gone(one.get("items", one), gone):
            continue
        if name in part.get("required", ()):
            fields[name] = {"type": "array", "items": {"type": "string"}, "maxItems": 0}
        else:
            del fields[name]


def enforceable(schema: Schema) -> Schema:
    """Return a schema that servers enforce to the letter.

    They treat an object with any keys as one with none, so such an object must be given as text.
    """
    whole = copy.deepcopy(schema)
    _close(whole)
    return whole


def _close(node: Any) -> None:
    if isinstance(node, dict):
        ways = node.get("anyOf")
        if isinstance(ways, list) and OBJECT in ways:
            ways.remove(OBJECT)
            if len(ways) == 1:
                node.update(node.pop("anyOf")[0])
        for part in node.values():
            _close(part)
    elif isinstance(node, list):
        for part in node:
            _close(part)
