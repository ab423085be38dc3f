"""The tools of a task as they grow, breadth first from those of gold.

A tool is taken in only if tools that are in already give every id it must be given, and only
after it was run.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from toolworld.tasks.growth.links import Links
from toolworld.tasks.growth.rehearsal import Rehearsal


class Expansion:
    """The tools of one task.

    Attributes:
        tools: The tools so far.
    """

    def __init__(self, links: Links, rehearsal: Rehearsal, tools: Iterable[str]) -> None:
        """Start with tools that are in whatever happens."""
        self._links = links
        self._rehearsal = rehearsal
        self._refused: set[str] = set()
        self.tools = set(tools)

    def grow(self, most: int, rng: random.Random) -> None:
        """Take in up to a number of tools: those an edge leads to first, in random order."""
        edge = list(self._links.ordered(self.tools))
        most += len(self.tools)
        while edge:
            followers = dict.fromkeys(name for tool in edge for name in self._links.followers(tool))
            near = [name for name in followers if self._may_enter(name)]
            edge = []
            for name in rng.sample(near, len(near)):
                if len(self.tools) >= most:
                    return
                if self.take(name):
                    edge.append(name)

    def take(self, tool: str) -> bool:
        """Take in a tool if it may and can be run; return whether it is in."""
        if self._may_enter(tool):
            entered = self._rehearsal.runs(tool)
            (self.tools if entered else self._refused).add(tool)
        return tool in self.tools

    def take_all(self, tools: Iterable[str]) -> None:
        """Take in tools one after the other, each if it can be."""
        for tool in tools:
            self.take(tool)

    def _may_enter(self, tool: str) -> bool:
        new = tool not in self.tools and tool not in self._refused
        return new and self._links.met(tool, self.tools)
