"""Every value of gold can be known: from the person, an earlier result, the schema or the clock."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from toolworld.packages.task import spoken
from toolworld.tasks.execute import PlayedStep
from toolworld.tasks.verify.arguments import PAGING, ArgumentLeaf, argument_leaves
from toolworld.tasks.verify.case import CertifiedCase
from toolworld.tasks.verify.flaw import Flaw
from toolworld.tasks.verify.heard import Heard
from toolworld.tasks.verify.others import other_values
from toolworld.tasks.verify.wrong import with_other

NEAR_DAYS = 31
FEW = 2
DAY = len("2026-03-01")
DATED = re.compile(r"\d{4}-\d{2}-\d{2}")


def values_are_knowable(case: CertifiedCase) -> Flaw | None:
    """Claim that each argument of gold comes from somewhere.

    Ids and texts come from the person's words and facts, an earlier result, the policy or the
    schema; days and numbers may be worked out, if they are near what was seen. A value that the
    goal leaves free may be anything.
    """
    sources = Sources(case)
    for step in case.run.steps:
        tool = case.package.tool(step)
        if tool is None:
            continue
        for leaf in argument_leaves(tool, dict(step.step.arguments)):
            source = sources.of(step, leaf, tool.read_only)
            if not source:
                return _flaw(step, leaf)
            case.count(f"knowable.{source}")
    return None


def _flaw(step: PlayedStep, leaf: ArgumentLeaf) -> Flaw:
    message = (
        f"{step}: {leaf.place} = {leaf.value!r} is in nothing that the person says or knows, in "
        "no earlier result, and not fixed by the schema."
    )
    mend = "Let the person say it, or take it from an earlier step."
    return Flaw("unknowable_value", message, mend, step.index)


class Sources:
    """Where the values of gold can be known from."""

    def __init__(self, case: CertifiedCase) -> None:
        """Take a task and its gold."""
        self._case = case
        self._known: dict[int, set[object]] = {}
        self._said: dict[int, Heard] = {}

    def _heard(self, step: PlayedStep) -> Heard:
        """Return the texts of the person and of rejections before a step.

        A fact that is held back counts once the person told it; where nobody talks, it counts.
        """
        before = self._case.run.steps[: step.index]
        told = [one.text for one in before if one.outcome in ("said", "rejected")]
        if len(told) not in self._said:
            replies = "\n".join(told) if self._case.run.talks else None
            texts = (*spoken(self._case.task, replies), *told)
            self._said[len(told)] = Heard(self._case.package.answers, texts)
        return self._said[len(told)]

    def of(self, step: PlayedStep, leaf: ArgumentLeaf, only_reads: bool) -> str:
        """Return the source of a value; empty if it can only be guessed."""
        value = leaf.value
        if isinstance(value, dict):
            return "results"
        if leaf.is_fixed or (only_reads and leaf.name in PAGING):
            return "schema"
        if value in self._seen(step):
            return "results"
        if isinstance(value, str):
            source = self._of_text(step, leaf, value)
        else:
            source = self._of_number(step, Decimal(str(value)))
        return source or ("free" if self._is_free(step, leaf) else "")

    def _of_text(self, step: PlayedStep, leaf: ArgumentLeaf, text: str) -> str:
        if leaf.schema.get("format") in ("date", "date-time"):
            return self._of_day(step, text[:DAY])
        if self._heard(step).says_verbatim(text):
            return "words"
        if self._is_minted(leaf):
            return ""
        if self._heard(step).says_words(text):
            return "words"
        shown = [value for value in self._seen(step) if isinstance(value, str)]
        if Heard(self._case.package.answers, shown).says_verbatim(text):
            return "results"
        if self._is_longer(step, shown, text):
            return "results"
        return "policy" if self._case.package.policy.says_verbatim(text) else ""

    def _is_longer(self, step: PlayedStep, shown: list[str], text: str) -> bool:
        """Return whether a text is a shown one followed by the person's words."""
        heard = self._heard(step)
        return any(
            text.startswith(one) and heard.says_verbatim(text[len(one) :]) for one in shown if one
        )

    def _is_minted(self, leaf: ArgumentLeaf) -> bool:
        entity = self._case.package.surface.entities.get(leaf.named)
        return entity is not None and entity.minted

    def _of_day(self, step: PlayedStep, text: str) -> str:
        if self._heard(step).says_day(text):
            return "words"
        day, today = date.fromisoformat(text), self._case.package.clock.date()
        seen = [today, *_days(self._seen(step))]
        return "worked out" if any(abs((day - one).days) <= NEAR_DAYS for one in seen) else ""

    def _of_number(self, step: PlayedStep, number: Decimal) -> str:
        if number in self._heard(step).numbers:
            return "words"
        seen = {Decimal(str(value)) for value in self._seen(step) if isinstance(value, int | float)}
        known = self._heard(step).numbers | self._case.package.policy.numbers | seen
        near = abs(number) <= FEW or any(one / 2 <= number <= one * 2 for one in known)
        return "worked out" if near or _is_sum(number, known) else ""

    def _seen(self, step: PlayedStep) -> set[object]:
        """Return the texts and numbers that the results of earlier steps show."""
        if step.index not in self._known:
            self._known[step.index] = {
                one.value
                for shown in self._case.shown[: step.index]
                for one in shown
                if not isinstance(one.value, bool)
            }
        return self._known[step.index]

    def _is_free(self, step: PlayedStep, leaf: ArgumentLeaf) -> bool:
        """Return whether gold reaches the goal with another value of its own as well."""
        if not step.wrote:
            return False
        others = other_values(self._case, leaf, 1)
        return any(with_other(self._case, step, leaf, one).free for one in others)


def _days(values: set[object]) -> Iterator[date]:
    for value in values:
        if isinstance(value, str) and DATED.match(value):
            try:
                yield date.fromisoformat(value[:DAY])
            except ValueError:
                continue


def _is_sum(number: Decimal, known: set[Decimal]) -> bool:
    """Return whether a number is the sum, difference or product of two that are known."""
    return any(
        number - one in known or one - number in known or (one and number / one in known)
        for one in known
    )
