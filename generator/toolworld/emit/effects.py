"""What each tool does to the rows, as package data: the content of ``effects.json``.

A package carries its own effects, so that whatever works on packages needs no spec. Where ids
stand is said by path: ``items.*.loan_id`` is the ``loan_id`` of every item. So is where unique
texts stand that name a row as well as its id does, such as an e-mail address.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toolworld.spec.model import DomainFile, Effects, Entity, ObjectField, Parameter, Tool
from toolworld.spec.spec import Spec

Json = dict[str, Any]


def effects_json(spec: Spec) -> Json:
    """Return the effects of a spec's tools, and which of their values are ids."""
    domain = spec.domain
    return {
        "entities": {name: _entity(domain, entity) for name, entity in domain.entities.items()},
        "tools": {tool.name: _tool(domain, tool) for tool in spec.tools},
    }


def _entity(domain: DomainFile, entity: Entity) -> Json:
    return {
        "table": entity.table,
        "key": entity.key,
        "minted": entity.prefix is not None,
        "columns": {name: column.type for name, column in entity.columns.items()},
        "ids": _ids(domain, entity.columns),
        "unique": _unique(entity),
    }


def _tool(domain: DomainFile, tool: Tool) -> Json:
    effects = tool.effects
    return {
        "reads": list(effects.reads),
        "writes": list(effects.writes),
        "creates": list(effects.creates),
        "deletes": list(effects.deletes),
        "requires": dict(text.split(": ") for text in effects.requires),
        "rejects": list(effects.rejects),
        "codes": list(effects.codes),
        "idempotent": effects.idempotent,
        "parameters": {one.name: _parameter(domain, effects, one) for one in tool.parameters},
        "result": _result(domain, tool),
    }


def _parameter(domain: DomainFile, effects: Effects, parameter: Parameter) -> Json:
    field = ObjectField(type=parameter.type, description=parameter.description or "-")
    fields = {parameter.name: field}
    texts = [path for path, kind in _leaves(domain, fields) if kind == "text"]
    looked_up = dict(text.split(": ") for text in effects.looks_up)
    return {
        "type": parameter.type,
        "required": parameter.required,
        "ids": _ids(domain, fields),
        "unique": {path: looked_up[path] for path in texts if path in looked_up},
    }


def _result(domain: DomainFile, tool: Tool) -> Json:
    entity = domain.entities.get(tool.result)
    start = "items.*." if tool.paged else ""
    ids, unique = _ids(domain, _fields(domain, tool.result)), {}
    if entity is not None:
        ids = {entity.key: tool.result, **ids}
        unique = {name: f"{tool.result}.{name}" for name in _unique(entity)}
    return {
        "type": tool.result,
        "entity": tool.result if entity is not None else None,
        "paged": tool.paged,
        "ids": {f"{start}{path}": name for path, name in ids.items()},
        "unique": {f"{start}{path}": name for path, name in unique.items()},
    }


def _fields(domain: DomainFile, name: str) -> Mapping[str, ObjectField]:
    if name in domain.entities:
        return domain.entities[name].columns
    return domain.objects[name].fields


def _unique(entity: Entity) -> list[str]:
    """Return the columns whose text names a row as well as its key does."""
    columns = entity.columns.items()
    return [name for name, column in columns if column.unique and column.type == "text"]


def _ids(domain: DomainFile, fields: Mapping[str, ObjectField]) -> dict[str, str]:
    """Return the entity that each id in some fields names, by its path."""
    return {
        path: kind for path, kind in _leaves(domain, fields) if domain.kind(kind) == "reference"
    }


def _leaves(
    domain: DomainFile, fields: Mapping[str, ObjectField], start: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the path and type of each value in some fields that is no object."""
    for name, field in fields.items():
        path = start + name + ".*" * field.type.count("list of ")
        if domain.kind(field.item_type) == "object":
            yield from _leaves(domain, domain.objects[field.item_type].fields, f"{path}.")
        else:
            yield path, field.item_type
