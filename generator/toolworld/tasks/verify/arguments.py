"""The plain values in a call's arguments, each with its schema and the entity it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from toolworld.graph.surface import ToolFacts
from toolworld.jsonvalues import JsonObject, JsonValue, Path, pattern, spelled

Schema: TypeAlias = Mapping[str, Any]

PAGING = ("cursor", "limit")


class ArgumentLeaf(NamedTuple):
    """One plain value in the arguments of a call, or a reference to an earlier result.

    Attributes:
        path: Where it stands.
        schema: What it must look like, without the null that an optional one may be.
        named: What it names: an entity, or a unique column as ``Variant.sku``; else empty.
    """

    path: Path
    value: JsonValue
    schema: Schema
    named: str

    @property
    def name(self) -> str:
        """The nearest name above it."""
        return next(part for part in reversed(self.path) if isinstance(part, str))

    @property
    def place(self) -> str:
        """The path as people read it."""
        return spelled(self.path)

    @property
    def is_fixed(self) -> bool:
        """Whether the schema says it: nothing, the default, one of a list, yes or no."""
        schema = self.schema
        return (
            self.value is None
            or ("default" in schema and schema["default"] == self.value)
            or "enum" in schema
            or "const" in schema
            or schema.get("type") == "boolean"
        )


def argument_leaves(tool: ToolFacts, arguments: JsonObject) -> Iterator[ArgumentLeaf]:
    """Yield the leaves of a call's arguments; of arguments that the tool lacks, none."""
    for name, value in arguments.items():
        if name in tool.parameters:
            schema = tool.schema["properties"][name]
            yield from _leaves((name,), value, schema, tool.parameters[name].names)


def _leaves(
    path: Path, value: JsonValue, schema: Schema, names: Mapping[str, str]
) -> Iterator[ArgumentLeaf]:
    schema = without_null(schema)
    if isinstance(value, dict) and "$step" not in value:
        inner = schema.get("properties", {})
        for name, part in value.items():
            yield from _leaves((*path, name), part, inner.get(name, {}), names)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _leaves((*path, number), part, schema.get("items", {}), names)
    else:
        yield ArgumentLeaf(path, value, schema, names.get(pattern(path), "") if names else "")


def without_null(schema: Schema) -> Schema:
    """Return a schema without the null it also takes; it keeps its default and description."""
    arms = [arm for arm in schema.get("anyOf", ()) if arm.get("type") != "null"]
    if len(arms) != 1:
        return schema
    return {**{name: part for name, part in schema.items() if name != "anyOf"}, **arms[0]}
