"""Prompts that wait for an agent: handed out, answered, judged, and closed at the end."""

from __future__ import annotations

import anyio
import pytest

from toolworld.errors import ModelError
from toolworld.llm import Prompt
from toolworld.llm.backends.open import OpenPrompts

PROMPT = Prompt("plan.1", "plan", "Be brief.", "Divide the work.", {"type": "object"})


def test_an_answer_reaches_the_prompt_and_its_findings_come_back() -> None:
    async def run() -> list[str]:
        prompts = OpenPrompts()
        found: list[str] = []

        async def draft() -> None:
            reply = await prompts.answer(PROMPT)
            prompts.judged(PROMPT, [f"{reply.text} is too little."])

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(draft)
            await prompts.change()
            assert prompts.waiting == [PROMPT]
            found += await prompts.submit("plan.1", "{}")
            assert prompts.waiting == []
        return found

    assert anyio.run(run) == ["{} is too little."]


def test_an_answer_to_no_open_prompt_is_refused() -> None:
    async def run() -> None:
        prompts = OpenPrompts()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(prompts.answer, PROMPT)
            await prompts.change()
            with pytest.raises(ModelError, match=r'No prompt "plan.2" is open; open are: plan.1'):
                await prompts.submit("plan.2", "{}")
            tasks.cancel_scope.cancel()

    anyio.run(run)


def test_whoever_waits_hears_that_the_draft_ended() -> None:
    async def run() -> None:
        prompts = OpenPrompts()

        async def draft() -> None:
            await prompts.answer(PROMPT)
            prompts.close()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(draft)
            await prompts.change()
            with pytest.raises(ModelError, match=r"ended before the answer to plan.1 was judged"):
                await prompts.submit("plan.1", "{}")

    anyio.run(run)
