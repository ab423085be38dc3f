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
from toolworld.tasks.growth.feeding import Pool, fed
from toolworld.tasks.growth.links import Links
from toolworld.tasks.growth.patches import merged
from toolworld.tasks.growth.settings import GrowthSettings
from toolworld.tasks.growth.shown import Showing
from toolworld.tasks.growth.start import Place, Row
from toolworld.tasks.growth.trial import Played, Trial

Json = Any


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
        self._looks: dict[str, Json] = {}

    def open(self, initial: Patch, played: Played) -> Rehearsal:
        """Return a rehearsal of a task."""
        return Rehearsal(self, initial, played)

    def call(self, episode: Episode, tool: ToolFacts, arguments: Json, patch: Patch) -> Json:
        """Return what a call would give, None if it would be rejected.

        A tool that takes no ids and looks at no table of the patch gives the same in every
        task, and is run once.
        """
        if not tool.read_only or takes_ids(tool) or not tool.read_tables.isdisjoint(patch):
            return _given(episode, tool, arguments)
        key = f"{tool.name} {arguments}"
        if key not in self._looks:
            self._looks[key] = _given(episode, tool, arguments)
        return self._looks[key]


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
            self._pool.learn(hall.surface.tools[call.tool], call.result)
        self.patches = 0
        self._open(initial)

    def _open(self, initial: Patch) -> None:
        self.initial = initial
        self._episode = self._hall.episodes.open(initial)

    def runs(self, name: str) -> bool:
        """Run a tool from the task's start; return whether it can be, after a patch at worst."""
        tool = self._hall.surface.tools[name]
        result = self._fed(tool)
        if result is None:
            result = self._patched(tool)
        if result is None:
            return False
        self._pool.learn(tool, result)
        return True

    def _fed(self, tool: ToolFacts) -> Json:
        """Return what a tool gives for ids that are known, or None."""
        samples = self._hall.links.samples[tool.name]
        for arguments in fed(tool, samples, self._pool, self._hall.tries):
            result = self._hall.call(self._episode, tool, arguments, self.initial)
            if result is not None:
                return result
        return None

    def _patched(self, tool: ToolFacts) -> Json:
        """Return what a tool gives as evidence called it, with what that needs in the start."""
        for shown in self._hall.showing.of(tool.name):
            if shown.rows and not self._keeps(shown.rows):
                continue
            result = self._hall.call(self._episode, tool, shown.arguments, self.initial)
            if result is not None:
                return result
        return None

    def _keeps(self, rows: Mapping[Place, Row]) -> bool:
        """Put rows into the start, unless gold would see or do anything else then."""
        full = self.patches >= self._hall.most_patches
        if full or any(place.key in self.initial.get(place.table, {}) for place in rows):
            return False
        initial = merged(self.initial, [rows])
        every_step = range(len(self._played.gold))
        if self._hall.trial.replay(self._played, initial, every_step) is None:
            return False
        self.patches += 1
        self._open(initial)
        return True


def takes_ids(tool: ToolFacts) -> bool:
    """Whether a tool takes any id."""
    return any(parameter.ids for parameter in tool.parameters.values())


def _given(episode: Episode, tool: ToolFacts, arguments: Json) -> Json:
    result = episode.peek(tool.name, arguments)
    return None if result.is_error else result.structured
