"""The tool graph for growth: which tools can be called with the results of a set of tools.

A set of tools is a number with one bit for each tool, in the package's order: sets are joined and
compared thousands of times for one task.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from toolworld.graph import Edge, ToolGraph
from toolworld.graph.evidence import PlannedCall
from toolworld.jsonvalues import JsonValue

ToolSet: TypeAlias = int

MOST_SAMPLES = 2
CHOICES = 2
"""Between how many producers, the nearest to people first, a chain chooses."""
MOST_GROUNDED = 10_000
"""Of how many sets of tools it is remembered which of them can be called."""


@dataclass(frozen=True)
class SampleCall:
    """A call that was shown to succeed, after the calls that lead to it."""

    setup: tuple[PlannedCall, ...]
    arguments: Mapping[str, JsonValue]


@dataclass(frozen=True)
class Grounded:
    """The tools of a set that can be called with values from people and from other tools of it.

    Attributes:
        tools: The tools.
        turns: When each of them can be called: after those of earlier turns.
    """

    tools: ToolSet
    turns: Mapping[int, int]


class Links:
    """A tool graph, indexed once.

    Attributes:
        order: All tools, in the package's order.
        all: All tools that can succeed, as a set.
        needs: For each tool, the producers of each id that it must be given and no person knows.
        followers: For each tool, those to which an edge leads from it.
        readers: The tools that change nothing.
        samples: For each tool, calls that succeed, those that need no other before them first.
    """

    def __init__(self, graph: ToolGraph) -> None:
        """Index a graph."""
        self.order = tuple(graph.tools)
        self._place = {name: place for place, name in enumerate(self.order)}
        never = {*graph.never, *graph.broken}
        self.all = self.set_of(name for name in self.order if name not in never)
        self.readers = self.set_of(name for name, said in graph.tools.items() if said["read_only"])
        self.needs: list[list[ToolSet]] = [[] for _ in self.order]
        for argument in graph.arguments:
            if argument.required and not argument.known:
                tool = self._place[argument.tool]
                self.needs[tool].append(self.set_of(argument.producers) & ~(1 << tool))
        self.followers: list[ToolSet] = [0 for _ in self.order]
        for edge in graph.edges:
            source, target = self._place[edge.candidate.source], self._place[edge.candidate.target]
            self.followers[source] |= (1 << target) & ~(1 << source)
        self.samples = _samples(self.order, graph.edges)
        self.grounded = lru_cache(MOST_GROUNDED)(self._grounded)

    def set_of(self, tools: Iterable[str]) -> ToolSet:
        """Return tools as a set."""
        found = 0
        for name in tools:
            found |= 1 << self._place[name]
        return found

    def names(self, tools: ToolSet) -> tuple[str, ...]:
        """Return the names of a set's tools, in the package's order."""
        return tuple(self.order[place] for place in numbers(tools))

    def is_met(self, tool: int, have: ToolSet) -> bool:
        """Whether some tools give every id that a tool must be given."""
        for producers in self.needs[tool]:  # noqa: SIM110 - asked too often for a generator
            if not producers & have:
                return False
        return True

    def edges(self, tools: ToolSet) -> int:
        """Count the ordered pairs of different tools with an edge."""
        return sum((self.followers[place] & tools).bit_count() for place in numbers(tools))

    def _grounded(self, tools: ToolSet) -> Grounded:
        """Return the tools that can be called with values from people and from the others."""
        have, waiting = 0, list(numbers(tools))
        turns: dict[int, int] = {}
        while ready := [tool for tool in waiting if self.is_met(tool, have)]:
            for tool in ready:
                turns[tool] = len(turns)
                have |= 1 << tool
            waiting = [tool for tool in waiting if not have >> tool & 1]
        return Grounded(have, turns)

    def chain_to(self, tool: int, grounded: Grounded, rng: random.Random) -> list[int]:
        """Return a tool and the tools it depends on, in a possible order of calls.

        Args:
            tool: One of the grounded tools.
            grounded: The tools to take.
            rng: Chooses between tools that give the same, look-ups before others.
        """
        chain: list[int] = []
        self._put(tool, grounded, rng, chain)
        return chain

    def _put(self, tool: int, grounded: Grounded, rng: random.Random, chain: list[int]) -> None:
        for producers in self.needs[tool]:
            if not any(producers >> one & 1 for one in chain):
                self._put(
                    rng.choice(self._nearest(tool, producers, grounded)), grounded, rng, chain
                )
        chain.append(tool)

    def _nearest(self, tool: int, producers: ToolSet, grounded: Grounded) -> list[int]:
        """Return the producers that a chain may choose from: look-ups if there are any."""
        turns = grounded.turns
        able = [one for one in numbers(producers & grounded.tools) if turns[one] < turns[tool]]
        able.sort(key=turns.__getitem__)
        return ([one for one in able if self.readers >> one & 1] or able)[:CHOICES]

    def closed(self, tools: ToolSet, rng: random.Random) -> ToolSet:
        """Return tools, with others added until each can be called where possible."""
        everything = self.grounded(self.all | tools)
        missing = tools & ~self.grounded(tools).tools & everything.tools
        for tool in numbers(missing):
            for one in self.chain_to(tool, everything, rng):
                tools |= 1 << one
        return tools


def numbers(tools: ToolSet) -> Iterator[int]:
    """Yield the number of each tool of a set, in order."""
    while tools:
        lowest = tools & -tools
        yield lowest.bit_length() - 1
        tools ^= lowest


def _samples(order: Iterable[str], edges: Iterable[Edge]) -> list[list[SampleCall]]:
    """Return calls of each tool that evidence shows to succeed."""
    found: dict[str, list[SampleCall]] = {name: [] for name in order}
    for edge in edges:
        one = edge.evidence
        source = PlannedCall(one.source.tool, one.source.arguments)
        found[source.tool].append(SampleCall(one.setup, source.arguments))
        found[one.target.tool].append(SampleCall((*one.setup, source), one.target.arguments))
    return [_few(samples) for samples in found.values()]


def _few(samples: list[SampleCall]) -> list[SampleCall]:
    """Return a few different calls: first some that need no other call, then some that do."""
    different: list[SampleCall] = []
    for sample in sorted(samples, key=lambda one: len(one.setup)):
        if all(sample.arguments != other.arguments for other in different):
            different.append(sample)
    bare = [sample for sample in different if not sample.setup]
    prepared = [sample for sample in different if sample.setup]
    return [*bare[:MOST_SAMPLES], *prepared[:MOST_SAMPLES]]
