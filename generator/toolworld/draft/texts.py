"""Turns what a blueprint has settled into the files of a domain folder."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from typing import Any

from toolworld.draft.answers import Call, Case, ColumnPlan, Row, ToolPlan
from toolworld.draft.blueprint import SUMMARY, Blueprint, GroupCode, key_of, result_of
from toolworld.draft.pieces import (
    body_of,
    constant_line,
    header,
    renamed,
    seed_function,
    sentence,
)
from toolworld.spec.yamltext import write_yaml

Json = Any
PLACEHOLDER = "Nothing is settled yet; this stands here until the policy is drafted."


def texts_of(blueprint: Blueprint, tools: Collection[str] | None = None) -> dict[str, str]:
    """Return the text of each file of the domain.

    Args:
        blueprint: What is settled.
        tools: The tools to include; None for all that have code.
    """
    coded = {name for code in blueprint.code.values() for name in code.bodies}
    wanted = [name for name in blueprint.tools if name in (coded if tools is None else tools)]
    texts = {
        "domain.yaml": write_yaml(_domain(blueprint, wanted)),
        "tools.py": _tools(blueprint, wanted),
        "seed.py": _seed(blueprint),
        "policy.md": _policy(blueprint),
        "phrases.yaml": write_yaml(_phrases(blueprint, wanted)),
    }
    if blueprint.cases:
        kept = [case for case in blueprint.cases.values() if case.call.tool in wanted]
        texts["cases.yaml"] = write_yaml([_case(case, blueprint) for case in kept])
    return texts


# domain.yaml


def _domain(blueprint: Blueprint, tools: Iterable[str]) -> Json:
    outline, plan = blueprint.world, blueprint.plan
    plans = [blueprint.tools[name] for name in tools]
    objects = {result_of(tool)[0]: _object(tool) for tool in plans if tool.returns == SUMMARY}
    enums = {
        choice.name: {"description": sentence(choice.says), "values": list(choice.values)}
        for choice in (plan.choices if plan else ())
    }
    seeded = [one.thing for seeds in blueprint.seeds for one in seeds.seeds]
    return {
        "name": outline.name,
        "title": " ".join(outline.title.split()),
        "summary": sentence(outline.summary),
        "clock": f"{outline.today.isoformat()}T09:00:00Z",
        **({"enums": enums} if enums else {}),
        **({"objects": objects} if objects else {}),
        "entities": {name: _entity(name, blueprint) for name in blueprint.kinds},
        "seed": {blueprint.kinds[name].table: blueprint.things[name].rows for name in seeded}
        or {"nothing": 1},
    }


def _object(tool: ToolPlan) -> Json:
    fields = {part.name: _field(part.type, part.says, part.nullable) for part in tool.fields}
    return {"description": sentence(tool.does), "fields": fields}


def _field(type_name: str, says: str, nullable: bool) -> dict[str, Json]:
    return {"type": type_name, "description": sentence(says)} | (
        {"nullable": True} if nullable else {}
    )


def _entity(name: str, blueprint: Blueprint) -> Json:
    kind, plan = blueprint.kinds[name], blueprint.things.get(name)
    key = key_of(name)
    columns = {key: {"type": "text", "description": f"The {_words(name)}."}}
    columns |= {column.name: _column(column) for column in (plan.columns if plan else ())}
    entity: dict[str, Json] = {
        "table": kind.table,
        "key": key,
        "prefix": kind.prefix,
        "description": sentence(kind.says),
        "columns": columns,
    }
    if plan and plan.rules:
        entity["invariants"] = [
            {"name": rule.name, "says": sentence(rule.says), "rule": rule.rule.strip()}
            for rule in plan.rules
        ]
    return entity


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower()


def _column(column: ColumnPlan) -> Json:
    extra: dict[str, Json] = {}
    if column.unique:
        extra["unique"] = True
    if column.match != "hard":
        extra["match"] = column.match
    if column.unit and column.type in ("integer", "number", "money"):
        extra["unit"] = column.unit
    return _field(column.type, column.says, column.nullable) | extra


# tools.py and seed.py


def _tools(blueprint: Blueprint, wanted: Collection[str]) -> str:
    renames = _renames(blueprint.code)
    parts: list[str] = []
    constants: list[str] = []
    seen: set[str] = set()
    for group, code in blueprint.code.items():
        names = [name for name in code.bodies if name in wanted]
        if not names:
            continue
        constants += _fresh(map(constant_line, code.constants.values()), renames[group], seen)
        parts += [whole_tool(name, blueprint, group, renames[group]) for name in names]
        parts += _fresh((one.code.strip() for one in code.helpers.values()), renames[group], seen)
    return (
        "\n".join(constants) + "\n\n\n" + "\n\n\n".join(part.strip("\n") for part in parts) + "\n"
    )


def _fresh(texts: Iterable[str], names: dict[str, str], seen: set[str]) -> list[str]:
    found = []
    for text in texts:
        text = renamed(text, names)
        if text not in seen:
            seen.add(text)
            found.append(text)
    return found


def whole_tool(
    name: str, blueprint: Blueprint, group: str, renames: dict[str, str] | None = None
) -> str:
    """Return a tool's function."""
    body = renamed(body_of(blueprint.code[group].bodies[name]), renames or {})
    return header(blueprint.tools[name], blueprint) + body


