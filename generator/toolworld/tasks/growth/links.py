"""The tool graph as growth asks it: which tools can be called with what a set of tools gives."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from toolworld.graph import Edge, ToolGraph
from toolworld.graph.evidence import Call
from toolworld.tasks.growth.settings import GrowthSettings

Json = Any

MOST_SAMPLES = 2
CHOICES = 2
"""Between how many producers, the nearest to people first, a chain chooses."""


@dataclass(frozen=True)
class Sample:
    """A call that was shown to succeed, after the calls that lead to it."""

    setup: tuple[Call, ...]
    arguments: Mapping[str, Json]


class Links:
    """A tool graph, indexed once.

    Attributes:
        order: All tools, in the package's order.
        needs: For each tool, the producers of each id that it must be given and no person
            knows.
        samples: For each tool, calls that succeed; none for a tool that always rejects.
        all_grounded: All tools that can be called, as ``grounded`` gives them.
    """

    def __init__(self, graph: ToolGraph) -> None:
        """Index a graph."""
        self.order = tuple(graph.tools)
        self._place = {name: place for place, name in enumerate(self.order)}
        self.needs: dict[str, list[frozenset[str]]] = {name: [] for name in self.order}
        for argument in graph.arguments:
            if argument.required and not argument.known:
                self.needs[argument.tool].append(frozenset(argument.producers) - {argument.tool})
        self.pairs = {(edge.candidate.source, edge.candidate.target) for edge in graph.edges}
        self.pairs -= {(name, name) for name in self.order}
        self._followers: dict[str, list[str]] = {name: [] for name in self.order}
        for source, target in sorted(self.pairs, key=lambda pair: self._place[pair[1]]):
            self._followers[source].append(target)
        self.all_grounded = self.grounded(self.order)
        self._read_only = {name for name, said in graph.tools.items() if said["read_only"]}
        self.samples = _samples(self.order, graph.edges)

    def ordered(self, tools: Collection[str]) -> tuple[str, ...]:
        """Return tools in the package's order."""
        return tuple(sorted(tools, key=self._place.__getitem__))

    def met(self, tool: str, have: Collection[str]) -> bool:
        """Whether some tools give every id that a tool must be given."""
        return all(not producers.isdisjoint(have) for producers in self.needs[tool])

    def grounded(self, tools: Collection[str]) -> list[str]:
        """Return the tools that can be called with what people and others of them give.

        They are in an order in which each comes after tools that give what it needs.
        """
        reached: list[str] = []
        have: set[str] = set()
        waiting = list(self.ordered(tools))
        while ready := [name for name in waiting if self.met(name, have)]:
            reached += ready
            have.update(ready)
            waiting = [name for name in waiting if name not in have]
        return reached

    def closed(self, tools: Collection[str], rng: random.Random) -> set[str]:
        """Return tools with others added until each can be called, where that is possible."""
        have = set(tools)
        missing = have.difference(self.grounded(have)).intersection(self.all_grounded)
        for tool in self.ordered(missing):
            have.update(self.chain_to(tool, self.all_grounded, rng))
        return have

    def chain_to(self, tool: str, grounded: list[str], rng: random.Random) -> list[str]:
        """Return a tool after tools that give what it needs, each after those it needs itself.

        Args:
            tool: One of the grounded tools.
            grounded: What ``grounded`` gave.
            rng: Chooses between tools that give the same, look-ups before others.
        """
        chain: list[str] = []
        self._put(tool, grounded, rng, chain)
        return chain

    def _put(self, tool: str, grounded: list[str], rng: random.Random, chain: list[str]) -> None:
        before = grounded[: grounded.index(tool)]
        for producers in self.needs[tool]:
            if producers.isdisjoint(chain):
                able = [name for name in before if name in producers]
                nearest = (self._lookups(able) or able)[:CHOICES]
                self._put(rng.choice(nearest), grounded, rng, chain)
        chain.append(tool)

    def _lookups(self, tools: Iterable[str]) -> list[str]:
        return [name for name in tools if name in self._read_only]

    def followers(self, tool: str) -> list[str]:
        """Return the tools with an edge from a tool, in the package's order."""
        return self._followers[tool]

    def edges(self, tools: Collection[str]) -> int:
        """Return how many ordered pairs of different tools have an edge."""
        return sum(1 for name in tools for other in self._followers[name] if other in tools)

    def complexity(self, tools: Collection[str], settings: GrowthSettings) -> float:
        """Return c of some tools, as the settings say."""
        size = len(tools) + settings.edge_weight * self.edges(tools)
        return size / settings.saturation

    def branching(self, tools: Collection[str]) -> float:
        """Return to how many others an edge leads from a tool, on average."""
        return self.edges(tools) / len(tools) if tools else 0.0


def _samples(order: Iterable[str], edges: Iterable[Edge]) -> dict[str, list[Sample]]:
    """Return calls of each tool that evidence shows to succeed, the least prepared first."""
    found: dict[str, list[Sample]] = {name: [] for name in order}
    for edge in edges:
        one = edge.evidence
        source = Call(one.source.tool, one.source.arguments)
        found[source.tool].append(Sample(one.setup, source.arguments))
        found[one.target.tool].append(Sample((*one.setup, source), one.target.arguments))
    return {name: _few(samples) for name, samples in found.items()}


def _few(samples: list[Sample]) -> list[Sample]:
    """Return a few different calls: some that need no other before them, then some that do."""
    different: list[Sample] = []
    for sample in sorted(samples, key=lambda one: len(one.setup)):
        if all(sample.arguments != other.arguments for other in different):
            different.append(sample)
    bare = [sample for sample in different if not sample.setup]
    prepared = [sample for sample in different if sample.setup]
    return [*bare[:MOST_SAMPLES], *prepared[:MOST_SAMPLES]]
