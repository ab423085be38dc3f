"""Tools run in a task's world before they are let into the task.

A tool is run with ids that other tools gave. If it rejects them all, a call that the graph
shows to succeed is tried, and what had to be done before it becomes part of the task's start,
as long as gold sees nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolworld.graph.surface import Surface, ToolFacts
from toolworld.tasks.episodes import Episode, Episodes, Patch
from toolworld.tasks.growth.feeding import Lesson, Pool, fed, lesson
from toolworld.tasks.growth.links import Links
from toolworld.tasks.growth.patches import merged
from toolworld.tasks.growth.settings import GrowthSettings
from toolworld.tasks.growth.shown import Showing
from toolworld.tasks.growth.start import Place, Row
from toolworld.tasks.growth.trial import Played, Spoilt, Trial

Json = Any

MOST_LEARNED = 10_000
"""How many calls are remembered from one task to the next."""


class Hall:
    """Where tasks of a package are rehearsed: what does not change from task to task."""

    def __init__(
        self, episodes: Episodes, surface: Surface, links: Links, settings: GrowthSettings
    ) -> None:
        """Take a package's episodes, its tools and its graph."""
        self.episodes = episodes
        self.surface = surface
        self.links = links
        self.tries = settings.tries
        self.most_patches = settings.most_patches
        self.trial = Trial(episodes)
        self.showing = Showing(episodes.package, links)
        self._learned: dict[str, Lesson | None] = {}

    def open(self, initial: Patch, played: Played) -> Rehearsal:
        """Return a rehearsal of a task."""
        return Rehearsal(self, initial, played)

    def call(
        self, episode: Episode, tool: ToolFacts, arguments: Json, patch: Patch
    ) -> Lesson | None:
        """Return what is learned from a call, None if it would be rejected.

        A tool that has to do with no table of the patch gives the same in every task, and is
        run once.
        """
        if not (tool.read_tables.isdisjoint(patch) and tool.changed_tables.isdisjoint(patch)):
            return _learned(episode, tool, arguments)
        key = f"{tool.name} {arguments}"
        if key not in self._learned:
            if len(self._learned) >= MOST_LEARNED:
                self._learned.clear()
            self._learned[key] = _learned(episode, tool, arguments)
        return self._learned[key]


class Rehearsal:
    """One task's world.

    Attributes:
        initial: The task's patch so far.
        patches: How many tools needed rows in it.
    """

    def __init__(self, hall: Hall, initial: Patch, played: Played) -> None:
        """Start with what gold's tools gave."""
        self._hall = hall
        self._played = played
        self._pool = Pool()
        for call in played.calls:
            self._pool.learn(lesson(hall.surface.tools[call.tool], call.result))
        self.patches = 0
        self._open(initial)

    def _open(self, initial: Patch) -> None:
        self.initial = initial
        self._episode = self._hall.episodes.open(initial)

    def runs(self, name: str) -> bool:
        """Run a tool from the task's start; return whether it can be, after a patch at worst."""
        tool = self._hall.surface.tools[name]
        learned = self._fed(tool)
        if learned is None:
            learned = self._patched(tool)
        if learned is None:
            return False
        self._pool.learn(learned)
        return True

    def _fed(self, tool: ToolFacts) -> Lesson | None:
        """Return what is learned from a tool called with ids that are known, or None."""
        samples = self._hall.links.samples[tool.name]
        for arguments in fed(tool, samples, self._pool, self._hall.tries):
            learned = self._hall.call(self._episode, tool, arguments, self.initial)
            if learned is not None:
                return learned
        return None

    def _patched(self, tool: ToolFacts) -> Lesson | None:
        """Return the same of a call that evidence shows, with what it needs in the start."""
        for shown in self._hall.showing.of(tool.name):
            if shown.rows and not self._keeps(shown.rows):
                continue
            learned = self._hall.call(self._episode, tool, shown.arguments, self.initial)
            if learned is not None:
                return learned
        return None

    def _keeps(self, rows: Mapping[Place, Row]) -> bool:
        """Put rows into the start, unless gold would see or do anything else then."""
        full = self.patches >= self._hall.most_patches
        if full or any(place.key in self.initial.get(place.table, {}) for place in rows):
            return False
        initial = merged(self.initial, [rows])
        every_step = range(len(self._played.gold))
        if isinstance(self._hall.trial.replay(self._played, initial, every_step), Spoilt):
            return False
        self.patches += 1
        self._open(initial)
        return True


def _learned(episode: Episode, tool: ToolFacts, arguments: Json) -> Lesson | None:
    result = episode.peek(tool.name, arguments)
    return None if result.is_error else lesson(tool, result.structured)
