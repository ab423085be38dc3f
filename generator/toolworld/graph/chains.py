"""Chains of tools along strong edges of a graph: suggestions for new scenarios.

The probability of a tool decays with each time a task or an earlier chain uses it (ScaleEnv, arXiv
2602.06820, section 3.2: seed chains). A chain is a suggestion for the author of the next scenario,
and no task by itself.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import networkx as nx

from toolworld.graph.model import ToolGraph

DECAY = 0.5
LONGEST, SHORTEST = 6, 3
CHAINS, TRIES = 8, 200


def chains_to(graph: ToolGraph, unused: Sequence[str], used: Counter[str]) -> list[list[str]]:
    """Return chains along strong edges that include tools without a task.

    Args:
        graph: The tool graph.
        unused: The tools wanted.
        used: How many tasks use each tool.
    """
    rng = random.Random(graph.seed)  # noqa: S311 - no secret
    strong = strong_edges(graph)
    uses, wanted, found = Counter(used), set(unused), list[list[str]]()
    for _ in range(TRIES if wanted else 0):
        chain = seed_chain(strong, uses, rng)
        if len(chain) >= SHORTEST and wanted & set(chain):
            wanted -= set(chain)
            uses.update(chain)
            found.append(chain)
        if not wanted or len(found) == CHAINS:
            break
    return found


def strong_edges(graph: ToolGraph) -> nx.DiGraph[str]:
    """Return the graph of the strong edges alone."""
    strong: nx.DiGraph[str] = nx.DiGraph()
    strong.add_nodes_from(graph.tools)
    for edge in graph.edges:
        if edge.strength == "strong":
            strong.add_edge(edge.candidate.source, edge.candidate.target)
    return strong


def seed_chain(strong: nx.DiGraph[str], uses: Counter[str], rng: random.Random) -> list[str]:
    """Return a path without loops: each next tool is drawn by how seldom it was used."""
    names = list(strong)
    chain = [_drawn(names, uses, rng)]
    while len(chain) < LONGEST:
        ways = [name for name in strong.successors(chain[-1]) if name not in chain]
        if not ways:
            break
        chain.append(_drawn(ways, uses, rng))
    return chain


def _drawn(names: Sequence[str], uses: Counter[str], rng: random.Random) -> str:
    return rng.choices(names, [max(DECAY ** uses[name], 1e-6) for name in names])[0]
