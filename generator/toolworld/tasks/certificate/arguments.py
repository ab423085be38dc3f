"""Walking through the arguments of a call beside their schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from toolworld.graph.surface import ToolFacts
from toolworld.tasks.certificate.paths import Path

Json = Any
Schema = Mapping[str, Json]


class Leaf(NamedTuple):
    """One plain value, or reference to an earlier result, in the arguments of a call.

    Attributes:
        path: Where it stands.
        schema: What it must look like, without the null that an optional one may be.
        entity: What it names, if it is an id; else empty.
    """

    path: Path
    value: Json
    schema: Schema
    entity: str

    @property
    def name(self) -> str:
        """The name it stands under."""
        return next(str(part) for part in reversed(self.path) if isinstance(part, str))

    @property
    def place(self) -> str:
        """The path as people read it."""
        return ".".join(map(str, self.path))


def leaves_of(tool: ToolFacts, arguments: Mapping[str, Json]) -> Iterator[Leaf]:
    """Yield the leaves of a call's arguments; of arguments that the tool lacks, none."""
    ids = {path: entity for one in tool.parameters.values() for path, entity in one.ids.items()}
    for name, value in arguments.items():
        if name in tool.parameters:
            yield from _leaves((name,), name, value, tool.schema["properties"][name], ids)


def _leaves(
    path: Path, way: str, value: Json, schema: Schema, ids: Mapping[str, str]
) -> Iterator[Leaf]:
    schema = without_null(schema)
    if isinstance(value, dict) and "$step" not in value:
        for name, part in value.items():
            inner = schema.get("properties", {}).get(name, {})
            yield from _leaves((*path, name), f"{way}.{name}", part, inner, ids)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _leaves((*path, number), f"{way}.*", part, schema.get("items", {}), ids)
    else:
        yield Leaf(path, value, schema, ids.get(way, ""))


def without_null(schema: Schema) -> Schema:
    """Return a schema without the null it also takes; it keeps its default and description."""
    arms = [arm for arm in schema.get("anyOf", ()) if arm.get("type") != "null"]
    if len(arms) != 1:
        return schema
    return {**{name: part for name, part in schema.items() if name != "anyOf"}, **arms[0]}


def replaced(value: Json, path: Sequence[str | int], new: Json) -> Json:
    """Return a copy of a value with another at a path."""
    if not path:
        return new
    first, rest = path[0], path[1:]
    if isinstance(value, list):
        return [
            replaced(part, rest, new) if number == first else part
            for number, part in enumerate(value)
        ]
    return {**value, str(first): replaced(value.get(first), rest, new)}


def references(value: Json) -> Iterator[Mapping[str, Json]]:
    """Yield each reference to an earlier result in an argument."""
    if isinstance(value, dict):
        if "$step" in value:
            yield value
            return
        for part in value.values():
            yield from references(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from references(part)


def fixed(leaf: Leaf) -> bool:
    """Whether the schema leaves no other value: its default, or the only one there is."""
    schema = leaf.schema
    if "default" in schema and schema["default"] == leaf.value:
        return True
    return "const" in schema or len(schema.get("enum", "..")) == 1
