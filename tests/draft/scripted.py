"""A model that says what a test tells it to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolworld.errors import ModelError
from toolworld.llm import ModelReply, Prompt


class Scripted:
    """Answers by prompt id, and remembers what was asked and what was found."""

    name = "scripted"

    def __init__(self, answers: Mapping[str, str]) -> None:
        self.answers = answers
        self.asked: list[Prompt] = []
        self.findings: dict[str, Sequence[str]] = {}

    async def answer(self, prompt: Prompt) -> ModelReply:
        self.asked.append(prompt)
        if prompt.id not in self.answers:
            raise ModelError(f"Nobody answers {prompt.id}.")
        return ModelReply.to(prompt, self.answers[prompt.id])

    def judged(self, prompt: Prompt, findings: Sequence[str]) -> None:
        self.findings[prompt.id] = findings
