"""Tools taken in around a chain, breadth first, each after it was run in the task's world.

A tool is run with ids that the tools there are gave. If it rejects them all, a call that the
graph shows to succeed is tried, and what had to be done before it becomes part of the start.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

from toolworld.graph.evidence import Call
from toolworld.graph.surface import Surface
from toolworld.tasks.feeding import Pool, fed
from toolworld.tasks.links import Links, Sample
from toolworld.tasks.settings import GrowthSettings
from toolworld.tasks.start import Place, Row
from toolworld.tasks.trial import Patch, Played, Trial, emptied
from toolworld.tasks.patches import merged

Json = Any


class Expansion:
    """The tools of one task as they grow.

    Attributes:
        tools: The tools so far.
        initial: The task's patch so far.
        played: Gold as it runs from there.
        patches: How many tools needed a patch.
    """

    def __init__(
        self,
        surface: Surface,
        links: Links,
        trial: Trial,
        settings: GrowthSettings,
        tools: Iterable[str],
        initial: Patch,
        played: Played,
    ) -> None:
        """Start from gold as it ran, and tools that are in whatever happens."""
        self._surface = surface
        self._links = links
        self._trial = trial
        self._settings = settings
        self.tools = set(tools)
        self.initial = initial
        self.played = played
        self.patches = 0
        self._closed = emptied(played.gold)
        self._pool = Pool()
        self._refused: set[str] = set()
        self._open()
        for call in played.calls:
            self._pool.learn(surface.tools[call.tool], call.result)

    def _open(self) -> None:
        self._environment = self._trial.open(self.initial)
        self._start = self._environment.snapshot()

    def grow(self, rng: random.Random) -> int:
        """Take in tools that follow those there are, and return how many."""
        added = 0
        edge = list(self._links.ordered(self.tools))
        while edge and added < self._settings.breadth:
            near = dict.fromkeys(
                name for tool in edge for name in self._links.followers(tool) if self._may(name)
            )
            edge = []
            for name in rng.sample(list(near), len(near)):
                if added < self._settings.breadth and self.take(name):
                    edge.append(name)
                    added += 1
        return added

    def _may(self, tool: str) -> bool:
        new = tool not in self.tools and tool not in self._refused
        return new and self._links.met(tool, self.tools)

    def take(self, tool: str) -> bool:
        """Take in a tool if it can be run, after a patch at worst; return whether it is in."""
        if tool in self.tools:
            return True
        if tool in self._refused or not self._links.met(tool, self.tools):
            return False
        if self._runs(tool) or self._runs_patched(tool):
            self.tools.add(tool)
            return True
        self._refused.add(tool)
        return False

    def _runs(self, name: str) -> bool:
        """Run a tool with what is known, from the task's start."""
        tool = self._surface.tools[name]
        for arguments in fed(tool, self._links.samples[name], self._pool, self._settings.tries):
            result = self._environment.call(name, arguments)
            if not result.is_error:
                self._pool.learn(tool, result.structured)
                self._environment.restore(self._start)
                return True
        return False

    def _runs_patched(self, name: str) -> bool:
        """Run a tool as the graph's evidence did, and put what that needs into the start."""
        tool = self._surface.tools[name]
        for sample in self._links.samples[name][: self._settings.tries]:
            made = self._prepared(name, sample)
            if made is None:
                continue
            result, rows = made
            if rows and not self._patch(rows):
                continue
            self._pool.learn(tool, result)
            return True
        return False

    def _prepared(self, name: str, sample: Sample) -> tuple[Json, Mapping[Place, Row]] | None:
        """Return a sample's result and the rows its setup changed; None if it does not run.

        A setup that adds or removes rows is of no use: their keys would be gold's.
        """
        environment = self._environment
        try:
            if any(environment.call(call.tool, call.arguments).is_error for call in sample.setup):
                return None
            changes = environment.diff()
            if any(change.before is None or change.after is None for change in changes):
                return None
            result = environment.call(name, sample.arguments)
            if result.is_error:
                return None
            rows = {Place(change.table, change.key): change.after for change in changes}
            return result.structured, rows
        finally:
            environment.restore(self._start)

    def _patch(self, rows: Mapping[Place, Row]) -> bool:
        """Put rows into the start; drop them again if gold does not do the same with them."""
        if any(place.key in self.initial.get(place.table, {}) for place in rows):
            return False
        patched = merged(self.initial, [rows])
        played = self._trial.replay(self.played, patched, self._closed)
        if played is None:
            return False
        self.initial, self.played = patched, played
        self.patches += 1
        self._open()
        return True
