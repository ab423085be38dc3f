"""What has been used so far: tools and edges used before become less likely, and shapes rare."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

EdgeKey = tuple[str, str, str]
"""An edge's source, target and key."""

DECAY = 0.6
ATTEMPT = 0.34
UNUSED_TOOL = 8.0


@dataclass
class UseLedger:
    """How often things were used.

    Attributes:
        tools: Uses of tools in tasks that were kept.
        edges: Uses of edges in tasks that were kept, by source, target and key.
        tries: How often an edge was tried as a seed.
        shapes: How many tasks have the same sequence of tools.
    """

    tools: Counter[str] = field(default_factory=Counter)
    edges: Counter[EdgeKey] = field(default_factory=Counter)
    tries: Counter[EdgeKey] = field(default_factory=Counter)
    shapes: Counter[tuple[str, ...]] = field(default_factory=Counter)
    _worn: dict[EdgeKey, float] = field(default_factory=dict, repr=False)
    _summed: list[float] = field(default_factory=list, repr=False)

    def pick_tool(self, tools: Sequence[str], rng: random.Random) -> str:
        """Choose a tool; each use makes one less likely by a factor (ScaleEnv, seed chains)."""
        uses = [self.tools.get(name, 0) for name in tools]
        return rng.choices(tools, weights(uses))[0]

    def pick_edge(self, edges: Sequence[EdgeKey], rng: random.Random) -> EdgeKey:
        """Choose an edge; each use makes one less likely by a factor.

        A try counts for a part of a use. An edge of a tool that no task uses yet comes before all
        others.
        """
        return rng.choices(edges, self._weights(edges))[0]

    def pick_seed(self, edges: Sequence[EdgeKey], rng: random.Random) -> EdgeKey:
        """Choose one of all the edges that can be seeds, as ``pick_edge`` does.

        There are many, and always the same: what they weigh is added up once until the next note.
        """
        if not self._summed:
            self._summed = [*accumulate(self._weights(edges))]
        return rng.choices(edges, cum_weights=self._summed)[0]

    def _weights(self, edges: Sequence[EdgeKey]) -> list[float]:
        worn = self._worn
        for edge in edges:
            if edge not in worn:
                worn[edge] = self._uses(edge)
        return weights([worn[edge] for edge in edges])

    def _uses(self, edge: EdgeKey) -> float:
        fresh = not (edge[0] in self.tools and edge[1] in self.tools)
        tried = ATTEMPT * self.tries[edge]
        return self.edges[edge] + tried - (UNUSED_TOOL if fresh else 0.0)

    def note_tries(self, edges: Iterable[EdgeKey]) -> None:
        """Count edges that were tried as seeds."""
        tried = [*edges]
        self.tries.update(tried)
        self._forget(tried)

    def note(self, shape: tuple[str, ...], edges: Iterable[EdgeKey]) -> None:
        """Count a task that was kept, by its sequence of tools and the edges it uses."""
        used = {*edges}
        fresh = not self.tools.keys() >= {*shape}
        self.tools.update({*shape})
        self.edges.update(used)
        self.shapes[shape] += 1
        self._forget([*self._worn] if fresh else used)

    def _forget(self, edges: Iterable[EdgeKey]) -> None:
        """Forget what edges weigh that were used, or whose tools were for the first time."""
        for edge in edges:
            self._worn.pop(edge, None)
        self._summed = []


def weights(uses: Sequence[float]) -> list[float]:
    """Return what things weigh: each less by ``DECAY`` for each use above the least used."""
    least = min(uses)
    return [DECAY ** (count - least) for count in uses]
