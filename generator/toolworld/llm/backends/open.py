"""Prompts that wait for answers from outside: an agent reads them and submits answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import anyio

from toolworld.errors import ModelError
from toolworld.llm.backend import ModelReply
from toolworld.llm.prompts import Prompt


@dataclass
class Waiting:
    """A prompt that has no answer yet."""

    prompt: Prompt
    answered: anyio.Event = field(default_factory=anyio.Event)
    text: str = ""


class OpenPrompts:
    """Keeps prompts open until answers are submitted, and keeps the findings about these."""

    name = "agent"

    def __init__(self) -> None:
        """Start with no prompts."""
        self.open: dict[str, Waiting] = {}
        self.closed = False
        self._findings: dict[str, Sequence[str]] = {}
        self._changed = anyio.Event()

    async def answer(self, prompt: Prompt) -> ModelReply:
        """Wait for the answer to a prompt."""
        waiting = self.open[prompt.id] = Waiting(prompt)
        self._change()
        await waiting.answered.wait()
        del self.open[prompt.id]
        return ModelReply.to(prompt, waiting.text)

    def judged(self, prompt: Prompt, findings: Sequence[str]) -> None:
        """Keep the findings about an answer, for whoever submitted it."""
        self._findings[prompt.id] = findings
        self._change()

    @property
    def waiting(self) -> list[Prompt]:
        """The prompts that nobody has answered yet."""
        return [one.prompt for one in self.open.values() if not one.answered.is_set()]

    def left(self, prompt: str) -> int:
        """Return how many answers to an open prompt there may be after the next one."""
        waiting = self.open.get(prompt)
        return waiting.prompt.left if waiting else 0

    def close(self) -> None:
        """Note that no prompt will be opened and no answer judged any more."""
        self.closed = True
        self.open.clear()
        self._change()

    def _change(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()

    async def change(self) -> None:
        """Wait until a prompt is opened, an answer is judged, or everything is closed."""
        await self._changed.wait()

    async def submit(self, prompt: str, text: str) -> Sequence[str]:
        """Submit an answer, and return the findings about it; none if it is accepted.

        Raises:
            ModelError: No such prompt is open, or the draft ends before the answer is judged.
        """
        waiting = self.open.get(prompt)
        if waiting is None or waiting.answered.is_set():
            known = ", ".join(one.id for one in self.waiting) or "none"
            raise ModelError(f'No prompt "{prompt}" is open; open are: {known}.')
        waiting.text = text
        waiting.answered.set()
        while prompt not in self._findings:
            if self.closed:
                raise ModelError(f"The draft ended before the answer to {prompt} was judged.")
            await self.change()
        return self._findings[prompt]
