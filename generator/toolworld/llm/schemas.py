"""JSON schemas of answers, reduced to possible answers and to keywords that servers enforce."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

Schema = dict[str, Any]
DEFS = "$defs"
OBJECT: Schema = {"type": "object"}
"""An object of any keys."""


def without_names(schema: Schema, missing: Iterable[str]) -> None:
    """Remove the parts of a schema whose enum would have no values.

    An enum without values is no schema to many servers, and no question to anyone.

    Args:
        schema: The schema; it is changed.
        missing: The definitions of the names there are none of.
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
    """Return whether no value fits, because a required part has no values left."""
    fields = part.get("properties", {})
    return any(_is_gone(fields[name], gone) for name in part.get("required", ()))


def _is_gone(part: Schema, gone: set[str]) -> bool:
    if part.get("type") == "array" and part.get("minItems"):
        return _is_gone(part["items"], gone)
    return str(part.get("$ref", "")).removeprefix(f"#/{DEFS}/") in gone


def _leave_out(part: Schema, gone: set[str]) -> None:
    """Take out the optional fields that are gone; a list of such that must be there is empty."""
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

    They take an object of any keys for one of none, so it is to be given as a text.
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
