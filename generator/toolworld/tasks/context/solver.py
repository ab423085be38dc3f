"""The default solver: looks for executable chains in a set of tools.

It goes back from a tool over data edges to tools that need only what people know, and then runs
the chain from the package's seed database, earlier results feeding later arguments. What came of
a chain is remembered: it does not depend on the task.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from toolworld.graph.surface import ToolFacts
from toolworld.graph.values import at, places
from toolworld.jsonvalues import replaced
from toolworld.packages import Package
from toolworld.tasks.context.links import Grounded, Links, SampleCall, ToolSet, numbers
from toolworld.tasks.context.settings import SubsetSettings

Chain: TypeAlias = tuple[int, ...]
"""Tools in the order in which they are called."""
Arguments: TypeAlias = Mapping[str, Any]
Ids: TypeAlias = Mapping[str, list[str]]
"""Ids by entity, the latest first."""

MOST_KEPT = 4
"""How many ids of an entity, and rows of a listing, are kept: people look at the first."""


class ChainEnd(NamedTuple):
    """What there is after a chain.

    Attributes:
        snapshot: How to get there.
        known: The ids that its calls gave.
    """

    snapshot: Any
    known: Ids


class ChainSolver:
    """Finds chains of a package's tools."""

    def __init__(
        self, package: Package, tools: list[ToolFacts], links: Links, settings: SubsetSettings
    ) -> None:
        """Take a package, its tools in order, and its graph."""
        self._environment = package.environment()
        self._tools, self._links, self._settings = tools, links, settings
        self._followers = [
            [one for one in numbers(followers) if links.is_met(one, 1 << tool)]
            for tool, followers in enumerate(links.followers)
        ]
        self._start = ChainEnd(self._environment.snapshot(), {})
        self._moments: dict[Chain, ChainEnd | None] = {}

    def share(self, tools: ToolSet, rng: random.Random) -> tuple[float, list[Chain]]:
        """Return g of some tools, how often a chain is found in them, and the chains.

        Each try is about one of the tools, drawn at random.
        """
        grounded, names = self._links.grounded(tools), list(numbers(tools))
        tries = self._settings.solver_tries if names else 0
        found = [self._find(rng.choice(names), grounded, rng) for _ in range(tries)]
        chains = [chain for chain in found if chain is not None]
        return (len(chains) / tries if tries else 0.0), chains

    def _find(self, wanted: int, grounded: Grounded, rng: random.Random) -> Chain | None:
        """Look once for a chain that calls a tool and another before or after it."""
        if not grounded.tools >> wanted & 1:
            return None
        chain = self._links.chain_to(wanted, grounded, rng)
        if len(chain) < 2:
            after = [one for one in self._followers[wanted] if grounded.tools >> one & 1]
            chain += [rng.choice(after)] if after else []
        is_long_enough = 2 <= len(chain) <= self._settings.longest_chain
        return tuple(chain) if is_long_enough and self.runs(tuple(chain)) else None

    def runs(self, chain: Chain) -> bool:
        """Whether tools can be called in order from the seed database."""
        return self._after(chain) is not None

    def _after(self, chain: Chain) -> ChainEnd | None:
        """Return the values known after calling tools in order; None if one cannot be called."""
        if not chain:
            return self._start
        if chain not in self._moments:
            before = self._after(chain[:-1])
            self._moments[chain] = None if before is None else self._called(chain[-1], before)
        return self._moments[chain]

    def _called(self, number: int, before: ChainEnd) -> ChainEnd | None:
        tool, samples = self._tools[number], self._links.samples[number]
        self._environment.restore(before.snapshot)
        for arguments in _fed(tool, samples, before.known, self._settings.tries):
            result = self._environment.call(tool.name, arguments)
            if not result.is_error:
                known = _learnt(before.known, tool, result.structured)
                return ChainEnd(self._environment.snapshot(), known)
        return None


def _learnt(known: Ids, tool: ToolFacts, result: Mapping[str, Any]) -> Ids:
    """Return known ids with those before them that a tool gave; of a listing, in its first rows."""
    if "items" in result:
        result = {**result, "items": result["items"][:MOST_KEPT]}
    learnt = dict(known)
    for path, entity in tool.result_ids.items():
        learnt[entity] = list(dict.fromkeys([*at(result, path), *learnt.get(entity, ())]))
    return {entity: ids[:MOST_KEPT] for entity, ids in learnt.items() if ids}


def _fed(tool: ToolFacts, samples: list[SampleCall], known: Ids, tries: int) -> Iterator[Arguments]:
    """Yield arguments of earlier successful calls, with ids replaced by known ones.

    Args:
        tool: The tool.
        samples: Its calls that succeeded.
        known: Where ids come from; ids of other entities stay as they were.
        tries: How many to yield at most: each takes the next sample and the next ids.
    """
    for turn in range(tries if samples else 0):
        arguments: Arguments = samples[turn % len(samples)].arguments
        for parameter in tool.parameters.values():
            for path, entity in parameter.ids.items():
                ids = known.get(entity)
                if ids:
                    arguments = _put(arguments, path, ids[turn % len(ids)])
        yield arguments


def _put(arguments: Arguments, path: str, value: str) -> Arguments:
    """Return arguments with a value wherever something stands at a path."""
    for way, _ in places(arguments, path.split(".")):
        steps = tuple(int(part) if part.isdecimal() else part for part in way.split("."))
        changed = replaced(dict(arguments), steps, value)
        arguments = changed if isinstance(changed, dict) else arguments
    return arguments
