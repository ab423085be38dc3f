"""Tries out findings: runs and judges those that can be run; the others are broken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolworld.audit.answers import AuditCall, Finding, ToolFinding
from toolworld.audit.apart import Subject
from toolworld.audit.checks import CannotTell
from toolworld.audit.promises import is_promised
from toolworld.audit.sequences import Steps, nothing_ran
from toolworld.audit.verdict import Judged, broken, judge
from toolworld.jsonvalues import parsed
from toolworld.spec.findings import suggest

Json = Any


class Reproducer:
    """Runs findings on a package."""

    def __init__(self, subject: Subject, evidence: dict[str, Json]) -> None:
        """Take a package and its evidence."""
        self._subject = subject
        self._definitions = {tool["name"]: tool["definition"] for tool in evidence["tools"]}
        self._tables = [table["name"] for table in evidence["tables"]]
        self._words = {task["words"]["id"]: task["words"] for task in evidence["tasks"]}
        self._starts: list[str] = evidence["starts"]

    def tried(self, findings: Sequence[Finding], answer: int) -> list[Judged]:
        """Return the verdict on each finding.

        Raises:
            ToolworldError: The package cannot be run.
        """
        judged: dict[int, Judged] = {}
        steps: dict[int, Steps] = {}
        for number, finding in enumerate(findings):
            try:
                steps[number] = self._steps(finding)
            except CannotTell as error:
                judged[number] = broken(finding, error, nothing_ran(), answer)
        came = self._subject.run(list(steps.values())) if steps else []
        for number, ran in zip(steps, came, strict=True):
            finding = findings[number]
            words = self._words.get(finding.start, {})
            judged[number] = judge(finding, ran, words, answer)
        return [judged[number] for number in range(len(findings))]

    def _steps(self, finding: Finding) -> Steps:
        """Return the calls to run for a finding.

        Raises:
            CannotTell: It names something that does not exist, or shows nothing.
        """
        if not (finding.calls or finding.rows or finding.on_words):
            raise CannotTell("Give calls or rows, or words of the task, that show it.")
        if isinstance(finding, ToolFinding):
            self._check_promise(finding)
        if finding.start:
            _check_name(finding.start, self._starts, "task")
        for row in finding.rows:
            _check_name(row.table, self._tables, "table")
        calls = [(call.tool, _arguments(n, call)) for n, call in enumerate(finding.calls)]
        return Steps(finding.start, calls, [(row.table, row.id) for row in finding.rows])

    def _check_promise(self, finding: ToolFinding) -> None:
        if not is_promised(finding.promise, self._definitions[finding.tool]):
            raise CannotTell(
                f"The promise does not stand in the documentation of {finding.tool}: copy its "
                "words exactly, without leaving any out."
            )


def _check_name(name: str, known: Sequence[str], what: str) -> None:
    if name not in known:
        raise CannotTell(f'There is no {what} "{name}". {suggest(name, known, "There are")}')


def _arguments(number: int, call: AuditCall) -> dict[str, Json]:
    try:
        arguments = parsed(call.arguments)
    except ValueError as error:
        raise CannotTell(f"The arguments of call {number} are no JSON: {error}.") from error
    if not isinstance(arguments, dict):
        raise CannotTell(f"The arguments of call {number} are no JSON object.")
    return arguments
