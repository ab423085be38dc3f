"""Areas of a domain that lack scenarios: chains of calls, and the tools that they need."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from toolworld.graph import ToolGraph
from toolworld.graph.chains import SHORTEST, seed_chain, strong_edges
from toolworld.spec import Spec

CHAINS, TRIES = 2, 400
MOST_TOOLS = 14
OFTEN = 0.25
"""Tools that this share of scenarios uses, such as to find a customer, are in each area."""


@dataclass(frozen=True)
class ScenarioArea:
    """A part of the work that lacks scenarios.

    Attributes:
        name: The stem of its files.
        chains: Calls that lead from one to the next, for which scenarios need a purpose.
        tools: All tools that its scenarios may need, in the domain's order.
    """

    name: str
    chains: tuple[tuple[str, ...], ...]
    tools: tuple[str, ...]


def areas_of(
    spec: Spec, graph: ToolGraph, used: Sequence[Collection[str]], count: int, seed: int
) -> list[ScenarioArea]:
    """Return areas around tools that scenarios seldom use.

    Chains are sampled along the strong edges with decaying probabilities (ScaleEnv, arXiv
    2602.06820, section 3.2).

    Args:
        spec: The domain.
        graph: Its tool graph.
        used: The tools that each present scenario uses.
        count: How many areas.
        seed: Varies the chains.
    """
    rng = random.Random(seed)  # noqa: S311 - no secret
    strong, uses = strong_edges(graph), Counter(name for tools in used for name in tools)
    often = {name for name, times in uses.items() if times >= OFTEN * len(used)}
    reads = {tool.name for tool in spec.tools if tool.effects.read_only}
    found: list[ScenarioArea] = []
    taken = {file.name for file in spec.scenario_files}
    for _ in range(count):
        chains: list[tuple[str, ...]] = []
        for _ in range(TRIES):
            chain = tuple(seed_chain(strong, uses, rng))
            if len(chain) >= SHORTEST and not reads.issuperset(chain):
                uses.update(chain)
                chains.append(chain)
            if len(chains) == CHAINS:
                break
        if not chains:
            break
        wanted = dict.fromkeys(name for chain in chains for name in chain)
        before = (one for name in wanted for one in strong.predecessors(name) if one in reads)
        tools = list(dict.fromkeys([*wanted, *sorted(often & reads), *before]))[:MOST_TOOLS]
        name = next(name for name in _names(chains[0], reads) if name not in taken)
        taken.add(name)
        ordered = tuple(tool.name for tool in spec.tools if tool.name in tools)
        found.append(ScenarioArea(name, tuple(chains), ordered))
    return found


def _names(chain: Sequence[str], reads: Collection[str]) -> Iterator[str]:
    """Yield names for an area: what its chain does, then the same with numbers."""
    does = next(name for name in reversed(chain) if name not in reads)
    yield f"{does}_area"[:40]
    for number in range(2, 100):
        yield f"{does}_area"[:37] + f"_{number}"
