"""Changes of state in words: one line a row, and for a changed row only the columns that differ."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

Change = Mapping[str, Any]
"""A table, a key, and the row before and after as JSON values; None where there is none."""

MOST_LINES = 30
LONGEST_VALUE = 300


def describe(changes: Sequence[Change]) -> str:
    """Return changes as text, at most 30 lines of it."""
    lines = [_line(change) for change in changes[:MOST_LINES]]
    if len(changes) > MOST_LINES:
        lines.append(f"... and {len(changes) - MOST_LINES} more rows")
    return "\n".join(lines) or "nothing"


def difference(wanted: Sequence[Change], actual: Sequence[Change]) -> str:
    """Return the changes that only one side has, marked with whose they are."""
    missing = [change for change in wanted if change not in actual]
    extra = [change for change in actual if change not in wanted]
    parts = (("only in process", missing), ("only here", extra))
    return "\n".join(f"{label}:\n{indent(describe(rows))}" for label, rows in parts if rows)


def indent(text: str) -> str:
    """Return text with each line moved in by two spaces."""
    return "\n".join(f"  {line}" for line in text.splitlines())


def short(value: object) -> str:
    """Return a value as JSON, or a text unchanged; long ones are cut."""
    text = value if isinstance(value, str) else _json(value)
    if len(text) <= LONGEST_VALUE:
        return text
    return f"{text[:LONGEST_VALUE]}... ({len(text)} characters)"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _line(change: Change) -> str:
    before, after = change["before"], change["after"]
    row = f"{change['table']} {change['key']}"
    if before is None:
        return f"{row} added: {short(after)}"
    if after is None:
        return f"{row} removed: {short(before)}"
    columns = [
        f"{name} {_json(before.get(name))} -> {_json(after.get(name))}"
        for name in {**before, **after}
        if before.get(name) != after.get(name)
    ]
    return f"{row} changed: {', '.join(columns)}"
