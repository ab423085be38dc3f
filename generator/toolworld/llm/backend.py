"""What answers prompts: a provider's model, an agent, files, or a recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from toolworld.llm.prompts import Prompt, estimate


@dataclass(frozen=True)
class ModelReply:
    """An answer as received.

    Attributes:
        text: JSON, if all is well.
        read: Tokens the model read.
        wrote: Tokens it wrote.
        cost: In US dollars; None when it is not known.
        estimated: Whether the tokens are an estimate.
    """

    text: str
    read: int
    wrote: int
    cost: float | None = None
    estimated: bool = False

    @classmethod
    def to(cls, prompt: Prompt, text: str) -> ModelReply:
        """Return a reply whose tokens are estimated."""
        return cls(text, prompt.tokens, estimate(text), None, True)

    @property
    def usage(self) -> dict[str, Any]:
        """The tokens and the cost, as JSON values."""
        return {
            "read": self.read,
            "wrote": self.wrote,
            "cost": self.cost,
            "estimated": self.estimated,
        }


class Backend(Protocol):
    """Answers prompts, several at once."""

    @property
    def name(self) -> str:
        """The backend's name in reports."""
        ...

    async def answer(self, prompt: Prompt) -> ModelReply:
        """Return the answer to a prompt.

        Raises:
            ModelError: No answer will come.
        """
        ...

    def judged(self, prompt: Prompt, findings: Sequence[str]) -> None:
        """Take the findings about an answer; none if it was accepted."""
        ...
