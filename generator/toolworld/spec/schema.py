"""The JSON definition an MCP client sees of a tool, made from its signature and effects.

Every schema has an object at its root and stands alone: no ``$ref``, no ``$defs``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolworld.spec.descriptions import ids_as_data, with_default, with_refused
from toolworld.spec.model import LIST_PREFIX, DomainFile, ObjectField, Parameter, Tool
from toolworld.spec.spec import Spec

Json = dict[str, Any]

MOST_TEXT = 10_000
MOST_ID = 200
MOST_ROWS = 200

SCALAR_SCHEMAS: dict[str, Json] = {
    "text": {"type": "string", "maxLength": MOST_TEXT},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "money": {"type": "number"},
    "boolean": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "datetime": {"type": "string", "format": "date-time"},
}


def tool_definition(spec: Spec, tool: Tool) -> Json:
    """Return a tool as ``tools/list`` shows it."""
    title = title_of(tool.name)
    definition = {
        "name": tool.name,
        "title": title,
        "description": describe(tool),
        "inputSchema": input_schema(spec.domain, tool),
        "outputSchema": output_schema(spec.domain, tool),
        "annotations": {
            "title": title,
            "readOnlyHint": tool.effects.read_only,
            "destructiveHint": tool.effects.destructive,
            "idempotentHint": tool.effects.idempotent,
            "openWorldHint": False,
        },
    }
    whole: Json = ids_as_data(definition, spec.domain)
    return whole


def title_of(tool_name: str) -> str:
    """Return a tool's title: ``renew_loan`` becomes ``Renew loan``."""
    return tool_name.replace("_", " ").capitalize()


def describe(tool: Tool) -> str:
    """Return a tool's description: its summary and its rejections."""
    parts = [part for part in (tool.summary, tool.details) if part]
    if tool.rejections:
        parts.append("Rejected when:\n" + "\n".join(f"- {text}" for text in tool.rejections))
    return "\n\n".join(parts)


def input_schema(domain: DomainFile, tool: Tool) -> Json:
    """Return the schema of a tool's arguments."""
    return {
        "type": "object",
        "properties": {
            parameter.name: _argument(domain, tool, parameter) for parameter in tool.parameters
        },
        "required": [parameter.name for parameter in tool.parameters if parameter.required],
        "additionalProperties": False,
    }


def output_schema(domain: DomainFile, tool: Tool) -> Json:
    """Return the schema of a tool's structured result."""
    row = record_schema(domain, tool.result)
    if not tool.paged:
        return row
    cursor = _nullable({"type": "string"})
    cursor["description"] = "Pass it as cursor for the page after; null on the last page."
    return _object(
        {
            "items": {"type": "array", "items": row, "description": "The rows of this page."},
            "next_cursor": cursor,
            "total": {
                "type": "integer",
                "minimum": 0,
                "description": "How many rows the whole list has.",
            },
        }
    )


def record_schema(domain: DomainFile, name: str) -> Json:
    """Return the schema of an entity's rows or of an object, everything inlined."""
    if name in domain.entities:
        entity = domain.entities[name]
        return _record(domain, entity.description, entity.columns)
    found = domain.objects[name]
    return _record(domain, found.description, found.fields)


def _record(domain: DomainFile, description: str, fields: Mapping[str, ObjectField]) -> Json:
    properties = {name: field_schema(domain, field) for name, field in fields.items()}
    return {**_object(properties), "description": description}


def field_schema(domain: DomainFile, field: ObjectField) -> Json:
    """Return the schema of a column or field, described."""
    schema = type_schema(domain, field.type)
    if field.nullable:
        schema = _nullable(schema)
    schema["description"] = _describe_field(field.description, field.item_type, field.unit)
    return schema


def type_schema(domain: DomainFile, type_name: str) -> Json:
    """Return the schema of a type name of ``domain.yaml``."""
    if type_name.startswith(LIST_PREFIX):
        item = type_schema(domain, type_name.removeprefix(LIST_PREFIX))
        return {"type": "array", "items": item}
    kind = domain.kind(type_name)
    if kind == "scalar":
        return dict(SCALAR_SCHEMAS[type_name])
    if kind == "enum":
        return {"type": "string", "enum": list(domain.enums[type_name].values)}
    if kind == "reference":
        return {"type": "string", "maxLength": MOST_ID}
    return record_schema(domain, type_name)


def _argument(domain: DomainFile, tool: Tool, parameter: Parameter) -> Json:
    schema = type_schema(domain, parameter.type)
    if tool.paged and parameter.name == "limit" and parameter.type == "integer":
        schema.update(minimum=1, maximum=MOST_ROWS)
    if parameter.nullable:
        schema = _nullable(schema)
    item_type = parameter.type.rsplit(" ", 1)[-1]
    unit = argument_unit(domain, tool, parameter) if item_type == "money" else None
    text = with_refused(parameter.description, parameter, domain)
    schema["description"] = with_default(_describe_field(text, item_type, unit), parameter)
    if not parameter.required:
        schema["default"] = parameter.default
    return schema


def argument_unit(domain: DomainFile, tool: Tool, parameter: Parameter) -> str | None:
    """Return the currency of a money argument, if the domain has only one."""
    columns = domain.entities[tool.result].columns if tool.result in domain.entities else {}
    column = columns.get(parameter.name)
    if column is not None and column.type == "money" and column.unit:
        return column.unit
    fields: list[ObjectField] = []
    for entity in domain.entities.values():
        fields.extend(entity.columns.values())
    for value in domain.objects.values():
        fields.extend(value.fields.values())
    units = {field.unit for field in fields if field.item_type == "money" and field.unit}
    return units.pop() if len(units) == 1 else None


def _describe_field(description: str, item_type: str, unit: str | None) -> str:
    if item_type == "money":
        return f"{description.rstrip()} Two decimals{f', in {unit}' if unit else ''}."
    if item_type in ("integer", "number") and unit:
        return f"{description.rstrip()} In {unit}."
    return description


def _object(properties: dict[str, Json]) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _nullable(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}
