"""A form for the arguments of a tool: each is asked for by its schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from rich.console import RenderableType

from toolworld.jsonvalues import JsonObject
from toolworld.play.completion import choices
from toolworld.play.line_input import Ask
from toolworld.play.reading import Schema, read_answer
from toolworld.play.rendering import parameter_shown

Show = Callable[[RenderableType], None]


def fill_in(tool: Mapping[str, Any], ask: Ask, show: Show) -> JsonObject:
    """Ask for each argument of a tool, and return those that were given.

    An empty line leaves out an argument that is not needed. A value that does not fit its schema is
    asked for again.

    Raises:
        EOFError: The player gave up the form.
    """
    schema = tool["inputSchema"]
    given: JsonObject = {}
    for name, parameter in schema.get("properties", {}).items():
        required = name in schema.get("required", ())
        show(parameter_shown(name, parameter, required))
        while not _take(name, parameter, required, given, ask, show):
            pass
    return given


def _take(
    name: str, schema: Schema, required: bool, given: JsonObject, ask: Ask, show: Show
) -> bool:
    """Ask for one argument; return whether it is given or may be left out."""
    text = ask(f"  {name}> ", lambda _: choices(schema)).strip()
    if not text:
        if required:
            show('  It is needed. Type "" for an empty text; Ctrl-D gives up the call.')
        return not required
    value = read_answer(text, schema)
    problem = next(Draft202012Validator(schema).iter_errors(value), None)
    if problem is not None:
        show(f"  {problem.message:.200}")
        return False
    given[name] = value
    return True
