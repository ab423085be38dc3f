"""Asks the questions of the stages: checks each answer, and asks again with what was wrong."""

from __future__ import annotations

import json
import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import anyio
from pydantic import BaseModel

from toolworld.errors import BudgetSpent, ModelError, ToolworldError
from toolworld.llm.backend import Backend, ModelReply
from toolworld.llm.journal import Journal
from toolworld.llm.ledger import Ledger
from toolworld.llm.names import Names, schema_of
from toolworld.llm.prompts import Prompt, render
from toolworld.llm.reading import Unfit, read_answer

MOST_ROUNDS = 3
MOST_FINDINGS, MOST_SHOWN, MOST_REPEATED = 14, 500, 8000

AnswerT = TypeVar("AnswerT", bound=BaseModel)
Say = Callable[[str], None]


@dataclass(frozen=True)
class AnswerVerdict:
    """The result of judging an answer.

    Attributes:
        findings: What is wrong, each with what to do; none if all of it was accepted.
        repeat: The part of the answer that is to be mended, as JSON.
        beyond: What is wrong with what an earlier stage settled. No answer to this question can
            mend it, so it is not asked for again.
    """

    findings: Sequence[str] = ()
    repeat: str | None = None
    beyond: Sequence[str] = ()


@dataclass(frozen=True)
class Question(Generic[AnswerT]):
    """A question that is asked until its answer passes.

    Attributes:
        template: The prompt's template.
        values: Returns the template's values; called at each round, since parts that passed are not
            asked for again.
        names: Returns the names that the answer may use; called at each round.
        judge: Accepts the good parts of an answer, given its round from 1, and says what is wrong
            with the others.
        instructions: The template of the instructions for every prompt of its kind.
        needed: Whether nothing can go on without it. If its rounds were used up, a resumed run
            asks it for as many rounds again.
    """

    stage: str
    group: str
    kind: type[AnswerT]
    template: str
    values: Callable[[], dict[str, Any]]
    names: Callable[[], Names]
    judge: Callable[[AnswerT, int], Awaitable[AnswerVerdict]]
    instructions: str = "instructions"
    needed: bool = False

    @property
    def id(self) -> str:
        """The beginning of its prompts' ids."""
        return f"{self.stage}-{self.group}" if self.group else self.stage


@dataclass(frozen=True)
class ModelLimits:
    """When a draft stops.

    Attributes:
        rounds: The most answers to one question.
        tokens: The most tokens in all; None for no limit.
        cost: The most US dollars; None for no limit.
        parallel: The most questions that are open at once.
    """

    rounds: int = MOST_ROUNDS
    tokens: int | None = None
    cost: float | None = None
    parallel: int = 4


@dataclass
class Desk:
    """Asks a backend questions, and keeps answers and figures."""

    backend: Backend
    journal: Journal
    limits: ModelLimits
    say: Say
    ledger: Ledger = field(default_factory=Ledger)

    def __post_init__(self) -> None:
        """Limit how many questions are open at once."""
        self._room = anyio.Semaphore(self.limits.parallel)

    async def ask(self, question: Question[AnswerT]) -> Sequence[str]:
        """Ask until an answer passes or the rounds are used up; return the remaining findings.

        Raises:
            ModelError: No answer comes.
        """
        verdict = AnswerVerdict()
        most = self._rounds(question)
        for number in range(1, most + 1):
            prompt = _prompt(question, number, most - number, verdict)
            reply = await self._reply(prompt)
            verdict = await self._judged(question, number, reply.text)
            self.backend.judged(prompt, [*verdict.findings, *verdict.beyond])
            if not verdict.findings:
                break
        return [*verdict.findings, *verdict.beyond]

    def _rounds(self, question: Question[AnswerT]) -> int:
        """Return how many answers a question may have.

        A needed question whose rounds were used up gets as many more when the run is resumed. One
        that was stopped half-way gets the rounds that were left.
        """
        rounds = self.limits.rounds
        if not question.needed:
            return rounds
        return rounds * (self.journal.rounds(question.id) // rounds + 1)

    async def _reply(self, prompt: Prompt) -> ModelReply:
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

    async def _judged(self, question: Question[AnswerT], number: int, text: str) -> AnswerVerdict:
        try:
            answer = read_answer(question.kind, text, question.names())
        except Unfit as error:
            return AnswerVerdict(_bounded(error.findings), _shown(text))
        try:
            verdict = await question.judge(answer, number)
        except ToolworldError:
            raise
        except OSError as error:
            raise ModelError(f"{question.id}.{number} cannot be judged here: {error}.") from error
        except Exception as error:  # noqa: BLE001 - any error that an answer causes is a finding
            wrong = f"It could not be judged. {defect(error)} Answer in another, simpler way."
            return AnswerVerdict([wrong], _shown(text))
        repeat = verdict.repeat
        if repeat is None:
            repeat = answer.model_dump_json(exclude_defaults=True)
        beyond = _bounded(verdict.beyond)
        return AnswerVerdict(_bounded(verdict.findings), repeat[:MOST_REPEATED], beyond)


def defect(error: Exception) -> str:
    """Return a line that says what a defect of toolworld is, and where."""
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1] if frames else None
    where = f", in {last.name} of {Path(last.filename).name}:{last.lineno}" if last else ""
    said = str(error).strip().splitlines()
    what = f"{type(error).__name__}: {said[-1] if said else 'no more is known'}"
    return f"There is a defect of toolworld ({what[: MOST_SHOWN // 2]}{where})."


def _prompt(question: Question[AnswerT], number: int, left: int, verdict: AnswerVerdict) -> Prompt:
    text = render(question.template, **question.values())
    if verdict.findings:
        text += render("again", findings=verdict.findings, repeat=verdict.repeat, left=left)
    return Prompt(
        id=f"{question.id}.{number}",
        stage=question.stage,
        instructions=render(question.instructions),
        text=text,
        schema=schema_of(question.kind, question.names()),
        left=left,
    )


def _shown(text: str) -> str:
    """Return the part of an answer that is repeated, in characters that any server accepts."""
    return text[:MOST_REPEATED].encode("utf-8", "replace").decode()


def _bounded(findings: Sequence[str]) -> list[str]:
    shown = [text[:MOST_SHOWN] for text in dict.fromkeys(findings)]
    left = len(shown) - MOST_FINDINGS
    return [*shown[:MOST_FINDINGS], f"... and {left} more like these."] if left > 0 else shown


def compact(value: Any) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
