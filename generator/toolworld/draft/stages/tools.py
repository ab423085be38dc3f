"""Signatures of tools, area by area, with what they refuse, change and bring about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anyio

from toolworld.draft.answers import Area, ToolPlan, ToolPlans
from toolworld.draft.blueprint import SUMMARY, Blueprint, key_of
from toolworld.draft.stages.outline import stop_if
from toolworld.draft.views import outline_view
from toolworld.llm.desk import AnswerVerdict, Desk, Question, compact
from toolworld.llm.names import PAGE_PREFIX
from toolworld.spec.model import LIST_PREFIX
from toolworld.spec.rules import MODEL_ATTRIBUTES, is_keyword

PAGING = ("cursor", "limit")


async def tools(desk: Desk, blueprint: Blueprint) -> None:
    """Settle the signature of every tool of the plan, all areas at once.

    Raises:
        DraftError: An area's signatures do not pass.
    """
    left: dict[str, Sequence[str]] = {}

    async def one(area: Area) -> None:
        left[area.name] = await _area(desk, blueprint, area)

    async with anyio.create_task_group() as group:
        for area in blueprint.areas:
            group.start_soon(one, area)
    for area in blueprint.areas:
        stop_if(left[area.name], f"The signatures of {area.name}", desk)
    ordered = blueprint.names["tool"]
    blueprint.tools = {name: blueprint.tools[name] for name in ordered}


async def _area(desk: Desk, blueprint: Blueprint, area: Area) -> Sequence[str]:
    def waiting() -> list[str]:
        return [name for name in area.tools if name not in blueprint.tools]

    def values() -> dict[str, Any]:
        every = blueprint.names["tool"]
        others = [name for name in every if name not in waiting()]
        view = outline_view(blueprint)
        return {"area": area, "tools": waiting(), "outline": view, "others": others}

    async def judge(answer: ToolPlans, number: int) -> AnswerVerdict:
        wanted = waiting()
        wrong = {tool.name: _wrong(tool, blueprint) for tool in answer.tools}
        passed = [tool for tool in answer.tools if tool.name in wanted and not wrong[tool.name]]
        blueprint.tools.update({tool.name: tool for tool in passed})
        desk.ledger.passed("tools", {tool.name for tool in passed}, number)
        given = {tool.name for tool in answer.tools}
        found = [f"{name} is missing." for name in wanted if name not in given]
        found += [f"{name}: {text}" for name in wanted for text in wrong.get(name, ())]
        mend = [tool for tool in answer.tools if tool.name in wanted and wrong[tool.name]]
        return AnswerVerdict(
            found, compact([tool.model_dump(exclude_defaults=True) for tool in mend])
        )

    def names() -> dict[str, Sequence[str]]:
        return {**blueprint.names, "tool": waiting()}

    return await desk.ask(
        Question("tools", area.name, ToolPlans, "tools", values, names, judge, needed=True)
    )


def _wrong(tool: ToolPlan, blueprint: Blueprint) -> list[str]:
    """Return what is wrong with a signature by itself."""
    named = [argument.name for argument in tool.arguments]
    found = [f'the argument "{name}" stands there twice.' for name in dict.fromkeys(named)
             if named.count(name) > 1]  # fmt: skip
    for argument in tool.arguments:
        reserved = argument.name in MODEL_ATTRIBUTES or is_keyword(argument.name)
        if argument.name in (*PAGING, "db") or reserved:
            found.append(f'leave out or rename the argument "{argument.name}".')
        inner = argument.type.removeprefix(LIST_PREFIX)
        if inner in blueprint.kinds and inner == argument.type:
            if not argument.name.endswith("_id"):
                found.append(f'"{argument.name}" is the id of a {inner}; let it end in _id.')
        elif argument.name.endswith("_id"):
            things = _things_for(argument.name, blueprint)
            found.append(f'"{argument.name}" is {argument.type}; let its type be {things}.')
    return [*found, *_wrong_result(tool)]


def _things_for(argument: str, blueprint: Blueprint) -> str:
    """Return the thing whose id an argument seems to be, or all things."""
    meant = [name for name in blueprint.kinds if key_of(name) == argument]
    return " or ".join(meant or blueprint.kinds)


def _wrong_result(tool: ToolPlan) -> list[str]:
    found = []
    if tool.returns == PAGE_PREFIX + SUMMARY:
        found.append("a page is of a thing.")
    if (tool.returns == SUMMARY) != bool(tool.fields):
        found.append("give fields when, and only when, it returns a summary.")
    names = [part.name for part in tool.fields]
    if len(names) != len({*names}):
        found.append("two of its fields have one name.")
    odd = [name for name in names if name in MODEL_ATTRIBUTES or is_keyword(name)]
    return [*found, *(f'rename the field "{name}".' for name in odd)]
