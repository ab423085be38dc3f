"""Reads what a player types as the arguments of a tool.

A value is text as the tool's schema takes it, JSON, or text in single quotes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from toolworld.errors import PlayError
from toolworld.jsonvalues import JsonObject, JsonValue

Schema = Mapping[str, Any]

NAME = re.compile(r"\s*([^\W\d]\w*)=")
WORD = re.compile(r"\S*")
QUOTED = re.compile(r"'([^']*)'(?!\S)")
STARTS_JSON = ('"', "[", "{")
BOOLEANS = {"yes": True, "no": False, "true": True, "false": False}


def read_json(text: str) -> JsonValue:
    """Return the value of a JSON text.

    Raises:
        PlayError: It is no JSON, or holds NaN or an infinity.
    """
    try:
        value: JsonValue = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise PlayError(f"This is no JSON: {error}.") from error
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number of JSON")


def read_arguments(text: str, tool: Schema) -> JsonObject:
    """Return the arguments on a line: ``name=value`` each, or one JSON object.

    Args:
        text: What follows the tool's name.
        tool: The tool's definition, which says how a value is read.

    Raises:
        PlayError: It is neither.
    """
    if text.lstrip().startswith("{"):
        value = read_json(text)
        assert isinstance(value, dict)  # noqa: S101 - what starts like an object is one, or no JSON
        return value
    found: JsonObject = {}
    for name, value in _named_values(text, tool["inputSchema"].get("properties", {})):
        if name in found:
            raise PlayError(f"{name} is given twice.")
        found[name] = value
    return found


def _named_values(text: str, schemas: Mapping[str, Schema]) -> Iterator[tuple[str, JsonValue]]:
    place = 0
    text = text.rstrip()
    while place < len(text):
        match = NAME.match(text, place)
        if match is None:
            raise PlayError(
                f'"{text[place:].strip():.60}" is no name=value. Put a value with spaces in quotes.'
            )
        value, place = _value_at(text, match.end(), schemas.get(match[1], {}))
        yield match[1], value


def _value_at(text: str, place: int, schema: Schema) -> tuple[JsonValue, int]:
    """Return the value that begins at a position of a line, and its end."""
    if text.startswith(STARTS_JSON, place):
        return _json_at(text, place)
    quoted = QUOTED.match(text, place)
    if quoted is not None:
        return quoted[1], quoted.end()
    word = WORD.match(text, place)
    assert word is not None  # noqa: S101 - it fits the empty text, too
    return value_of(word[0], schema), word.end()


def _json_at(text: str, place: int) -> tuple[JsonValue, int]:
    try:
        value, end = json.JSONDecoder(parse_constant=_refuse).raw_decode(text, place)
    except (ValueError, RecursionError) as error:
        raise PlayError(f'"{text[place:]:.60}" does not begin with JSON: {error}.') from error
    if end < len(text) and not text[end].isspace():
        raise PlayError(f'"{text[end:]:.60}" follows a value without a space.')
    return value, end


def read_answer(text: str, schema: Schema) -> JsonValue:
    """Return a value typed in reply to a question: JSON if it is some, else plain text."""
    if text.startswith(STARTS_JSON):
        try:
            return read_json(text)
        except PlayError:
            return text
    return value_of(text, schema)


def value_of(text: str, schema: Schema) -> JsonValue:
    """Return a plain text as a value of a schema; text that does not fit stays as it is.

    Args:
        text: The text, such as ``5``, ``yes``, ``null`` or ``red,green``.
        schema: The parameter's schema.
    """
    arms = {arm.get("type"): arm for arm in schema.get("anyOf", [schema])}
    if text == "null" and "null" in arms:
        return None
    if "string" in arms or not text:
        return text
    if "boolean" in arms and text.casefold() in BOOLEANS:
        return BOOLEANS[text.casefold()]
    if "array" in arms:
        return [value_of(part.strip(), arms["array"].get("items", {})) for part in text.split(",")]
    if "integer" in arms or "number" in arms:
        return _number(text)
    return text


def _number(text: str) -> JsonValue:
    try:
        value = read_json(text)
    except PlayError:
        return text
    return value if isinstance(value, int | float) else text


def spelled_call(tool: str, arguments: Mapping[str, JsonValue]) -> str:
    """Return a call as a line that can be typed again."""
    parts = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())
    return " ".join((tool, *parts))
