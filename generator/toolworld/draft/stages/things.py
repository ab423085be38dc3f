"""Columns, match policies and rules of the things that the tools need."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError
from typing import Any

from toolworld.draft.answers import ThingPlan, ThingPlans
from toolworld.draft.blueprint import Blueprint, key_of, things_of
from toolworld.draft.stages.outline import stop_if
from toolworld.draft.trial import check
from toolworld.draft.views import outline_view, signatures_view, things_view
from toolworld.llm.desk import AnswerVerdict, Desk, Question, compact

THINGS_A_PROMPT = 4
MOST_COMPLAINTS = 12
TOKENS_FOR_TOOLS = 3200


async def things(desk: Desk, blueprint: Blueprint) -> None:
    """Settle the columns of every thing, some at a time: later ones refer to earlier ones.

    Raises:
        DraftError: Some do not pass.
    """
    names = _used_first(blueprint)
    for number, start in enumerate(range(0, len(names), THINGS_A_PROMPT), 1):
        some = names[start : start + THINGS_A_PROMPT]
        await _some(desk, blueprint, str(number), some)


def _used_first(blueprint: Blueprint) -> list[str]:
    """Return the things that some tool names, grouped by area; drop the others."""
    used = {name for tool in blueprint.tools.values() for name in things_of(tool, blueprint.kinds)}
    ordered = dict.fromkeys(name for area in blueprint.areas for name in area.things)
    kept = [thing for thing in blueprint.world.things if thing.name in used]
    blueprint.outline = blueprint.world.model_copy(update={"things": kept})
    return [name for name in ordered if name in used]


async def _some(desk: Desk, blueprint: Blueprint, group: str, wanted: Sequence[str]) -> None:
    def values() -> dict[str, Any]:
        touching = [
            tool
            for tool in blueprint.tools.values()
            if not {*wanted}.isdisjoint(things_of(tool, blueprint.kinds))
        ]
        settled = [name for name in blueprint.things if name not in wanted]
        return {
            "things": wanted,
            "outline": outline_view(blueprint),
            "settled": things_view(blueprint, settled, rules=False),
            "tools": signatures_view(touching, TOKENS_FOR_TOOLS),
        }

    async def judge(answer: ThingPlans, number: int) -> AnswerVerdict:
        given = {plan.name: plan for plan in answer.things if plan.name in wanted}
        found = [f"{name} is missing." for name in wanted if name not in given]
        found += [text for plan in given.values() for text in _wrong(plan)]
        blueprint.things.update(given)
        found += found or _wrong_domain(blueprint)
        if not found:
            desk.ledger.passed("things", wanted, number)
        return AnswerVerdict(found, compact([one.model_dump(exclude_defaults=True)
                                       for one in answer.things]))  # fmt: skip

    def names() -> dict[str, Sequence[str]]:
        return {**blueprint.names, "thing": wanted}

    question = Question("things", group, ThingPlans, "things", values, names, judge, needed=True)
    stop_if(await desk.ask(question), f"The columns of {', '.join(wanted)}", desk)


def _wrong(plan: ThingPlan) -> list[str]:
    found = []
    if any(column.name == key_of(plan.name) for column in plan.columns):
        found.append(f"{plan.name}: its id {key_of(plan.name)} is there already; leave it out.")
    names = [column.name for column in plan.columns]
    if len(names) != len({*names}):
        found.append(f"{plan.name}: two of its columns have one name.")
    return found


def _wrong_domain(blueprint: Blueprint) -> list[str]:
    _, faults = check(blueprint, (), ("domain.yaml",))
    found = [fault.text for fault in faults[:MOST_COMPLAINTS]]
    try:
        blueprint.seed_order()
    except CycleError as error:
        circle = " -> ".join(map(str, error.args[1]))
        found.append(f"None of these can be made first: {circle}. Make one reference nullable.")
    return found
