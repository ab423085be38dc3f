"""Tools that can be called with what people and others of them give, and chains of them."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

CHOICES = 2
"""Between how many producers, the nearest to people first, a chain chooses."""

Needs = Mapping[str, Sequence[frozenset[str]]]
"""For each tool, the producers of each id that it must be given and no person knows."""


def met(needs: Sequence[frozenset[str]], have: Iterable[str]) -> bool:
    """Whether some tools give every id that a tool needs."""
    for producers in needs:  # noqa: SIM110 - asked too often for a generator
        if producers.isdisjoint(have):
            return False
    return True


class Grounded:
    """The tools that can be called, each after tools that give what it needs."""

    def __init__(self, tools: Iterable[str], needs: Needs, lookups: Collection[str]) -> None:
        """Find them among some tools.

        Args:
            tools: The tools there are, in the package's order.
            needs: What every tool of the package needs.
            lookups: The tools that change nothing, which a chain prefers.
        """
        self._needs = needs
        self._lookups = lookups
        self._place: dict[str, int] = {}
        self._choices: dict[str, list[tuple[frozenset[str], list[str]]]] = {}
        waiting = list(tools)
        while ready := [name for name in waiting if met(needs[name], self._place)]:
            for name in ready:
                self._place[name] = len(self._place)
            waiting = [name for name in waiting if name not in self._place]

    def __iter__(self) -> Iterator[str]:
        """Yield the tools."""
        return iter(self._place)

    def __contains__(self, tool: str) -> bool:
        """Whether a tool is one of them."""
        return tool in self._place

    def chain_to(self, tool: str, rng: random.Random) -> list[str]:
        """Return a tool after tools that give what it needs, each after those it needs itself.

        Args:
            tool: One of the tools.
            rng: Chooses between tools that give the same, look-ups before others.
        """
        chain: list[str] = []
        self._put(tool, rng, chain)
        return chain

    def _put(self, tool: str, rng: random.Random, chain: list[str]) -> None:
        if tool not in self._choices:
            self._choices[tool] = [
                (producers, self._nearest(tool, producers)) for producers in self._needs[tool]
            ]
        for producers, nearest in self._choices[tool]:
            if producers.isdisjoint(chain):
                self._put(rng.choice(nearest), rng, chain)
        chain.append(tool)

    def _nearest(self, tool: str, producers: Iterable[str]) -> list[str]:
        """Return the producers between which a chain chooses: look-ups if there are any."""
        place = self._place
        able = [name for name in producers if name in place and place[name] < place[tool]]
        able.sort(key=place.__getitem__)
        return ([name for name in able if name in self._lookups] or able)[:CHOICES]
