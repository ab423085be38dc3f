"""The seed recipe: code that makes rows, run and checked against every rule at each answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anyio

from toolworld.draft.answers import Seeds
from toolworld.draft.blueprint import Blueprint
from toolworld.draft.stages.outline import repeats, stop_if
from toolworld.draft.trial import Fault, try_seeds
from toolworld.draft.views import choices_view, things_view
from toolworld.llm.desk import AnswerVerdict, Desk, Question

THINGS_A_PROMPT = 6


async def seeds(desk: Desk, blueprint: Blueprint) -> None:
    """Settle the recipe, some things at a time, each after the things it refers to.

    Raises:
        DraftError: Some do not pass.
    """
    ordered = blueprint.seed_order()
    for number, start in enumerate(range(0, len(ordered), THINGS_A_PROMPT), 1):
        some = ordered[start : start + THINGS_A_PROMPT]
        await _some(desk, blueprint, str(number), some)


async def _some(desk: Desk, blueprint: Blueprint, group: str, wanted: Sequence[str]) -> None:
    before = [*blueprint.seeds]
    earlier = [one.thing for part in before for one in part.seeds]
    outline = blueprint.world

    def values() -> dict[str, Any]:
        blueprint.seeds = before
        rows = ", ".join(f"{name} {blueprint.things[name].rows}" for name in wanted)
        return {
            "things": wanted,
            "outline": f"The world: {outline.title}. {outline.summary}\nRows: {rows}\n"
            + choices_view(blueprint, wanted, ()),
            "settled": things_view(blueprint, wanted),
            "before": things_view(blueprint, earlier, rules=False),
            "today": outline.today,
        }

    async def judge(answer: Seeds, number: int) -> AnswerVerdict:
        given = [one.thing for one in answer.seeds]
        found = [f"{name} is missing." for name in wanted if name not in given]
        found += repeats(given)
        if not found:
            ordered = sorted(answer.seeds, key=lambda one: wanted.index(one.thing))
            blueprint.seeds = [*before, answer.model_copy(update={"seeds": ordered})]
            found = [*map(_told, await anyio.to_thread.run_sync(try_seeds, blueprint))]
        if not found:
            desk.ledger.passed("seeds", wanted, number)
        return AnswerVerdict(found)

    def names() -> dict[str, Sequence[str]]:
        return {**blueprint.names, "thing": wanted}

    question = Question("seeds", group, Seeds, "seeds", values, names, judge, needed=True)
    stop_if(await desk.ask(question), f"The seeds of {', '.join(wanted)}", desk)


def _told(fault: Fault) -> str:
    """Return a fault in words; columns and rules are settled, so only rows can change."""
    text = fault.text.replace("Mend the recipe, or the rule.", "Mend the recipe.")
    settled = " (settled with the columns: give rows that suit it)"
    return f"{fault.owner or 'seed data'}: {text}{settled if fault.file == 'domain.yaml' else ''}"
