"""The tool graph as growth asks it: which tools can be called with what a set of tools gives."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from toolworld.graph import Edge, ToolGraph
from toolworld.graph.evidence import Call
from toolworld.tasks.growth.grounded import Grounded, met
from toolworld.tasks.growth.settings import GrowthSettings

Json = Any

MOST_SAMPLES = 2


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
        all_grounded: All tools that can be called.
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
        self._targets = {name: frozenset(targets) for name, targets in self._followers.items()}
        self._at_once = {
            name: [target for target in targets if self.met(target, (name,))]
            for name, targets in self._followers.items()
        }
        self._read_only = {name for name, said in graph.tools.items() if said["read_only"]}
        self.all_grounded = self.grounded(self.order)
        self.samples = _samples(self.order, graph.edges)

    def ordered(self, tools: Collection[str]) -> tuple[str, ...]:
        """Return tools in the package's order."""
        return tuple(sorted(tools, key=self._place.__getitem__))

    def met(self, tool: str, have: Collection[str]) -> bool:
        """Whether some tools give every id that a tool must be given."""
        return met(self.needs[tool], have)

    def grounded(self, tools: Collection[str]) -> Grounded:
        """Return the tools that can be called with what people and others of them give."""
        return Grounded(self.ordered(tools), self.needs, self._read_only)

    def closed(self, tools: Collection[str], rng: random.Random) -> set[str]:
        """Return tools with others added until each can be called, where that is possible."""
        have = set(tools)
        missing = have.difference(self.grounded(have)).intersection(self.all_grounded)
        for tool in self.ordered(missing):
            have.update(self.all_grounded.chain_to(tool, rng))
        return have

    def followers(self, tool: str) -> list[str]:
        """Return the tools with an edge from a tool, in the package's order."""
        return self._followers[tool]

    def followers_at_once(self, tool: str) -> list[str]:
        """Return those of its followers that need no other tool."""
        return self._at_once[tool]

    def edges(self, tools: Collection[str]) -> int:
        """Return how many ordered pairs of different tools have an edge."""
        have = frozenset(tools)
        return sum(len(have & self._targets[name]) for name in have)

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
