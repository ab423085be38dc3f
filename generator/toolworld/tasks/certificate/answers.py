"""Answers: what another row would have given must not pass for what was asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolworld.tasks.certificate.arguments import Leaf, replaced
from toolworld.tasks.certificate.other import Others
from toolworld.tasks.certificate.paths import Path, found_at, places_of
from toolworld.tasks.certificate.reasons import Reason
from toolworld.tasks.certificate.track import Step, Track, described
from toolworld.tasks.certificate.verdict import Flaw, Settings, Tally

Json = Any


class Answers:
    """Where gold's answers come from, and what comes of asking for something else."""

    def __init__(self, track: Track, settings: Settings, tally: Tally) -> None:
        """Take gold as it ran."""
        self._track, self._settings, self._tally = track, settings, tally
        self._others = Others(track)
        self._contains = track.facts.answers.contains_answer
        self._wanted: list[Json] = list(track.task["goal"]["answers"])

    def check(self) -> None:
        """Ask for other rows and values, and see whether that answers the same.

        Raises:
            Flaw: It does.
        """
        for step, places in self._sources().items():
            name = self._track.steps[step].tool.name
            if self._track.facts.is_write(name):
                continue  # a wrong write is wrong whatever it answers
            for arguments in self._otherwise(self._track.steps[step]):
                told = self._told(self._track.steps[step], arguments, places)
                if told is not None:
                    self._tally.count("answers", "from other rows")
                    right = [one for at, one in enumerate(self._wanted) if at not in places]
                    self._judge(self._track.steps[step], arguments, told, right)

    def _sources(self) -> dict[int, dict[int, Path]]:
        """Return, of the steps that show answers, where each shows which."""
        sources: dict[int, dict[int, Path]] = {}
        for number, wanted in enumerate(self._wanted):
            for step in reversed(self._track.steps):
                place = next(places_of(step.result, wanted), None)
                if place is not None:
                    sources.setdefault(step.index, {})[number] = place
                    break
        return sources

    def _otherwise(self, step: Step) -> Iterator[Mapping[str, Json]]:
        for leaf in step.leaves:
            if leaf.name not in ("limit", "cursor"):
                for value in self._values(step, leaf):
                    yield replaced(dict(step.arguments), leaf.path, value)

    def _values(self, step: Step, leaf: Leaf) -> list[Json]:
        if leaf.entity:
            return list(self._others.near_rows(step, leaf, self._settings.rows))
        return self._others.values(leaf, self._settings.values)

    def _told(
        self, step: Step, arguments: Mapping[str, Json], places: Mapping[int, Path]
    ) -> list[Json] | None:
        """Return what stands where the answers stood; None for nothing, or the same row."""
        self._track.episode.go(step.before)
        self._track.tally.sequences += 1
        result = self._track.call(step.tool.name, arguments)
        if result.is_error:
            return None
        content = result.structured
        told = []
        for place in places.values():
            shown = found_at(content, place[:-1])
            value = found_at(shown, place[-1:])
            if value is None or shown == found_at(step.result, place[:-1]):
                return None
            told.append(value)
        return told

    def _judge(
        self,
        step: Step,
        arguments: Mapping[str, Json],
        told: Sequence[Json],
        right: Sequence[Json],
    ) -> None:
        """Check that an answer with what another row told is not taken for the right one."""
        answer = "\n".join(map(str, [*told, *right]))
        if all(self._contains(answer, wanted) for wanted in self._wanted):
            call = described(step.tool.name, arguments)
            detail = f"{call} answers {', '.join(map(str, told))} too"
            raise Flaw(Reason.SAME_ANSWER, detail, step=step.index)
