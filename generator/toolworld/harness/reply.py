"""What a server answers, in the same shape over every transport."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Outcome = Literal["ok", "rejected", "invalid", "error", "broken"]


@dataclass(frozen=True)
class Reply:
    """What a call gave back.

    Attributes:
        outcome: ``ok``; ``rejected``, which over MCP includes ``invalid`` arguments; ``error``,
            when the call did not reach a tool or the tool broke; ``broken``, when the client
            could make nothing of the answer, which says nothing of the tool.
        text: What an agent reads.
        structured: The result as JSON values; empty unless ok.
    """

    outcome: Outcome
    text: str
    structured: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """What an episode is worth, with a reason for each thing missing or stray."""

    reward: float
    score: float
    reasons: tuple[str, ...]
