"""A gold sequence on trial: what its steps gave, and whether they still do after a patch."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolworld.tasks.episodes import Episode, Episodes, Given, Patch

Json = Any
Step = Mapping[str, Json]


@dataclass(frozen=True)
class Call:
    """A step of gold as it was called.

    Attributes:
        arguments: Values, with nothing left to look up.
    """

    tool: str
    arguments: Mapping[str, Json]
    given: Given

    @property
    def result(self) -> Mapping[str, Json]:
        """What it gave; empty if rejected."""
        return self.given.structured


@dataclass(frozen=True)
class Played:
    """A gold sequence as it ran.

    Attributes:
        gold: The steps as the task would have them; places in results may have moved.
        changes: The rows that differ from the start.
    """

    gold: tuple[Step, ...]
    calls: tuple[Call, ...]
    changes: tuple[Any, ...]


@dataclass(frozen=True)
class Spoilt:
    """A gold sequence that does not do the same any more.

    Attributes:
        said: What a step said that it should not say; empty if it is not that.
    """

    said: str = ""


class Trial:
    """Runs gold sequences on a package."""

    def __init__(self, episodes: Episodes) -> None:
        """Take where to run them."""
        package, self._episodes = episodes.package, episodes
        self._resolve = package.module("task").resolve
        self._refused = package.module("errors").PackageError

    def play(self, gold: Sequence[Step], initial: Patch) -> Played | None:
        """Run gold from a patch; None if a step does not have the outcome it expects."""
        try:
            return self._played(self._episodes.open(initial), gold)
        except self._refused:
            return None

    def replay(
        self, before: Played, initial: Patch, closed: Collection[int] = ()
    ) -> Played | Spoilt:
        """Run gold again from a bigger patch.

        Args:
            before: Gold as it ran.
            initial: The bigger patch.
            closed: Steps whose results must stay as they were, to the last row.

        Returns:
            Gold with the same arguments and changes; where a row has moved within a result,
            the path that leads to it is corrected. Why not, if it does not do the same any more.
        """
        try:
            played = self._replayed(self._episodes.open(initial), before, closed)
        except self._refused:
            return Spoilt()
        if isinstance(played, Played) and played.changes != before.changes:
            return Spoilt()
        return played

    def _played(self, episode: Episode, gold: Sequence[Step]) -> Played | None:
        calls: list[Call] = []
        for step in gold:
            call = _called(episode, step, self._arguments(step, calls))
            if not _is_expected(call, step):
                return None
            calls.append(call)
        return Played(tuple(gold), tuple(calls), tuple(episode.diff()))

    def _replayed(
        self, episode: Episode, before: Played, closed: Collection[int]
    ) -> Played | Spoilt:
        gold: list[Step] = []
        calls: list[Call] = []
        moved = False
        for number, (step, old) in enumerate(zip(before.gold, before.calls, strict=True)):
            arguments = old.arguments
            if moved:  # until then, nothing that a path leads through is other than before
                step = {**step, "arguments": _mended(step["arguments"], before.calls, calls)}
                arguments = self._arguments(step, calls)
                if arguments != old.arguments:
                    return Spoilt()
            call = _called(episode, step, arguments)
            if not _is_expected(call, step):
                return Spoilt(call.given.text)
            if call.given != old.given:
                if number in closed and call.result != old.result:
                    return Spoilt(call.given.text)
                moved = True
            calls.append(call if moved else old)
            gold.append(step)
        return Played(tuple(gold), tuple(calls), tuple(episode.diff()))

    def _arguments(self, step: Step, calls: Sequence[Call]) -> dict[str, Json]:
        """Return a step's arguments with what the calls before it gave."""
        results = [call.result for call in calls]
        return {name: self._resolve(value, results) for name, value in step["arguments"].items()}


def _called(episode: Episode, step: Step, arguments: Mapping[str, Json]) -> Call:
    return Call(step["tool"], arguments, episode.call(step["tool"], arguments))


def _is_expected(call: Call, step: Step) -> bool:
    expected: str = step.get("expect", "ok")
    return call.given.outcome == expected


def emptied(gold: Sequence[Step]) -> set[int]:
    """Return the steps of which gold uses several items: loops, which end with the listing."""
    used: dict[int, set[str]] = {}
    for step in gold:
        for reference in references(step["arguments"]):
            parts = str(reference["path"]).split(".")
            numbers = [part for part in parts if part.isdecimal()]
            used.setdefault(int(reference["$step"]), set()).update(numbers[:1])
    return {step for step, numbers in used.items() if len(numbers) > 1}


def references(value: Json) -> Iterator[Mapping[str, Json]]:
    """Yield each ``{"$step": n, "path": ...}`` in arguments."""
    if isinstance(value, dict):
        if "$step" in value:
            yield value
        else:
            for part in value.values():
                yield from references(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from references(part)


def _mended(value: Json, before: Sequence[Call], calls: Sequence[Call]) -> Json:
    """Return arguments whose references lead to the rows they led to before."""
    if isinstance(value, dict):
        if "$step" in value:
            number = int(value["$step"])
            parts = str(value["path"]).split(".")
            path = ".".join(_path(parts, before[number].result, calls[number].result))
            return {**value, "path": path}
        return {name: _mended(part, before, calls) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_mended(part, before, calls) for part in value]
    return value


def _path(parts: Sequence[str], old: Json, new: Json) -> Iterator[str]:
    """Yield a path again, with each place in a list moved to where its item is now."""
    for part in parts:
        if isinstance(old, list) and isinstance(new, list):
            item = old[int(part)]
            place = new.index(item) if item in new else int(part)
            yield str(place)
            old, new = item, new[place] if place < len(new) else None
        else:
            yield part
            old = old[part] if isinstance(old, Mapping) else None
            new = new.get(part) if isinstance(new, Mapping) else None