def _renames(groups: dict[str, GroupCode]) -> dict[str, dict[str, str]]:
    """Return new names, by group, for parts that another group has under the same name."""
    taken: dict[str, str] = {}
    found: dict[str, dict[str, str]] = {}
    for group, code in groups.items():
        texts = {name: constant_line(one) for name, one in code.constants.items()}
        texts |= {name: one.code.strip() for name, one in code.helpers.items()}
        names: dict[str, str] = {}
        for name, text in texts.items():
            if taken.setdefault(name, text) != text:
                ending = re.sub(r"[^a-z0-9]+", "_", group)
                names[name] = f"{name}_{ending.upper() if name.isupper() else ending}"
        found[group] = names
    return found


def _seed(blueprint: Blueprint) -> str:
    constants = [constant_line(one) for seeds in blueprint.seeds for one in seeds.constants]
    functions = [
        seed_function(blueprint.kinds[one.thing].table, one.body)
        for seeds in blueprint.seeds
        for one in seeds.seeds
    ]
    return "\n".join(dict.fromkeys(constants)) + "\n\n\n" + "\n\n".join(functions)


# policy.md and phrases.yaml


def _policy(blueprint: Blueprint) -> str:
    outline, policy = blueprint.outline, blueprint.policy
    if outline is None or policy is None:
        return PLACEHOLDER + "\n"
    lines = [f"# {outline.title}: what an agent does and does not do", "", sentence(policy.role)]
    for section in policy.sections:
        lines += ["", f"## {section.title}", *(f"- {sentence(rule)}" for rule in section.rules)]
    return "\n".join(lines) + "\n"


def _phrases(blueprint: Blueprint, tools: Collection[str]) -> Json:
    people = blueprint.people
    asked = {one.tool: list(one.phrases) for asking in blueprint.asking for one in asking.tools}
    values = {one.argument: list(one.texts) for asking in blueprint.asking for one in asking.values}
    asks: dict[str, dict[str, str]] = {}
    for one in people.asks if people else ():
        asks.setdefault(one.thing, {})[one.column] = one.words
    personas = [one.model_dump() for one in people.personas] if people else []
    return {
        "known_ids": list(people.known_ids) if people else [],
        "personas": personas or [{"name": "plain", "says": "You speak plainly."}],
        "rows": {one.thing: list(one.phrases) for one in people.rows} if people else {},
        "asks": asks,
        "values": {
            name: texts for name, texts in values.items() if name.partition(".")[0] in tools
        },
        "tools": {name: texts for name, texts in asked.items() if name in tools},
    }


# cases.yaml


def _case(case: Case, blueprint: Blueprint) -> Json:
    expect: dict[str, Json] = {}
    if case.rejected:
        expect["rejected"] = case.rejected
    elif case.changed:
        expect["changes"] = _rows(case.changed, blueprint)
    return {
        "name": case.name,
        **({"rows": _rows(case.rows, blueprint)} if case.rows else {}),
        **({"calls": [_call(call) for call in case.before]} if case.before else {}),
        "call": _call(case.call),
        **({"expect": expect} if expect else {}),
    }


def _rows(rows: Iterable[Row], blueprint: Blueprint) -> Json:
    found: dict[str, dict[str, Json]] = {}
    for row in rows:
        columns = json.loads(row.columns)
        whole = columns and {key_of(row.thing): row.id, **columns}
        found.setdefault(blueprint.kinds[row.thing].table, {})[row.id] = whole
    return found


def _call(call: Call) -> Json:
    return {"tool": call.tool, "arguments": json.loads(call.arguments)}
