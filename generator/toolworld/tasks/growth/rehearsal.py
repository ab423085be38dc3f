"""Tools run in a task's world before they are let into the task.

A call is tried that the graph shows to succeed as things are. If there is none, or the task's
world rejects it, the tool is run with ids that other tools gave. At last, what had to be done
before a call succeeded becomes part of the task's start, as long as gold sees nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from toolworld.graph.surface import Surface, ToolFacts
from toolworld.prove.facts import leaves
from toolworld.tasks.episodes import Episode, Episodes, Patch
from toolworld.tasks.growth.feeding import Lesson, Pool, fed, first_rows, lesson
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
        self._seed = episodes.open()
        self._learned: dict[str, Lesson | None] = {}

    def open(self, initial: Patch, played: Played) -> Rehearsal:
        """Return a rehearsal of a task."""
        return Rehearsal(self, initial, played)

    def call(self, scene: Scene, tool: ToolFacts, arguments: Json) -> Lesson | None:
        """Return what is learned from a call, None if it would be rejected.

        What has nothing to do with the task's own rows is run on the seed database, once for
        all tasks.
        """
        if scene.concerns(tool, arguments):
            return _learned(scene.episode, tool, arguments)
        key = f"{tool.name} {arguments}"
        if key not in self._learned:
            if len(self._learned) >= MOST_LEARNED:
                self._learned.clear()
            self._learned[key] = _learned(self._seed, tool, arguments)
        return self._learned[key]


class Scene:
    """A task's start, and what its own rows say.

    Attributes:
        initial: The patch over the seed database.
        episode: An episode that starts there.
    """

    def __init__(self, episodes: Episodes, initial: Patch) -> None:
        """Open it."""
        self.initial = initial
        self.episode = episodes.open(initial)
        self._texts = {key for rows in initial.values() for key in rows} | _texts(initial)

    def concerns(self, tool: ToolFacts, arguments: Json) -> bool:
        """Whether a call has to do with rows of the patch.

        It has not if the tool's tables have none, nor if nothing that it names is said in any,
        nor if it names nothing and only looks: so few calls come upon them then that it is not
        worth running all.
        """
        initial = self.initial
        if tool.read_tables.isdisjoint(initial) and tool.changed_tables.isdisjoint(initial):
            return False
        named = _texts(arguments)
        return not named.isdisjoint(self._texts) if named else not tool.read_only


class Rehearsal:
    """The tools that are run in one task's world.

    Attributes:
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
        self._scene = Scene(hall.episodes, initial)

    @property
    def initial(self) -> Patch:
        """The task's patch so far."""
        return self._scene.initial

    def runs(self, name: str) -> bool:
        """Run a tool from the task's start; return whether it can be, after a patch at worst."""
        tool = self._hall.surface.tools[name]
        for way in (self._as_things_are, self._fed, self._patched):
            learned = way(tool)
            if learned is not None:
                self._pool.learn(learned)
                return True
        return False

    def _as_things_are(self, tool: ToolFacts) -> Lesson | None:
        """Return what is learned from a call that evidence shows with nothing before it."""
        shown = self._hall.showing.of(tool.name)
        return self._first(tool, (first_rows(tool, one.arguments) for one in shown if not one.rows))

    def _fed(self, tool: ToolFacts) -> Lesson | None:
        """Return the same of a call with ids that are known."""
        samples = self._hall.links.samples[tool.name]
        return self._first(tool, fed(tool, samples, self._pool, self._hall.tries))

    def _patched(self, tool: ToolFacts) -> Lesson | None:
        """Return the same of a call that evidence shows, with what it needs in the start."""
        shown = self._hall.showing.of(tool.name)
        return self._first(
            tool, (one.arguments for one in shown if one.rows and self._keeps(one.rows))
        )

    def _first(self, tool: ToolFacts, calls: Iterable[Json]) -> Lesson | None:
        """Return what is learned from the first call that is not rejected; None if all are."""
        for arguments in calls:
            learned = self._hall.call(self._scene, tool, arguments)
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
        self._scene = Scene(self._hall.episodes, initial)
        return True


def _learned(episode: Episode, tool: ToolFacts, arguments: Json) -> Lesson | None:
    result = episode.peek(tool.name, arguments)
    return None if result.is_error else lesson(tool, result.structured)


def _texts(value: Json) -> set[str]:
    return {leaf for _, leaf in leaves(value) if isinstance(leaf, str)}
