"""What a draft can start from: an OpenAPI document, a SQL schema, or a server's ``tools/list``.

Each is read as data and summed up in a few lines; the model covers what they say, in our own
terms.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import sqlglot
import yaml
from sqlglot import expressions as sql
from sqlglot.errors import SqlglotError

from toolworld.errors import DraftError

LARGEST = 4_000_000
MOST_CHARACTERS = 10_000
VERBS = ("get", "post", "put", "patch", "delete")
KNOWN = "Give an OpenAPI document (JSON or YAML), a SQL schema (.sql), or a tools/list as JSON."
Json = Any


def read_source(path: Path) -> str:
    """Return what a file says about a business, in a few lines.

    Args:
        path: An OpenAPI document, a SQL schema, or the result of ``tools/list`` as JSON.

    Raises:
        DraftError: It cannot be read, is broken, or is none of these.
    """
    text = _text(path)
    if path.suffix.lower() == ".sql":
        lines = list(_tables(text, path))
    else:
        lines = list(_document(_parsed(text, path), path))
    if not lines:
        raise DraftError(f"{path} has nothing to start from. {KNOWN}")
    told = "\n".join(lines)
    return told if len(told) <= MOST_CHARACTERS else told[:MOST_CHARACTERS] + "\n..."


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise DraftError(
                f"{path} is larger than {LARGEST:,} bytes; give the part that matters."
            )
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DraftError(f"{path} cannot be read: {error}") from error


def _parsed(text: str, path: Path) -> Json:
    try:
        return json.loads(text) if path.suffix.lower() == ".json" else yaml.safe_load(text)
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        raise DraftError(f"{path} is broken: {' '.join(str(error).split())}") from error


def _document(document: Json, path: Path) -> Iterator[str]:
    if not isinstance(document, Mapping):
        raise DraftError(f"{path} holds no document. {KNOWN}")
    result = document.get("result", document)
    if isinstance(result, Mapping) and isinstance(result.get("tools"), list):
        yield from (_tool(tool, path) for tool in result["tools"])
    elif "openapi" in document or "swagger" in document:
        yield from _api(document)
    else:
        raise DraftError(f"{path} is neither OpenAPI nor a tools/list. {KNOWN}")


def _tool(tool: Json, path: Path) -> str:
    if not isinstance(tool, Mapping) or not isinstance(tool.get("name"), str):
        raise DraftError(f"{path} has a tool without a name.")
    properties = _mapping(_mapping(tool.get("inputSchema")).get("properties"))
    return f"{tool['name']}({', '.join(map(str, properties))}): {_line(tool.get('description'))}"


def _api(document: Mapping[str, Json]) -> Iterator[str]:
    info = _mapping(document.get("info"))
    yield f"API: {_line(info.get('title'))}. {_line(info.get('description'))}"
    for route, item in _mapping(document.get("paths")).items():
        for verb in VERBS:
            operation = _mapping(_mapping(item).get(verb))
            if operation:
                says = operation.get("summary") or operation.get("description")
                yield f"{verb.upper()} {route}: {_line(says or operation.get('operationId'))}"
    schemas = _mapping(_mapping(document.get("components")).get("schemas"))
    for name, schema in (schemas or _mapping(document.get("definitions"))).items():
        fields = _mapping(_mapping(schema).get("properties"))
        if fields:
            yield f"{name}: {', '.join(map(str, fields))}"


def _tables(text: str, path: Path) -> Iterator[str]:
    try:
        statements = sqlglot.parse(text)
    except SqlglotError as error:
        raise DraftError(f"{path} is broken: {' '.join(str(error).split())[:400]}") from error
    for statement in statements:
        schema = statement.this if isinstance(statement, sql.Create) else None
        if isinstance(schema, sql.Schema):
            yield f"table {schema.this.sql()}: {', '.join(_columns(schema))}"


def _columns(schema: sql.Schema) -> Iterator[str]:
    for column in schema.expressions:
        yield " ".join(column.sql().split())


def _mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, Mapping) else {}


def _line(value: Json) -> str:
    return " ".join(value.split())[:300] if isinstance(value, str) else ""
