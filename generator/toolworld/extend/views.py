"""What a model needs to know about a domain to write scenarios for some of its tools."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from toolworld.llm.desk import compact
from toolworld.llm.prompts import estimate
from toolworld.spec import Spec
from toolworld.spec.model import Column, Entity, ObjectField

HELPER_TOKENS = 2500
"""The most tokens that the helpers of the tools may take in a prompt."""


def tools_view(spec: Spec, tools: Collection[str]) -> str:
    """Return the code of some tools, and of as many helpers they call as there is room for."""
    functions = functions_of(spec.tools_code)
    shown = [ast.unparse(functions[name]) for name in tools]
    room = HELPER_TOKENS
    for name in _called([*tools], functions):
        text = ast.unparse(functions[name])
        room -= estimate(text)
        if room > 0:
            shown.append(text)
    return "\n\n".join(shown)


def functions_of(code: str) -> dict[str, ast.FunctionDef]:
    """Return the functions of a module, by name."""
    return {node.name: node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)}


def _called(names: list[str], functions: dict[str, ast.FunctionDef]) -> list[str]:
    """Return the functions that these call, directly or not, nearest first."""
    found = list(names)
    for name in found:
        used = {node.id for node in ast.walk(functions[name]) if isinstance(node, ast.Name)}
        found += [other for other in functions if other in used and other not in found]
    return found[len(names) :]


def signatures_view(spec: Spec, shown: Collection[str]) -> list[str]:
    """Return the tools whose code is not shown, each in a line."""
    functions = functions_of(spec.tools_code)
    return [
        f"- {tool.name}({_parameters(functions[tool.name])}): {tool.summary}"
        for tool in spec.tools
        if tool.name not in shown
    ]


def _parameters(function: ast.FunctionDef) -> str:
    return ast.unparse(function.args).removeprefix("db: Database").removeprefix(", ")


def tables_view(spec: Spec, counts: Mapping[str, int]) -> str:
    """Return every table with its columns and number of rows, and every choice's values."""
    domain = spec.domain
    lines = [
        f"{_table(name, entity)} ({counts[entity.table]} rows)"
        for name, entity in domain.entities.items()
    ]
    lines += [f"{name} (a value): {_fields(one.fields)}" for name, one in domain.objects.items()]
    lines += [f"{name}: {', '.join(one.values)}" for name, one in domain.enums.items()]
    return "\n".join(lines)


def _table(name: str, entity: Entity) -> str:
    return f"{name} = db.{entity.table}, key {entity.key}: {_fields(entity.columns)}"


def _fields(fields: Any) -> str:
    return ", ".join(f"{name} {_type(one)}" for name, one in fields.items())


def _type(column: Column | ObjectField) -> str:
    return f"{column.type}{' or None' if column.nullable else ''}"


def samples_view(tables: Iterable[str], seed: dict[str, list[Any]]) -> str:
    """Return a row of each of some tables."""
    return "\n".join(f"{name}: {compact(seed[name][0])}" for name in tables if seed.get(name))


def touched(spec: Spec, tools: Collection[str]) -> list[str]:
    """Return the tables that some tools read or change."""
    named = {
        place.partition(".")[0]
        for tool in spec.tools
        if tool.name in tools
        for place in (*tool.effects.reads, *tool.effects.creates, *tool.effects.writes)
    }
    return [one.table for one in spec.domain.entities.values() if one.table in named]


def helpers_view(spec: Spec) -> str:
    """Return the code of the scenario files that hold only helpers."""
    worded = {scenario.file for scenario in spec.scenarios}
    return "\n\n".join(one.code for one in spec.scenario_files if one.name not in worded)


def scenarios_view(spec: Spec) -> str:
    """Return the present scenarios, one a line."""
    functions = {
        name: node for one in spec.scenario_files for name, node in functions_of(one.code).items()
    }
    return "\n".join(
        f"- {one.name}: {ast.get_docstring(functions[one.name]) or ''}" for one in spec.scenarios
    )
