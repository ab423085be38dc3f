"""What has been used so far: tools and edges used before become less likely, and shapes rare."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")

DECAY = 0.6
ATTEMPT = 0.34
UNUSED_TOOL = 4.0


@dataclass
class Ledger:
    """How often things were used.

    Attributes:
        tools: Uses of tools in tasks that were kept.
        edges: Uses of edges in tasks that were kept, by source, target and key.
        tries: How often an edge was tried as a seed.
        shapes: How many tasks have the same sequence of tools.
    """

    tools: Counter[str] = field(default_factory=Counter)
    edges: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    tries: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    shapes: Counter[tuple[str, ...]] = field(default_factory=Counter)
    _worn: dict[tuple[str, str, str], float] = field(default_factory=dict, repr=False)

    def pick_tool(self, tools: Sequence[str], rng: random.Random) -> str:
        """Choose a tool; each use makes one less likely by a factor (ScaleEnv, seed chains)."""
        return weighted(tools, [float(self.tools[name]) for name in tools], rng)

    def pick_edge(
        self, edges: Sequence[tuple[str, str, str]], rng: random.Random
    ) -> tuple[str, str, str]:
        """Choose an edge; each use makes one less likely by a factor.

        A try counts for a part of a use. An edge of a tool that no task uses yet comes before all
        others.
        """
        worn = self._worn
        for edge in edges:
            if edge not in worn:
                worn[edge] = self._uses(edge)
        return weighted(edges, [worn[edge] for edge in edges], rng)

    def _uses(self, edge: tuple[str, str, str]) -> float:
        fresh = not (edge[0] in self.tools and edge[1] in self.tools)
        tried = ATTEMPT * self.tries[edge]
        return self.edges[edge] + tried - (UNUSED_TOOL if fresh else 0.0)

    def note_tries(self, edges: Iterable[tuple[str, str, str]]) -> None:
        """Count edges that were tried as seeds."""
        self.tries.update(edges)
        self._worn.clear()

    def note(self, shape: tuple[str, ...], edges: Iterable[tuple[str, str, str]]) -> None:
        """Count a task that was kept, by its sequence of tools and the edges it uses."""
        self.tools.update(set(shape))
        self.edges.update(set(edges))
        self.shapes[shape] += 1
        self._worn.clear()


def weighted(items: Sequence[T], uses: Sequence[float], rng: random.Random) -> T:
    """Choose an item, each less likely by ``DECAY`` for each use above the least used."""
    least = min(uses)
    weights = [DECAY ** (count - least) for count in uses]
    return rng.choices(items, weights)[0]
