"""Where the stages take their questions: asked, checked, and asked again with what was wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import anyio
from pydantic import BaseModel, ValidationError

from toolworld.draft.backend import Backend, Reply
from toolworld.draft.journal import Journal
from toolworld.draft.ledger import Ledger
from toolworld.draft.names import Names, schema_of
from toolworld.draft.prompts import Prompt, render
from toolworld.errors import BudgetSpent

MOST_ROUNDS = 3
MOST_FINDINGS, MOST_SHOWN, MOST_REPEATED = 14, 500, 8000
FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(.*)\n\s*```\s*\Z", re.DOTALL)

AnswerT = TypeVar("AnswerT", bound=BaseModel)
Say = Callable[[str], None]


@dataclass(frozen=True)
class Verdict:
    """What was found in an answer.

    Attributes:
        findings: What is wrong, each with what to do; none if all of it was taken.
        repeat: The part of the answer that is to be mended, as JSON.
    """

    findings: Sequence[str] = ()
    repeat: str | None = None


@dataclass(frozen=True)
class Question(Generic[AnswerT]):
    """Something to be asked until it is answered well.

    Attributes:
        template: The prompt's template.
        values: What the template is rendered over; asked for anew at each round, since what
            passed is not asked for again.
        names: What the answer may name, likewise.
        judge: Takes what is good in an answer, given its round from 1, and says what is not.
        instructions: The template of what holds for every prompt of its kind.
    """

    stage: str
    group: str
    kind: type[AnswerT]
    template: str
    values: Callable[[], dict[str, Any]]
    names: Callable[[], Names]
    judge: Callable[[AnswerT, int], Awaitable[Verdict]]
    instructions: str = "instructions"


@dataclass(frozen=True)
class Limits:
    """When a draft stops.

    Attributes:
        rounds: Answers to one question.
        tokens: All tokens; None for no limit.
        cost: US dollars; None for no limit.
        parallel: Questions that are open at once.
    """

    rounds: int = MOST_ROUNDS
    tokens: int | None = None
    cost: float | None = None
    parallel: int = 4


@dataclass
class Desk:
    """Takes questions to a backend, and keeps answers and figures."""

    backend: Backend
    journal: Journal
    limits: Limits
    say: Say
    ledger: Ledger = field(default_factory=Ledger)

    def __post_init__(self) -> None:
        """Make room for so many open questions."""
        self._room = anyio.Semaphore(self.limits.parallel)

    async def ask(self, question: Question[AnswerT]) -> Sequence[str]:
        """Ask until an answer passes or the rounds are used up; return what is still wrong.

        Raises:
            DraftError: No answer comes.
        """
        verdict = Verdict()
        for number in range(1, self.limits.rounds + 1):
            prompt = _prompt(question, number, verdict)
            reply = await self._reply(prompt)
            verdict = await self._judged(question, number, reply.text)
            self.backend.judged(prompt, verdict.findings)
            if not verdict.findings:
                break
        return verdict.findings

    async def _reply(self, prompt: Prompt) -> Reply:
        reply = self.journal.reply(prompt)
        if reply is None:
            async with self._room:
                self._check_budget()
                reply = await self.backend.answer(prompt)
            self.journal.keep(prompt, reply)
        self.ledger.answered(prompt, reply)
        self.say(f"{prompt.id}: {self.ledger}")
        return reply

    def _check_budget(self) -> None:
        limits, ledger = self.limits, self.ledger
        if limits.tokens is not None and ledger.tokens >= limits.tokens:
            raise BudgetSpent(f"The run has used {ledger.tokens:,} tokens of {limits.tokens:,}.")
        if limits.cost is not None and ledger.cost >= limits.cost:
            raise BudgetSpent(f"The run has used ${ledger.cost:.2f} of ${limits.cost:.2f}.")

    async def _judged(self, question: Question[AnswerT], number: int, text: str) -> Verdict:
        try:
            context = dict(question.names())
            answer = question.kind.model_validate_json(unfenced(text), context=context)
        except ValidationError as error:
            return Verdict(_misfits(error), text[:MOST_REPEATED])
        verdict = await question.judge(answer, number)
        repeat = verdict.repeat
        if repeat is None:
            repeat = answer.model_dump_json(exclude_defaults=True)
        return Verdict(_bounded(verdict.findings), repeat[:MOST_REPEATED])


def unfenced(text: str) -> str:
    """Return an answer without the code fence that some models put around JSON."""
    found = FENCE.match(text)
    return found[1] if found else text


def _prompt(question: Question[AnswerT], number: int, verdict: Verdict) -> Prompt:
    text = render(question.template, **question.values())
    if verdict.findings:
        text += render("again", findings=verdict.findings, repeat=verdict.repeat)
    return Prompt(
        id=f"{question.stage}-{question.group}.{number}" if question.group
        else f"{question.stage}.{number}",
        stage=question.stage,
        instructions=render(question.instructions),
        text=text,
        schema=schema_of(question.kind, question.names()),
    )  # fmt: skip


def _misfits(error: ValidationError) -> list[str]:
    found = [
        f"{'.'.join(map(str, one['loc'])) or 'the answer'}: {one['msg']}"
        for one in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    return _bounded(found)


def _bounded(findings: Sequence[str]) -> list[str]:
    shown = [text[:MOST_SHOWN] for text in dict.fromkeys(findings)]
    left = len(shown) - MOST_FINDINGS
    return [*shown[:MOST_FINDINGS], f"... and {left} more like these."] if left > 0 else shown


def compact(value: Any) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
