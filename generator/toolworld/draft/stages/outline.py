"""The world's outline, and how its work is divided: things, choices, areas and tool names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from toolworld.draft.answers import Outline, Plan, plan_in_one_area
from toolworld.draft.blueprint import SUMMARY, Blueprint, class_of
from toolworld.draft.trial import check
from toolworld.draft.views import outline_view
from toolworld.errors import DraftError
from toolworld.llm.desk import AnswerVerdict, Desk, Question
from toolworld.llm.names import type_names
from toolworld.spec.lint_tools import TOOL_NAME, is_reserved
from toolworld.spec.model import snake

LEAST_THINGS, MOST_THINGS = 3, 22
TOOLS_A_THING = 3.5
TOOLS_AN_AREA, MOST_AREAS = 9, 12


async def outline(desk: Desk, blueprint: Blueprint) -> None:
    """Draft the outline: the business, its things and its areas.

    Raises:
        DraftError: No answer passes.
    """
    middle = blueprint.brief.tools / TOOLS_A_THING
    least = max(LEAST_THINGS, min(round(0.75 * middle), MOST_THINGS - 6))
    most = max(least + 1, min(round(1.25 * middle), MOST_THINGS))

    async def judge(answer: Outline, number: int) -> AnswerVerdict:
        blueprint.outline = answer
        found = [*repeats(thing.name for thing in answer.things)]
        found += repeats(thing.prefix for thing in answer.things)
        if not least <= len(answer.things) <= most:
            found.append(f"There are {len(answer.things)} things; give {least} to {most}.")
        found += found or _wrong_names(blueprint)
        desk.ledger.passed("outline", () if found else ("outline",), number)
        return AnswerVerdict(found)

    def values() -> dict[str, Any]:
        return {"brief": blueprint.brief, "least": least, "most": most}

    question = Question("outline", "", Outline, "outline", values, dict, judge, needed=True)
    stop_if(await desk.ask(question), "The outline", desk)


async def plan(desk: Desk, blueprint: Blueprint) -> None:
    """Settle choices, areas and the tools' names.

    Raises:
        DraftError: No answer passes.
    """
    tools = blueprint.brief.tools
    areas = max(1, min(round(tools / TOOLS_AN_AREA), MOST_AREAS))
    kind = plan_in_one_area(tools) if areas == 1 else Plan

    async def judge(answer: Plan, number: int) -> AnswerVerdict:
        found = _wrong_plan(answer, blueprint)
        blueprint.plan = answer
        found += found or _wrong_names(blueprint)
        desk.ledger.passed("plan", () if found else ("plan",), number)
        return AnswerVerdict(found)

    def values() -> dict[str, Any]:
        blueprint.plan = None
        return {
            "outline": outline_view(blueprint),
            "source": blueprint.brief.source,
            "tools": tools,
            "areas": areas,
            "thing": snake(blueprint.world.things[0].name),
            "table": blueprint.world.things[-1].table,
        }

    question = Question(
        "plan", "", kind, "plan", values, lambda: blueprint.names, judge, needed=True
    )
    stop_if(await desk.ask(question), "The plan", desk)


def stop_if(findings: Sequence[str], what: str, desk: Desk) -> None:
    """Stop the draft if a stage that it needs has findings.

    Raises:
        DraftError: There are findings.
    """
    if findings:
        told = "\n".join(f"- {text}" for text in findings)
        raise DraftError(
            f"{what} did not pass:\n{told}\nOpened again, the draft asks for it up to "
            f"{desk.limits.rounds} times more."
        )


def repeats(names: Iterable[str]) -> list[str]:
    """Return a finding for each name that stands twice among some."""
    return [f'"{name}" stands there twice.' for name, count in Counter(names).items() if count > 1]


def _alike(names: Sequence[str], key: Callable[[str], str]) -> list[str]:
    """Return a finding for each name that is the same in code as another one."""
    first: dict[str, str] = {}
    pairs = [(name, first.setdefault(key(name), name)) for name in names]
    return [
        f'"{name}" is too like "{other}"; call it otherwise.' for name, other in pairs
        if name != other
    ]  # fmt: skip


def _wrong_names(blueprint: Blueprint) -> list[str]:
    """Return the findings of the domain's rules on its names."""
    _, faults = check(blueprint, (), ("domain.yaml",))
    return [fault.text for fault in faults]


def _wrong_plan(answer: Plan, blueprint: Blueprint) -> list[str]:
    tools = [name for area in answer.areas for name in area.tools]
    found = [*repeats(tools), *repeats(area.name for area in answer.areas)]
    found += repeats(choice.name for choice in answer.choices)
    taken = {*blueprint.kinds, *type_names((), ()), SUMMARY}
    taken |= {snake(name) for name in blueprint.kinds}
    found += [f'"{one.name}" is no thing and choice both.' for one in answer.choices
              if one.name in taken]  # fmt: skip
    wrong = [name for name in tools if not TOOL_NAME.fullmatch(name) or is_reserved(name)]
    found += [f'"{name}" cannot name a tool; say what it does to what.' for name in wrong]
    found += _alike([*dict.fromkeys(tools)], class_of)
    found += _alike([*blueprint.kinds, *(one.name for one in answer.choices)], str.lower)
    left = [name for name in blueprint.kinds
            if not any(name in area.things for area in answer.areas)]  # fmt: skip
    if left:
        found.append(f"No area is about {', '.join(left)}.")
    wanted = blueprint.brief.tools
    if len(tools) != wanted:
        more = "more" if len(tools) < wanted else "fewer"
        off = abs(wanted - len(tools))
        found.append(f"There are {len(tools)} tools; give {off} {more}, {wanted} in all.")
    odd = [one for choice in answer.choices for one in choice.values if re.search("__", one)]
    return [*found, *(f'"{text}" is an odd value.' for text in odd)]
