"""Episodes that break a law: made again, and made short."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolworld.graph.evidence import PlannedCall
from toolworld.graph.guard import Guarded, Watch
from toolworld.jsonvalues import JsonObject
from toolworld.laws.checker import ROLE, LawChecker
from toolworld.laws.law import Law
from toolworld.packages import Package

TASK = {"id": "laws", "instruction": "No task: calls are tried.", "role": ROLE}
"""What makes an episode keep a trace, by which events are told."""


def episode_of(package: Package, watch: Watch | None = None) -> Any:
    """Return an episode in which every tool may be called and a trace is kept."""
    return Guarded(package.environment(TASK), watch or Watch())


class EpisodeShortener:
    """Shrinks an episode to the shortest one that still breaks a law."""

    def __init__(self, environment: Any, checker: LawChecker) -> None:
        """Take the episode to run calls in, and the checker of the laws."""
        self._environment, self._checker = environment, checker

    def breaks(self, law: Law, calls: Sequence[PlannedCall]) -> int:
        """Return after how many calls an episode breaks a law; 0 if it does not."""
        environment, wanted = self._environment, {law.name}
        environment.reset()
        for number, call in enumerate(calls, 1):
            result = environment.call(call.tool, call.arguments)
            is_told = result.outcome in ("ok", "rejected")
            if is_told and self._checker.broken(environment, wanted):
                return number
        return 0

    def shortest(self, law: Law, calls: Sequence[PlannedCall]) -> tuple[PlannedCall, ...]:
        """Return an episode from which no call and no argument can be left out.

        Args:
            law: The law that it has to break.
            calls: An episode that breaks it.
        """
        best = tuple(calls[: self.breaks(law, calls)])
        shorter = True
        while shorter:
            shorter = False
            for other in self._shorter(best):
                number = self.breaks(law, other)
                if number:
                    best, shorter = other[:number], True
                    break
        return best

    def _shorter(self, calls: tuple[PlannedCall, ...]) -> Iterator[tuple[PlannedCall, ...]]:
        """Yield episodes with one call or argument less; the last call stays."""
        for place in range(len(calls) - 1):
            yield calls[:place] + calls[place + 1 :]
        for place, call in enumerate(calls):
            for name in call.arguments:
                less = _without(call.arguments, name)
                yield (*calls[:place], PlannedCall(call.tool, less), *calls[place + 1 :])


def _without(arguments: Mapping[str, Any], name: str) -> JsonObject:
    return {other: value for other, value in arguments.items() if other != name}
