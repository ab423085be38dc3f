"""What a draft has used and reached: prompts, tokens, cost, and what passed at which answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from toolworld.llm.backend import ModelReply
from toolworld.llm.prompts import Prompt


@dataclass
class Account:
    """One stage's figures.

    Attributes:
        prompts: How many answers came.
        read: Tokens that models read.
        wrote: Tokens that they wrote.
        cost: US dollars, where known.
        largest: Tokens of the largest prompt.
        passed: How many parts passed, by the number of the answer, from 1.
        failed: How many parts did not pass.
    """

    prompts: int = 0
    read: int = 0
    wrote: int = 0
    cost: float = 0.0
    largest: int = 0
    passed: Counter[int] = field(default_factory=Counter)
    failed: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        return {
            "prompts": self.prompts,
            "tokens": self.read + self.wrote,
            "read": self.read,
            "wrote": self.wrote,
            "cost": round(self.cost, 6),
            "largest_prompt": self.largest,
            "passed_by_round": {str(number): self.passed[number] for number in sorted(self.passed)},
            "failed": self.failed,
        }


@dataclass
class Ledger:
    """The figures of a run, by stage.

    Attributes:
        estimated: Whether some tokens are estimates.
        priced: Whether every answer's cost is known.
    """

    stages: dict[str, Account] = field(default_factory=dict)
    estimated: bool = False
    priced: bool = True

    def account(self, stage: str) -> Account:
        """Return a stage's account."""
        return self.stages.setdefault(stage, Account())

    def answered(self, prompt: Prompt, reply: ModelReply) -> None:
        """Count an answer."""
        account = self.account(prompt.stage)
        account.prompts += 1
        account.read += reply.read
        account.wrote += reply.wrote
        account.cost += reply.cost or 0.0
        account.largest = max(account.largest, prompt.tokens)
        self.estimated |= reply.estimated
        self.priced &= reply.cost is not None

    def passed(self, stage: str, parts: Iterable[str], number: int) -> None:
        """Count the parts that passed at an answer, numbered from 1."""
        count = len(list(parts))
        if count:
            self.account(stage).passed[number] += count

    @property
    def tokens(self) -> int:
        """All tokens."""
        return sum(account.read + account.wrote for account in self.stages.values())

    @property
    def prompts(self) -> int:
        """All prompts that were answered."""
        return sum(account.prompts for account in self.stages.values())

    @property
    def cost(self) -> float:
        """All known cost, in US dollars."""
        return sum(account.cost for account in self.stages.values())

    def __str__(self) -> str:
        """Return one line for progress: tools, prompts, tokens and cost so far."""
        passed = sum(self.stages["bodies"].passed.values()) if "bodies" in self.stages else 0
        tools = f"{passed} tools, " if passed else ""
        cost = f", ${self.cost:.2f}" if self.cost else ""
        return f"{tools}{self.prompts} prompts, {self.tokens:,} tokens{cost}"

    def as_json(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        return {
            "prompts": self.prompts,
            "tokens": self.tokens,
            "estimated": self.estimated,
            "cost": round(self.cost, 6) if self.priced else None,
            "largest_prompt": max((one.largest for one in self.stages.values()), default=0),
            "by_stage": {name: account.as_json() for name, account in self.stages.items()},
        }
