"""Where each argument comes from: tools that were shown to give it, or the person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolworld.graph.model import ArgumentSource, Edge
from toolworld.graph.surface import EntityFacts, ParameterFacts, Surface, ToolFacts

PLAIN = {
    "text": "a text",
    "integer": "a number",
    "number": "a number",
    "money": "an amount",
    "boolean": "a choice",
    "date": "a day",
    "datetime": "a time",
}


def arguments_of(surface: Surface, edges: Iterable[Edge]) -> list[ArgumentSource]:
    """Return every argument of every tool with its sources."""
    producers: dict[tuple[str, str], list[str]] = {}
    for edge in edges:
        one = edge.candidate
        if one.label == "data" and one.source != one.target:
            producers.setdefault((one.target, one.argument), []).append(one.source)
    return [
        argument
        for tool in surface.tools.values()
        for parameter in tool.parameters.values()
        for argument in _arguments(surface, tool, parameter, producers)
    ]


def _arguments(
    surface: Surface,
    tool: ToolFacts,
    parameter: ParameterFacts,
    producers: dict[tuple[str, str], list[str]],
) -> Iterator[ArgumentSource]:
    for path, named in parameter.names.items():
        entity, _, column = named.partition(".")
        yield ArgumentSource(
            tool=tool.name,
            path=path,
            required=parameter.required,
            entity=entity,
            producers=tuple(producers.get((tool.name, path), ())),
            known=_name(surface.entities[entity], column),
            column=column,
        )
    if not parameter.names:
        known = _known(tool, parameter)
        yield ArgumentSource(tool.name, parameter.name, parameter.required, "", (), known)


def _name(entity: EntityFacts, column: str) -> str:
    """Return why a person knows the name of a row; minted keys come from tools only."""
    if column:
        return f"the {column} people know the {entity.name} by"
    return "" if entity.minted else f"the name people use for the {entity.name}"


def _known(tool: ToolFacts, parameter: ParameterFacts) -> str:
    if parameter.name == "cursor":
        return "the page before gives it"
    schema = tool.schema["properties"][parameter.name]
    arms = schema.get("anyOf", [schema])
    if parameter.type.startswith("list of "):
        return f"a {parameter.type}"
    if any("enum" in arm for arm in arms):
        return f"one of the values of {parameter.type}"
    return PLAIN.get(parameter.type, f"what a {parameter.type} says")
