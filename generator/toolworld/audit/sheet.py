"""One question of an audit, and the verdicts on its findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio

from toolworld.audit.answers import Finding, Findings
from toolworld.audit.reproduce import Reproducer
from toolworld.audit.topics import Topic
from toolworld.audit.verdict import Judged
from toolworld.llm.desk import AnswerVerdict, Desk, Question, compact
from toolworld.llm.prompts import inert

NO_ANSWER = "no answer"


@dataclass
class Sheet:
    """The findings about some tools, tables or tasks.

    Attributes:
        topic: Whether it is about tools, tables or tasks.
        group: Tells the question from others of the topic.
        subjects: The names of what is asked about.
        judged: The findings, in the order they came.
        trouble: Why there was no answer that could be read; empty if there was one.
    """

    topic: Topic
    group: str
    subjects: Sequence[str]
    judged: list[Judged] = field(default_factory=list)
    trouble: str = NO_ANSWER

    async def fill(self, desk: Desk, about: Mapping[str, str], reproducer: Reproducer) -> None:
        """Ask until every finding can be run, or the rounds are used up.

        Args:
            desk: Asks the model.
            about: What the prompt says about the package.
            reproducer: Runs the findings.

        Raises:
            ModelError: No answer comes.
        """
        topic = self.topic

        async def judge(answer: Findings[Any], number: int) -> AnswerVerdict:
            tried = await anyio.to_thread.run_sync(
                reproducer.tried, self._new(answer.findings), number
            )
            self._take(tried)
            ran = [one.finding.subject for one in tried if one.status != "broken"]
            desk.ledger.passed(topic.name, ran, number)
            return _verdict([one for one in tried if one.status == "broken"])

        def values() -> dict[str, Any]:
            return {**about, "evidence": topic.evidence(self._open())}

        template = f"audit_{topic.name}"
        wrong = await desk.ask(
            Question(
                topic.name,
                self.group,
                topic.kind,
                template,
                values,
                lambda: topic.names,
                judge,
                instructions="audit_instructions",
            )
        )
        desk.ledger.account(topic.name).failed += len(self._broken())
        if self.trouble:
            self.trouble = " ".join(wrong)

    def _open(self) -> list[str]:
        """Return the subjects to ask about: those with broken findings, or else all."""
        broken = {one.finding.subject for one in self._broken()}
        return [name for name in self.subjects if name in broken] or list(self.subjects)

    def _broken(self) -> list[Judged]:
        return [one for one in self.judged if one.status == "broken"]

    def _new(self, findings: Sequence[Finding]) -> list[Finding]:
        """Return the findings that have not been settled yet."""
        settled = [one.finding for one in self.judged if one.status != "broken"]
        return [finding for finding in findings if finding not in settled]

    def _take(self, tried: Sequence[Judged]) -> None:
        """Keep findings; they replace broken ones of the same subject and kind."""
        again = {_about(one) for one in tried}
        kept = [one for one in self.judged if one.status != "broken" or _about(one) not in again]
        self.judged, self.trouble = [*kept, *tried], ""


def _about(judged: Judged) -> tuple[str, str]:
    return judged.finding.subject, judged.finding.kind


def _verdict(broken: Sequence[Judged]) -> AnswerVerdict:
    """Return what is to be mended; what the package said is marked as given."""
    wrong = [_mend(one) for one in broken]
    again = [one.finding.model_dump(mode="json", exclude_defaults=True) for one in broken]
    return AnswerVerdict(wrong, compact({"findings": again}))


def _mend(judged: Judged) -> str:
    said = f" <given>{inert(judged.said)}</given>" if judged.said else ""
    return f"The finding about {judged.finding.subject} cannot be run: {judged.why}{said}"
