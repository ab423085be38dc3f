"""Completes the words of a line that a player types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolworld.play.reading import Schema

TAKES_TOOL = ("show", "call")


def completions(
    before: str, commands: Sequence[str], tools: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """Return the words that may come next.

    Args:
        before: The line before the word, such as ``show `` or ``renew_loan loan_id=``.
        commands: All commands.
        tools: The definitions of the tools by name.
    """
    words = before.split()
    if not words:
        return [*commands, *tools]
    if len(words) == 1 and words[0] in TAKES_TOOL:
        return list(tools)
    tool = tools.get(words[1] if words[0] == "call" and len(words) > 1 else words[0])
    if tool is None:
        return []
    parameters = tool["inputSchema"].get("properties", {})
    if before.endswith("="):
        return choices(parameters.get(words[-1].removesuffix("="), {}))
    return [f"{name}=" for name in parameters if f" {name}=" not in before]


def choices(schema: Schema) -> list[str]:
    """Return the values that a schema lists, if it does."""
    arms = schema.get("anyOf", [schema])
    listed = [str(value) for arm in arms for value in arm.get("enum", ())]
    boolean = any(arm.get("type") == "boolean" for arm in arms)
    return [*listed, "yes", "no"] if boolean else listed
