"""What each tool does to the rows, as package data: the content of ``effects.json``.

A package carries its own effects, so that whatever works on packages needs no spec. Where ids
stand is said by path: ``items.*.loan_id`` is the ``loan_id`` of every item.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toolworld.spec.model import DomainFile, Entity, ObjectField, Parameter, Spec, Tool

Json = dict[str, Any]


def effects_json(spec: Spec) -> Json:
    """Return what a spec's tools read, write and require, and which of their values are ids."""
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
        "ids": dict(_ids(domain, entity.columns)),
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
        "idempotent": effects.idempotent,
        "parameters": {one.name: _parameter(domain, one) for one in tool.parameters},
        "result": _result(domain, tool),
    }


def _parameter(domain: DomainFile, parameter: Parameter) -> Json:
    field = ObjectField(type=parameter.type, description=parameter.description or "-")
    ids = dict(_field_ids(domain, parameter.name, field))
    return {"type": parameter.type, "required": parameter.required, "ids": ids}


def _result(domain: DomainFile, tool: Tool) -> Json:
    entity = domain.entities.get(tool.result)
    start = "items.*." if tool.paged else ""
    ids = dict(_ids(domain, _fields(domain, tool.result)))
    if entity is not None:
        ids = {entity.key: tool.result, **ids}
    return {
        "type": tool.result,
        "entity": tool.result if entity is not None else None,
        "paged": tool.paged,
        "ids": {f"{start}{path}": name for path, name in ids.items()},
    }


def _fields(domain: DomainFile, name: str) -> Mapping[str, ObjectField]:
    if name in domain.entities:
        return domain.entities[name].columns
    return domain.objects[name].fields


def _ids(domain: DomainFile, fields: Mapping[str, ObjectField]) -> Iterator[tuple[str, str]]:
    for name, field in fields.items():
        yield from _field_ids(domain, name, field)


def _field_ids(domain: DomainFile, path: str, field: ObjectField) -> Iterator[tuple[str, str]]:
    """Yield the path of each id in a field, and the entity it names."""
    kind = domain.kind(field.item_type)
    inner = path + ".*" * field.type.count("list of ")
    if kind == "reference":
        yield inner, field.item_type
    elif kind == "object":
        for name, part in domain.objects[field.item_type].fields.items():
            yield from _field_ids(domain, f"{inner}.{name}", part)
