"""A recording as a model: every prompt gets the answer that it got when it was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from toolworld.errors import ModelError
from toolworld.llm.backend import ModelReply
from toolworld.llm.journal import replies_of
from toolworld.llm.prompts import Prompt


class Recording:
    """Answers from a journal, by the prompts' ids."""

    name = "replay"

    def __init__(self, path: Path) -> None:
        """Read a journal, which may be compressed as ``.gz``.

        Raises:
            ModelError: It is missing or is no journal.
        """
        if not path.is_file():
            raise ModelError(f"There is no recording {path}.")
        self._replies = replies_of(path)
        self._path = path

    async def answer(self, prompt: Prompt) -> ModelReply:
        """Return the recorded answer.

        Raises:
            ModelError: The prompt was not asked when the recording was made.
        """
        reply = self._replies.get(prompt.id)
        if reply is None:
            raise ModelError(f"{self._path} has no answer to the prompt {prompt.id}.")
        return reply

    def judged(self, prompt: Prompt, findings: Sequence[str]) -> None:
        """Do nothing: a recording does not learn."""
