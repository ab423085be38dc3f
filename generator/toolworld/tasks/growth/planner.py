"""The default solver: finds an executable chain in a set of tools.

It goes back from a tool over data edges to tools that need only what people know, and then runs
the chain from the package's seed database, earlier results feeding later arguments.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass

from toolworld.graph.evidence import Call
from toolworld.graph.surface import Surface
from toolworld.tasks.episodes import Episodes
from toolworld.tasks.growth.feeding import Pool, fed, lesson
from toolworld.tasks.growth.grounded import Grounded
from toolworld.tasks.growth.links import Links
from toolworld.tasks.growth.settings import GrowthSettings


@dataclass(frozen=True)
class Plan:
    """A chain that was run.

    Attributes:
        calls: Its calls, each of which succeeded.
        effort: How many calls were made to find it.
    """

    calls: tuple[Call, ...]
    effort: int

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools it calls, in order."""
        return tuple(call.tool for call in self.calls)


class Planner:
    """Finds chains, and remembers which ran: the same tools always give the same plan."""

    def __init__(
        self, episodes: Episodes, surface: Surface, links: Links, settings: GrowthSettings
    ) -> None:
        """Take a package's episodes, its tools and its graph."""
        self._episodes = episodes
        self._surface = surface
        self._links = links
        self._tries = settings.tries
        self._longest = settings.chain_lengths[1]
        self._ran: dict[tuple[str, ...], Plan | None] = {}

    def find(self, grounded: Grounded, wanted: str, rng: random.Random) -> Plan | None:
        """Look once for a chain that calls a tool and another before or after it.

        Args:
            grounded: The tools that may be called.
            wanted: The tool it is about; there is no chain if it is not grounded.
            rng: Chooses between tools that give the same.
        """
        if wanted not in grounded:
            return None
        chain = grounded.chain_to(wanted, rng)
        if len(chain) < 2:
            after = [name for name in self._links.followers_at_once(wanted) if name in grounded]
            chain += [rng.choice(after)] if after else []
        return self.run(chain) if 2 <= len(chain) <= self._longest else None

    def share(
        self, tools: Collection[str], tries: int, rng: random.Random
    ) -> tuple[float, list[Plan]]:
        """Return g of some tools, how often a chain is found in them, and the chains.

        Each try is about one of the tools, drawn at random.
        """
        grounded = self._links.grounded(tools)
        names = self._links.ordered(tools)
        found = [self.find(grounded, rng.choice(names), rng) for _ in range(tries if names else 0)]
        plans = [plan for plan in found if plan is not None]
        return len(plans) / tries, plans

    def run(self, chain: Collection[str]) -> Plan | None:
        """Run tools in order from the seed database, the results of each feeding the next."""
        key = tuple(chain)
        if key not in self._ran:
            self._ran[key] = self._run(key)
        return self._ran[key]

    def _run(self, chain: tuple[str, ...]) -> Plan | None:
        episode = self._episodes.open()
        pool = Pool()
        calls: list[Call] = []
        effort = 0
        for name in chain:
            tool = self._surface.tools[name]
            for arguments in fed(tool, self._links.samples[name], pool, self._tries):
                effort += 1
                result = episode.call(name, arguments)
                if not result.is_error:
                    calls.append(Call(name, arguments))
                    pool.learn(lesson(tool, result.structured))
                    break
            else:
                return None
        return Plan(tuple(calls), effort)
