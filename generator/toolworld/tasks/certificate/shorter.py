"""The search for the goal with fewer writes than gold's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any

from toolworld.tasks.certificate.reasons import Reason
from toolworld.tasks.certificate.track import Track, described
from toolworld.tasks.certificate.verdict import Flaw, Mend, Settings, Tally
from toolworld.tasks.episodes import Moment

Json = Any
Way = tuple[Moment, tuple[tuple[str, Mapping[str, Json]], ...]]
"""A moment, and the calls that led to it."""


class Shorter:
    """The search for the goal with fewer writes than gold's."""

    def __init__(self, track: Track, settings: Settings, tally: Tally) -> None:
        """Take gold as it ran."""
        self._track, self._settings, self._tally = track, settings, tally
        wanted = track.task["goal"]["changes"]
        self._wanted = {_touched(one["table"], one["key"], one["before"]) for one in wanted}
        self._left = settings.search

    def check(self) -> None:
        """Drop several writes at once, then look for another way.

        Raises:
            Flaw: The goal is reached for less.
        """
        self._drop_several()
        self._search()

    def _drop_several(self) -> None:
        writes = [step.index for step in self._track.writes]
        sets = (one for size in range(2, len(writes)) for one in combinations(writes, size))
        for dropped in islice(sets, self._settings.subsets):
            self._tally.count("ambiguity", "fewer writes")
            if self._track.without(dropped).reward == 1.0:
                detail = ", ".join(str(self._track.steps[index]) for index in dropped)
                mend = Mend("mended: needless writes are left out", steps=dropped)
                raise Flaw(Reason.SEVERAL_NEEDLESS, detail, mend)

    def _search(self) -> None:
        """Try writes breadth-first, going on from where they touched rows of the goal only."""
        calls = list(self._calls())
        edge: list[Way] = [(self._track.steps[0].before, ())]
        for _ in range(len(self._track.writes) - 1):
            edge = [after for moment in edge for after in self._onward(moment, calls)]

    def _onward(
        self, moment: Way, calls: Sequence[tuple[str, Mapping[str, Json]]]
    ) -> Iterator[Way]:
        episode = self._track.episode
        start, way = moment
        for tool, arguments in calls:
            if self._left <= 0:
                return
            self._left -= 1
            self._tally.count("ambiguity", "calls of a shorter way")
            episode.go(start)
            if self._track.call(tool, arguments).is_error:
                continue
            if self._keeps_to_goal():
                here = (*way, (tool, arguments))
                if self._track.ending().reward == 1.0:
                    raise Flaw(Reason.SHORTER, ", then ".join(described(*call) for call in here))
                yield episode.now(), here

    def _keeps_to_goal(self) -> bool:
        """Whether rows of the goal were touched, and no others."""
        episode, touched = self._track.episode, False
        for table, key, before, _ in episode.since(episode.start):
            touched = True
            if _touched(table, key, before) not in self._wanted:
                return False
        return touched

    def _calls(self) -> Iterator[tuple[str, Mapping[str, Json]]]:
        """Yield calls of writes that touch the goal's tables, with values gold has."""
        track, values = self._track, self._values()
        tables = {table for table, _ in self._wanted}
        used = {step.tool.name for step in track.writes}
        for name in track.task["tools"] or track.facts.surface.tools:
            tool = track.facts.tool(name)
            if tool.changed_tables & tables and name not in used:
                required = [part for part in tool.parameters.values() if part.required]
                found = {
                    part.name: values.get(part.ids.get(part.name) or part.name) for part in required
                }
                if all(value is not None for value in found.values()):
                    yield name, found
        yield from ((step.tool.name, step.arguments) for step in track.writes)

    def _values(self) -> dict[str, Json]:
        """Return the values gold gives, by the entity they name or the name they stand under."""
        values: dict[str, Json] = {}
        for step in self._track.steps:
            for leaf in step.leaves:
                values.setdefault(leaf.entity or leaf.name, leaf.value)
        return values


def _touched(table: str, key: str, before: Any) -> tuple[str, str]:
    """Return the row that a change touches; a new row, with nothing before, by its table alone."""
    return table, "" if before is None else key
