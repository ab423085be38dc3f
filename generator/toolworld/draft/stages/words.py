"""The policy, and how people speak: of themselves, of rows, and when they ask for something."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import anyio

from toolworld.draft.answers import Asking, People, Policy
from toolworld.draft.blueprint import Blueprint
from toolworld.draft.stages.outline import stop_if
from toolworld.draft.texts import texts_of
from toolworld.draft.trial import UNFINISHED
from toolworld.draft.views import (
    choices_view,
    outline_view,
    request_view,
    signatures_view,
    things_view,
)
from toolworld.emit.checking import check_limited
from toolworld.llm.desk import AnswerVerdict, Desk, Question
from toolworld.spec.model import snake

TOOLS_A_PROMPT = 13
TOKENS_FOR_TOOLS = 3800
WORDS = ("domain.yaml", "tools.py", "phrases.yaml")


async def words(desk: Desk, blueprint: Blueprint) -> None:
    """Settle policy and phrases.

    Raises:
        DraftError: Some do not pass.
    """
    async with anyio.create_task_group() as group:
        group.start_soon(_policy, desk, blueprint)
        group.start_soon(_phrases, desk, blueprint)


async def _policy(desk: Desk, blueprint: Blueprint) -> None:
    def values() -> dict[str, Any]:
        every = blueprint.tools.values()
        plans = [tool.model_copy(update={"changes": [], "then": []}) for tool in every]
        text = signatures_view(plans, TOKENS_FOR_TOOLS)
        return {"outline": outline_view(blueprint), "tools": text}

    async def judge(answer: Policy, number: int) -> AnswerVerdict:
        text = answer.model_dump_json()
        named = [name for name in blueprint.tools if name in text and "_" in name]
        blueprint.policy = answer
        desk.ledger.passed("policy", () if named else ("policy",), number)
        return AnswerVerdict([f"It names the tool {name}; say it in words." for name in named])

    question = Question("policy", "", Policy, "policy", values, dict, judge, needed=True)
    stop_if(await desk.ask(question), "The policy", desk)


async def _phrases(desk: Desk, blueprint: Blueprint) -> None:
    await _people(desk, blueprint)
    names = [*blueprint.tools]
    count = -(-len(names) // TOOLS_A_PROMPT)
    size = -(-len(names) // count)
    blueprint.asking = [Asking.model_construct(tools=[], values=[]) for _ in range(count)]
    left: dict[int, Sequence[str]] = {}

    async def one(number: int) -> None:
        some = names[number * size : (number + 1) * size]
        left[number] = await _asking(desk, blueprint, number, some)

    async with anyio.create_task_group() as group:
        for number in range(count):
            group.start_soon(one, number)
    for number in range(count):
        stop_if(left[number], "How people ask for tools", desk)


async def _people(desk: Desk, blueprint: Blueprint) -> None:
    def values() -> dict[str, Any]:
        view = f"The world: {blueprint.world.title}. {blueprint.world.summary}"
        return {"outline": view, "things": things_view(blueprint, blueprint.things, rules=False)}

    async def judge(answer: People, number: int) -> AnswerVerdict:
        said = {one.thing for one in answer.rows}
        found = [f"Say how people speak of a {name}." for name in blueprint.things
                 if name not in said]  # fmt: skip
        blueprint.people = answer
        found += found or _wrong(blueprint, ())
        desk.ledger.passed("people", () if found else ("people",), number)
        return AnswerVerdict(found)

    question = Question(
        "people", "", People, "people", values, lambda: blueprint.names, judge, needed=True
    )
    stop_if(await desk.ask(question), "How people speak", desk)


async def _asking(
    desk: Desk, blueprint: Blueprint, place: int, wanted: Sequence[str]
) -> Sequence[str]:
    texts = blueprint.free_texts(wanted)
    said_rows = blueprint.people.rows if blueprint.people else []
    rows = {one.thing: one.phrases for one in said_rows}

    def values() -> dict[str, Any]:
        plans = [blueprint.tools[name] for name in wanted]
        ids = {argument.type for tool in plans for argument in tool.arguments}
        lines = [f"{snake(thing)}: {'; '.join(rows[thing][:2])}" for thing in rows if thing in ids]
        return {
            "headers": [request_view(tool) for tool in plans],
            "rows": "\n".join([*lines, choices_view(blueprint, (), plans)]),
            "texts": texts,
        }

    async def judge(answer: Asking, number: int) -> AnswerVerdict:
        said = {one.tool for one in answer.tools}
        spoken = {one.argument for one in answer.values}
        found = [f"Say how people ask for {name}." for name in wanted if name not in said]
        found += [f"Say what people say for {name}." for name in texts if name not in spoken]
        blueprint.asking[place] = answer
        found += found or _wrong(blueprint, wanted)
        desk.ledger.passed("asking", () if found else wanted, number)
        return AnswerVerdict(found)

    def names() -> dict[str, Sequence[str]]:
        return {**blueprint.names, "tool": wanted, "argument": texts}

    return await desk.ask(
        Question("asking", str(place + 1), Asking, "asking", values, names, judge, needed=True)
    )


def _wrong(blueprint: Blueprint, tools: Collection[str]) -> list[str]:
    """Return the findings of the rules for phrases on what people say for some tools."""
    texts = texts_of(blueprint, tools)
    _, problems = check_limited({name: texts[name] for name in WORDS}, UNFINISHED)
    lines = texts["phrases.yaml"].splitlines()
    return [
        f"{lines[problem.line - 1].strip()}: {problem.message} {problem.mend}"
        for problem in problems
        if problem.file == "phrases.yaml"
    ]
