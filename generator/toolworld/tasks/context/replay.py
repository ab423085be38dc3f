"""A task's gold run from a start, to see whether rows laid over the data leave it as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolworld.emit import Package
from toolworld.jsonvalues import JsonValue, leaves
from toolworld.tasks.context.start import Patch, RowKey

Step = Mapping[str, Any]
"""A step of gold as a task has it: a call, or a message of the agent, which calls nothing."""


@dataclass(frozen=True)
class GoldCall:
    """A call of gold as it was made.

    Attributes:
        arguments: Values, with nothing left to look up.
        code: Why it was rejected; empty unless it was.
        text: What it said, as JSON unless it was rejected.
        result: What it gave; empty if rejected.
        changed: The rows that it changed.
    """

    tool: str
    arguments: Mapping[str, JsonValue]
    outcome: str
    code: str
    text: str
    result: Mapping[str, Any]
    changed: frozenset[RowKey]

    def is_alike(self, other: GoldCall) -> bool:
        """Whether another call is the same one and ended alike, whatever it gave."""
        return (self.tool, self.arguments, self.outcome, self.code) == (
            other.tool,
            other.arguments,
            other.outcome,
            other.code,
        )


@dataclass(frozen=True)
class GoldRun:
    """Gold as it ran.

    Attributes:
        changes: The rows that differ from the start, as the package tells them.
    """

    calls: tuple[GoldCall, ...]
    changes: tuple[Any, ...]


class GoldReplay:
    """Runs gold of a package's tasks."""

    def __init__(self, package: Package) -> None:
        """Take one environment of the package."""
        self._environment = package.environment()
        self._resolve = package.module("task").resolve
        self._contains = package.module("answers").contains_answer
        self._error: type[Exception] = package.module("errors").PackageError

    def play(self, gold: Sequence[Step], initial: Patch) -> GoldRun | None:
        """Run gold from a patch; None if a step does not have the outcome it expects."""
        try:
            self._environment.reset({"id": "replay", "instruction": "", "initial": initial})
            return self._played(gold)
        except self._error:
            return None

    def _played(self, gold: Sequence[Step]) -> GoldRun | None:
        results: list[Mapping[str, Any]] = []
        calls: list[GoldCall] = []
        rows: dict[RowKey, Any] = {}
        for step in gold:
            if not step.get("tool"):
                results.append({})
                continue
            arguments = {
                name: self._resolve(value, results) for name, value in step["arguments"].items()
            }
            given = self._environment.call(step["tool"], arguments)
            code = getattr(given, "code", "")
            if given.outcome != step.get("expect", "ok") or code != (step.get("code") or code):
                return None
            now = {RowKey(one.table, one.key): one for one in self._environment.diff()}
            changed = {place for place in {**rows, **now} if rows.get(place) != now.get(place)}
            result = given.structured
            results.append(result)
            made = (step["tool"], arguments, given.outcome, code, given.text, result)
            calls.append(GoldCall(*made, frozenset(changed)))
            rows = now
        return GoldRun(tuple(calls), tuple(rows.values()))

    def is_same(self, one: GoldRun, other: GoldRun, answers: Sequence[Any]) -> bool:
        """Whether gold did the same twice.

        Args:
            one: Gold as it ran.
            other: Gold as it ran from a bigger start.
            answers: What the task wants told: each result that said one still must.
        """
        closed = _emptied(one.calls)
        return one.changes == other.changes and all(
            before == after
            or (
                number not in closed
                and before.is_alike(after)
                and self._says_still(before, after, answers)
            )
            for number, (before, after) in enumerate(zip(one.calls, other.calls, strict=True))
        )

    def _says_still(self, before: GoldCall, after: GoldCall, answers: Sequence[Any]) -> bool:
        told = (wanted for wanted in answers if self._contains(before.text, wanted))
        return all(self._contains(after.text, wanted) for wanted in told)


def _emptied(calls: Sequence[GoldCall]) -> set[int]:
    """Return the listings of which later calls name several items: all of them may be meant."""
    emptied: set[int] = set()
    for number, call in enumerate(calls):
        items = call.result.get("items")
        if isinstance(items, list):
            later = {value for one in calls[number + 1 :] for _, value in leaves(one.arguments)}
            shown = [
                {value for _, value in leaves(item) if isinstance(value, str)} for item in items
            ]
            times = Counter(text for texts in shown for text in texts & later)
            if sum(any(times[text] == 1 for text in texts & later) for texts in shown) > 1:
                emptied.add(number)
    return emptied
