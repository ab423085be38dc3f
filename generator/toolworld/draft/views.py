"""Short texts of what is settled, for later prompts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from toolworld.draft.answers import ColumnPlan, Part, ToolPlan
from toolworld.draft.blueprint import Blueprint, key_of, result_of
from toolworld.draft.pieces import header, python_type
from toolworld.llm.prompts import estimate
from toolworld.spec.model import LIST_PREFIX, snake


def outline_view(blueprint: Blueprint, things: Iterable[str] | None = None) -> str:
    """Return the world in a few lines, with the names that may be used."""
    outline, plan = blueprint.world, blueprint.plan
    lines = [f"The world: {outline.title}. {outline.summary} Today is {outline.today}."]
    if plan is None:
        lines += [f"- {actor.name}: {actor.wants}" for actor in outline.actors]
        lines += ["Everyday: " + "; ".join(outline.everyday)]
        lines += ["Awkward: " + "; ".join(outline.awkward)]
    shown = blueprint.kinds if things is None else {n: blueprint.kinds[n] for n in things}
    lines += ["Things:"]
    lines += [f"- {name} (db.{kind.table}): {kind.says}" for name, kind in shown.items()]
    if plan is not None:
        lines += ["Choices:"]
        lines += [f"- {one.name}: {', '.join(one.values)}" for one in plan.choices]
    return "\n".join(lines)


def things_view(blueprint: Blueprint, things: Iterable[str], rules: bool = True) -> str:
    """Return the columns of things, and their rules."""
    return "\n".join(_thing(name, blueprint, rules) for name in things if name in blueprint.things)


def _thing(name: str, blueprint: Blueprint, rules: bool) -> str:
    kind, plan = blueprint.kinds[name], blueprint.things[name]
    columns = ", ".join([key_of(name), *(_column(column) for column in plan.columns)])
    text = f"{name} = db.{kind.table}, ids {kind.prefix}-00001, row {snake(name)}: {columns}"
    said = [f"  rule: {rule.rule}" for rule in plan.rules] if rules else []
    return "\n".join([text, *said])


def _column(column: ColumnPlan) -> str:
    extra = [" or None"] if column.nullable else []
    extra += [" unique"] if column.unique else []
    return f"{column.name} {column.type}{''.join(extra)}"


def choices_view(blueprint: Blueprint, things: Iterable[str], tools: Iterable[ToolPlan]) -> str:
    """Return the choices that columns and arguments use."""
    plans = [blueprint.things[name] for name in things if name in blueprint.things]
    types = {column.type for plan in plans for column in plan.columns}
    types |= {argument.type for tool in tools for argument in tool.arguments}
    types |= {part.type for tool in tools for part in tool.fields}
    choices = blueprint.plan.choices if blueprint.plan else []
    return "\n".join(f"{one.name}: {', '.join(one.values)}" for one in choices if one.name in types)


def signature_view(tool: ToolPlan) -> str:
    """Return a tool in a line, and its conditions."""
    arguments = ", ".join(
        f"{one.name}{'?' if one.optional else ''}: {one.type}" for one in tool.arguments
    )
    lines = [f"{tool.name}({arguments}) -> {tool.returns}: {tool.does}"]
    lines += [f"  - {text}" for text in tool.refuses]
    if tool.changes:
        lines.append("  + " + ", ".join(f"{one.does} {one.thing}" for one in tool.changes))
    lines += [f"  = {text}" for text in tool.then]
    return "\n".join(lines)


def signatures_view(tools: Sequence[ToolPlan], tokens: int) -> str:
    """Return tools with their conditions, or with fewer if the text has too many tokens."""
    without_then = [tool.model_copy(update={"then": []}) for tool in tools]
    bare = [tool.model_copy(update={"refuses": []}) for tool in without_then]
    texts = ["\n".join(map(signature_view, some)) for some in (tools, without_then, bare)]
    return next((text for text in texts if estimate(text) <= tokens), texts[-1])


def header_view(tool: ToolPlan, blueprint: Blueprint) -> str:
    """Return a tool's header, with the effects and rejections that its code must have."""
    changed = ", ".join(f"{one.does} {one.thing}" for one in tool.changes) or "nothing"
    then = " ".join(f"Then: {text}" for text in tool.then)
    said = f"{header(tool, blueprint)}    # Changes: {changed}. {then}".rstrip()
    return f"{said}\n{_result(tool, blueprint)}"


def _result(tool: ToolPlan, blueprint: Blueprint) -> str:
    """Return the fields of a result that is no row."""
    if not tool.fields:
        return ""
    fields = ", ".join(f"{part.name}: {_field_type(part, blueprint)}" for part in tool.fields)
    return f"    # {result_of(tool)[0]}({fields})\n"


def _field_type(part: Part, blueprint: Blueprint) -> str:
    inner = python_type(part.type.removeprefix(LIST_PREFIX), blueprint)
    text = f"tuple[{inner}, ...]" if part.type.startswith(LIST_PREFIX) else inner
    return f"{text} | None" if part.nullable else text


def request_view(tool: ToolPlan) -> str:
    """Return a tool in one line, as someone who asks for it needs it."""
    arguments = ", ".join(
        f"{one.name}{'?' if one.optional else ''}: {one.type}" for one in tool.arguments
    )
    return f"{tool.name}({arguments}): {tool.does}"
