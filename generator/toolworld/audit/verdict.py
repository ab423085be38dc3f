"""Judges a finding by what its calls did: confirmed, refuted or broken."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from toolworld.audit.answers import AuditCall, Finding, RowCheck
from toolworld.audit.checks import CannotTell, contradiction, shown
from toolworld.audit.sequences import UNRESOLVED

Json = Any
Status = Literal["confirmed", "refuted", "broken"]
LAST = "Only the last call may end otherwise than expected: end the calls there, or mend them."


@dataclass(frozen=True)
class Judged:
    """A finding and the verdict on it.

    Attributes:
        status: ``confirmed`` if the package is not as the finding says it should be, ``refuted``
            if it is, ``broken`` if what was run shows neither.
        why: What was seen.
        said: What the package said, if that is a part of why.
        happened: How each call ended, the rows that were looked at and what was changed.
        answer: The number of the answer that it came with, from 1.
    """

    finding: Finding
    status: Status
    why: str
    said: str
    happened: Json
    answer: int

    def as_json(self) -> dict[str, Json]:
        """Return the verdict as JSON values."""
        return {
            "subject": self.finding.subject,
            **self.finding.model_dump(mode="json"),
            "status": self.status,
            "why": f"{self.why} {self.said}".strip(),
            "happened": self.happened,
            "answer": self.answer,
        }


def judge(finding: Finding, ran: Json, words: Json, answer: int) -> Judged:
    """Return the verdict on a finding.

    Args:
        finding: The finding.
        ran: The outcome of its calls, as ``run_sequences`` returns it.
        words: The task it is about, as people see it.
        answer: The number of the answer that it came with.
    """
    try:
        told = _contradicted(finding, ran, words)
    except CannotTell as error:
        return broken(finding, error, ran, answer)
    if told:
        return Judged(finding, "confirmed", told, "", ran, answer)
    return Judged(finding, "refuted", "The package is as it ought to be.", "", ran, answer)


def broken(finding: Finding, error: CannotTell, ran: Json, answer: int) -> Judged:
    """Return the verdict on a finding that shows nothing."""
    return Judged(finding, "broken", str(error), error.said, ran, answer)


def _contradicted(finding: Finding, ran: Json, words: Json) -> str:
    """Return in words the first thing that is not as it should be; empty for none."""
    if ran["death"]:
        return str(ran["death"])
    for number, (call, end) in enumerate(zip(finding.calls, ran["ends"], strict=False)):
        where, is_last = f"call {number} ({call.tool})", number == len(finding.calls) - 1
        if told := _call(call, end, where, is_last):
            return told
    told_of = [_row(check, row) for check, row in zip(finding.rows, ran["rows"], strict=True)]
    told_of += [contradiction(check, words, "the task") for check in finding.on_words]
    return next((told for told in told_of if told), "")


def _call(call: AuditCall, end: Mapping[str, Json], where: str, is_last: bool) -> str:
    how, text = end["end"], end["text"]
    if how == "failed":
        return f"{where} fails: {shown(text)}"
    if how == UNRESOLVED:
        raise CannotTell(f"{where} takes a value that no earlier result holds.", text)
    if how == "invalid" and call.expect == "ok":
        raise CannotTell(f"{where} does not fit the schema of the tool.", shown(text))
    refused = how != "ok"
    if refused == (call.expect == "ok"):
        told = f"{where} ended {how}, not {call.expect}."
        if is_last:
            return f"{told} {shown(text)}"
        raise CannotTell(f"{told} {LAST}", shown(text))
    value = text if refused else json.loads(text)
    told_of = (contradiction(check, value, f"the result of {where}") for check in call.checks)
    return next((one for one in told_of if one), "")


def _row(check: RowCheck, row: Json) -> str:
    where = f"{check.table} {check.id}"
    if row is None and check.path:
        raise CannotTell(f"There is no row {where}, so it has no {check.path}.")
    return contradiction(check, row, where)
