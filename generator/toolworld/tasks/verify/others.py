"""Wrong values for arguments: names of other rows, and neighbours of plain values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import islice

from toolworld.graph.surface import ToolFacts
from toolworld.jsonvalues import JsonObject, JsonValue
from toolworld.tasks.verify.arguments import ArgumentLeaf, Schema, without_null
from toolworld.tasks.verify.case import CertifiedCase

OTHER_TEXT = "Something else entirely"
MANY = 12


def other_rows(case: CertifiedCase, before: int, leaf: ArgumentLeaf, most: int) -> list[str]:
    """Return names of other rows for an argument, the most easily mistaken first.

    Those that results before a step showed come first, then those that the task puts there, then
    rows that belong to the same row, then any.
    """
    everything = case.package.names_of(leaf.named)
    found: dict[str, None] = {}
    for name in _nearest(case, before, leaf):
        if len(found) == most:
            break
        if name != leaf.value:
            found[name] = None
    for name in case.rng.sample(everything, min(most + 1, len(everything))):
        if len(found) < most and name != leaf.value:
            found[name] = None
    return list(found)


def _nearest(case: CertifiedCase, before: int, leaf: ArgumentLeaf) -> Iterator[str]:
    yield from case.seen_names(leaf.named, before)
    yield from case.laid_names(leaf.named)
    yield from islice(case.package.siblings(leaf.named, str(leaf.value)), MANY)


def other_values(case: CertifiedCase, leaf: ArgumentLeaf, most: int) -> list[JsonValue]:
    """Return neighbours of a plain value: one more or less, a day away, another enum value."""
    found = [one for one in _neighbours(leaf.value, leaf.schema) if one != leaf.value]
    if "enum" in leaf.schema:
        case.rng.shuffle(found)
    return found[:most]


def _neighbours(value: JsonValue, schema: Schema) -> list[JsonValue]:
    if "enum" in schema:
        return list(schema["enum"])
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [round(value + 1, 2), round(value - 1, 2)]
    if not isinstance(value, str):
        return []
    form = schema.get("format")
    if form == "date":
        day = date.fromisoformat(value)
        return [(day + timedelta(days=away)).isoformat() for away in (1, -1)]
    if form == "date-time":
        moment = datetime.fromisoformat(value)
        return [_utc(moment + timedelta(days=away)) for away in (1, -1)]
    other = re.sub(r"\d", lambda found: str((int(found[0]) + 1) % 10), value)
    return [OTHER_TEXT, other]


def _utc(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S}Z"


def stray_arguments(case: CertifiedCase, tool: ToolFacts) -> JsonObject:
    """Return arguments for an unwanted call, made from gold's results."""
    return {
        name: _stray(case, tool.schema["properties"][name], name, name, part.names)
        for name, part in tool.parameters.items()
        if part.required
    }


def _stray(
    case: CertifiedCase, schema: Schema, path: str, name: str, names: dict[str, str]
) -> JsonValue:
    schema = without_null(schema)
    if path in names:
        seen = case.seen_names(names[path], len(case.run.steps))
        return case.rng.choice(seen or case.package.names_of(names[path]) or ["none"])
    if "enum" in schema:
        choices: list[JsonValue] = schema["enum"]
        return case.rng.choice(choices)
    if schema.get("type") == "array":
        return [_stray(case, schema["items"], f"{path}.*", name, names)]
    if schema.get("type") == "object":
        return {
            key: _stray(case, part, f"{path}.{key}", key, names)
            for key, part in schema["properties"].items()
        }
    return _plain(case, schema, name)


def _plain(case: CertifiedCase, schema: Schema, name: str) -> JsonValue:
    seen = [one.value for shown in case.shown for one in shown if one.name == name]
    kind = schema.get("type")
    fitting = [value for value in seen if _fits(value, kind)]
    if fitting:
        return case.rng.choice(fitting)
    if kind == "boolean":
        return True
    if kind in ("integer", "number"):
        return 1
    tomorrow = case.package.clock + timedelta(days=1)
    forms = {"date": tomorrow.date().isoformat(), "date-time": _utc(tomorrow)}
    return forms.get(schema.get("format", ""), OTHER_TEXT)


def _fits(value: JsonValue, kind: str | None) -> bool:
    if kind == "boolean" or isinstance(value, bool):
        return kind == "boolean" and isinstance(value, bool)
    if kind == "string":
        return isinstance(value, str)
    return isinstance(value, int) or (kind == "number" and isinstance(value, float))
