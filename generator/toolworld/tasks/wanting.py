"""What no task uses yet: tools, strong edges and clauses, and chains of calls that lead there.

A chain is sampled along the strong edges of the tool graph; the probability of a tool decays with
each time a task or an earlier chain uses it (ScaleEnv, arXiv 2602.06820, section 3.2: seed
chains). A chain is a suggestion for the author of the next scenario, and no task by itself.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import networkx as nx

from toolworld.emit.load import Package
from toolworld.graph import ToolGraph

DECAY = 0.5
LONGEST, SHORTEST = 6, 3
CHAINS, TRIES = 8, 200


def wanting(package: Package, graph: ToolGraph, tasks: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what wants a scenario, a line each; none if everything is in use."""
    used = Counter(
        name
        for task in tasks
        for name in {step["tool"] for step in task["gold"] if step.get("tool")}
    )
    clauses = {number for task in tasks for number in task["clauses"]}
    kept_by_tools = (
        one for one in package.module("clauses").all_clauses() if one.kept_by == "tools"
    )
    idle = [one.number for one in kept_by_tools if one.number not in clauses]
    unused = [name for name in graph.tools if not used[name]]
    lines = [f"no scenario uses: {', '.join(unused)}"] if unused else []
    lines += [f"no task turns on clause: {', '.join(idle)}"] if idle else []
    chains = chains_to(graph, unused, used)
    return lines + [f"a chain that wants a purpose: {' -> '.join(chain)}" for chain in chains]


def chains_to(graph: ToolGraph, unused: Sequence[str], used: Counter[str]) -> list[list[str]]:
    """Return chains along strong edges that take in tools which are in no task.

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
