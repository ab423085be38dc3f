"""A task before it has words: a chain that changes something, and what a person says for it."""

from __future__ import annotations

import random
from typing import Any, TypeAlias

from toolworld.chained.chains.chain import Chain
from toolworld.chained.chains.closure import Closure
from toolworld.chained.chains.ledger import EdgeKey, UseLedger
from toolworld.chained.chains.remaking import Undone, settled
from toolworld.chained.chains.seeds import SeedChains
from toolworld.chained.chains.stage import ChainStage
from toolworld.chained.levels import Aim
from toolworld.chained.outline import TaskOutline
from toolworld.graph.model import Edge

Json: TypeAlias = Any

LONGEST = 16
MOST_SEEDS = 5
MOST_FAILURES = 12
"""After so many edges that lead nowhere a chain stays as long as it is."""


def outline_of(chain: Chain) -> TaskOutline:
    """Return all that a person asks for to have a chain's calls made."""
    writes = [step for step in chain.steps if not step.tool.read_only]
    return TaskOutline(tuple(chain.requests()), ordered=len(writes) > 1)


def task_of(chain: Chain) -> dict[str, Json]:
    """Return a chain as a task's JSON values, without words, tools and figures."""
    changes = [change.as_json() for change in chain.changes()]
    return {
        "id": "",
        "instruction": "",
        "persona": "",
        "known_info": {},
        "tools": [],
        "initial": chain.initial,
        "gold": chain.gold(),
        "goal": {"changes": changes, "answers": []},
    }


def key_of(edge: Edge) -> EdgeKey:
    """Return what tells an edge from all others."""
    return edge.candidate.source, edge.candidate.target, edge.candidate.key


class Recipes:
    """What chains of a package can start from and go on by.

    Attributes:
        seeds: The edges of the graph to or from a tool that changes something.
        edges_from: All edges, by the tool they leave.
    """

    def __init__(self, stage: ChainStage) -> None:
        """Look through the graph once."""
        tools = stage.surface.tools
        edges = {key_of(edge): edge for edge in stage.graph.edges}
        self.seeds = {
            key: edge
            for key, edge in edges.items()
            if not (tools[key[0]].read_only and tools[key[1]].read_only)
        }
        self.edges_from: dict[str, list[tuple[EdgeKey, Edge]]] = {}
        for key, edge in edges.items():
            self.edges_from.setdefault(edge.candidate.source, []).append((key, edge))


class Drafter:
    """Makes chains from edges of the graph.

    Attributes:
        tried: The edges that were tried as seeds.
    """

    def __init__(
        self,
        stage: ChainStage,
        recipes: Recipes,
        ledger: UseLedger,
        rng: random.Random,
        said_by_key: float,
    ) -> None:
        """Take what chains are made from.

        Args:
            stage: The package.
            recipes: What they can start from.
            ledger: What was used before.
            rng: Chooses.
            said_by_key: How often people say a key they know, where a look-up would do.
        """
        self._recipes, self._ledger, self._rng = recipes, ledger, rng
        self._seeds = SeedChains(stage, Closure(stage, ledger, rng, said_by_key), rng)
        self.tried: list[EdgeKey] = []

    def draft(self, aim: Aim) -> Chain:
        """Return a chain without detours.

        Raises:
            Undone: Nothing came of it.
        """
        chain = self._started()
        self._lengthen(chain, aim.steps(chain.needed(), self._rng))
        return settled(chain, chain.initial)

    def _started(self) -> Chain:
        seeds = self._recipes.seeds
        for _ in range(MOST_SEEDS if seeds else 0):
            key = self._ledger.pick_seed([*seeds], self._rng)
            self.tried.append(key)
            chain = self._seeds.start(seeds[key])
            if chain is not None:
                return chain
        raise Undone("no chain was found")

    def _lengthen(self, chain: Chain, steps: int) -> None:
        """Add calls by edges of the graph until a chain needs so many steps, or none is found."""
        failures = 0
        while chain.needed() < steps and len(chain.steps) < LONGEST:
            edges, known = self._leaving(chain), self._seeds.known_of(chain)
            while edges:
                edge = self._ledger.pick_edge([*edges], self._rng)
                if self._seeds.lengthen(chain, edges.pop(edge), known):
                    break
                failures += 1
                if failures == MOST_FAILURES:
                    return
            else:
                return

    def _leaving(self, chain: Chain) -> dict[EdgeKey, Edge]:
        """Return the edges from tools of a chain to tools that are not in it."""
        there = {step.tool.name for step in chain.steps}
        return {
            key: edge
            for name in sorted(there)
            for key, edge in self._recipes.edges_from.get(name, ())
            if edge.candidate.target not in there
        }
