"""Short texts of the evidence, for a model to judge by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from toolworld.llm.desk import compact

LONG_ARGUMENT, LONG_RESULT, LONG_VALUE, LONG_CHANGE = 300, 320, 80, 260
MOST_CHANGES = 4

Json = Any


def tool_view(tool: Mapping[str, Json]) -> str:
    """Return a tool's definition, code and runs."""
    definition = tool["definition"]
    parameters = definition["inputSchema"]["properties"]
    required = definition["inputSchema"]["required"]
    hints = definition["annotations"]
    given = [_parameter(name, parameters[name], name in required) for name in parameters]
    lines = [f"# {tool['name']}", definition["description"].strip()]
    lines += ["Parameters:", *given] if given else []
    lines += [f"returns {_fields(definition['outputSchema'])}"]
    lines += ["(said to change nothing)"] if hints["readOnlyHint"] else []
    lines += ["Code:", tool["code"], "Runs:", *map(_run, tool["runs"])]
    return "\n".join(lines)


def shared_view(tools: Iterable[Mapping[str, Json]], shared: Mapping[str, str]) -> str:
    """Return the constants and helpers that some tools use."""
    used = {name for tool in tools for name in tool["uses"]}
    code = [text for name, text in shared.items() if name in used]
    return "\n".join(["# Helpers and constants of this code", *code]) if code else ""


def table_view(table: Mapping[str, Json]) -> str:
    """Return a view of a table: its description, the values of its columns and some rows."""
    lines = [f"# {table['name']}: {table['rows']} rows, key {table['key']}"]
    lines += [" ".join(table["says"].split())]
    lines += [f"{name}: {text}" for name, text in table["columns"].items()]
    lines += ["Some rows:", *(compact(_shortened(row)) for row in table["sample"])]
    return "\n".join(lines)


def task_view(task: Mapping[str, Json]) -> str:
    """Return a task as people see it, with its gold calls and what they did."""
    words = task["words"]
    lines = [f"# {words['id']}", f"instruction: {words['instruction']}"]
    lines += [f"persona: {words['persona']}", f"known_info: {compact(words['known_info'])}"]
    lines += [f"answers: {compact(words['answers'])}", "gold:", *map(_call, task["ends"])]
    return "\n".join([*lines, *_changes(task["changes"])])


def _parameter(name: str, schema: Mapping[str, Json], required: bool) -> str:
    optional = "" if required else " (optional)"
    return f"- {name}: {_type(schema)}{optional}: {schema.get('description', '')}"


def _type(schema: Mapping[str, Json]) -> str:
    """Return a schema in a word or two."""
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return "|".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}"
    if schema.get("type") == "object":
        return _fields(schema)
    return str(schema.get("format") or schema.get("type"))


def _fields(schema: Mapping[str, Json]) -> str:
    """Return the names of an object's fields."""
    parts = schema.get("properties", {})
    return f"{{{', '.join(name + _inside(part) for name, part in parts.items())}}}"


def _inside(schema: Mapping[str, Json]) -> str:
    if schema.get("type") == "array" and "properties" in schema["items"]:
        return f": [{_fields(schema['items'])}]"
    return f": {_fields(schema)}" if "properties" in schema else ""


def _run(run: Mapping[str, Json]) -> str:
    where = "" if run["source"] == "seed data" else f" (after steps of {run['source']})"
    wrong = [f"  WRONG: {run['wrong']}"] if run["wrong"] else []
    return "\n".join([f"{_call(run)}{where}", *_changes(run["changes"]), *wrong])


def _call(run: Mapping[str, Json]) -> str:
    tool = f"{run['tool']} " if "tool" in run else ""
    given = _cut(compact(run["arguments"]), LONG_ARGUMENT)
    return f"{tool}{given} -> {run['end']}: {_cut(run['text'], LONG_RESULT)}"


def _changes(changes: list[Mapping[str, Json]]) -> list[str]:
    lines = [f"  changed {_change(change)}" for change in changes[:MOST_CHANGES]]
    left = len(changes) - MOST_CHANGES
    return [*lines, f"  and {left} rows more"] if left > 0 else lines


def _change(change: Mapping[str, Json]) -> str:
    """Return in words what differs in a row."""
    before, after = change["before"], change["after"]
    where = f"{change['table']} {change['key']}"
    if before is None or after is None:
        return f"{where}: {'removed' if after is None else 'added'}"
    columns = [name for name in after if after[name] != before.get(name)]
    told = (f"{name} {compact(before.get(name))} to {compact(after[name])}" for name in columns)
    return _cut(f"{where}: {', '.join(told)}", LONG_CHANGE)


def _shortened(row: Mapping[str, Json]) -> dict[str, Json]:
    return {
        name: _cut(value, LONG_VALUE) if isinstance(value, str) else value
        for name, value in row.items()
    }


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} ..."
