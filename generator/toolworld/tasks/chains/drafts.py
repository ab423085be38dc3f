"""A task before it has words: a chain that does something, or whose results are asked for."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from toolworld.graph.model import Edge
from toolworld.tasks.chains.chain import Chain
from toolworld.tasks.chains.closure import Closure
from toolworld.tasks.chains.jobs.condition import Conditions, condition_pairs
from toolworld.tasks.chains.jobs.loop import Loops, loop_pairs
from toolworld.tasks.chains.jobs.refusal import Refusals
from toolworld.tasks.chains.ledger import EdgeKey, Ledger
from toolworld.tasks.chains.questions import answer_to
from toolworld.tasks.chains.seeds import Seeds
from toolworld.tasks.chains.stage import Stage
from toolworld.tasks.outline import Outline

Json = Any

KINDS = {"chain": 12, "refusal": 2, "loop": 3, "condition": 3}
"""How often each kind of seed is tried, against the others."""
LONGEST = 16
MOST_SEEDS = 5
MOST_FAILURES = 12
"""After so many edges that lead nowhere a chain stays as long as it is."""


class Undone(Exception):  # noqa: N818 - the text is a reason that is counted
    """No task came of an attempt; the text says why."""


@dataclass(frozen=True)
class Draft:
    """A task without words.

    Attributes:
        kind: What its seed was: a chain, a loop, a condition, a refusal.
    """

    chain: Chain
    outline: Outline
    kind: str

    def as_task(self) -> dict[str, Json]:
        """Return it as a task's JSON values, without words, tools and figures."""
        chain = self.chain
        return {
            "id": "",
            "instruction": "",
            "persona": "",
            "known_info": {},
            "tools": [],
            "initial": chain.initial,
            "gold": chain.gold(),
            "goal": {
                "changes": [change.as_json() for change in chain.episode.diff()],
                "answers": answers_of(chain),
            },
        }


def answers_of(chain: Chain) -> list[Json]:
    """Return the answers to all that is asked for."""
    found = [
        answer_to(ask, chain.steps[request.step].result)
        for request in chain.requests
        for ask in request.asks
    ]
    return list(dict.fromkeys(answer for answer in found if answer is not None))


def key_of(edge: Edge) -> EdgeKey:
    """Return what tells an edge from all others."""
    return edge.candidate.source, edge.candidate.target, edge.candidate.key


class Recipes:
    """What tasks of a package can start from.

    Attributes:
        edges: The edges of the graph.
        edges_from: The same, by the tool they leave.
        loops: A listing and what is done to each of its rows.
        conditions: What is done, what is done otherwise, and the column that decides.
    """

    def __init__(self, stage: Stage) -> None:
        """Look through the tools once."""
        self.edges = {key_of(edge): edge for edge in stage.graph.edges}
        self.edges_from: dict[str, list[tuple[EdgeKey, Edge]]] = {}
        for key, edge in self.edges.items():
            self.edges_from.setdefault(edge.candidate.source, []).append((key, edge))
        self.loops = {(one.name, two.name, "loop"): (one, two) for one, two in loop_pairs(stage)}
        self.conditions = {
            (one.name, two.name, f"if:{column}"): (one, two, column)
            for one, two, column in condition_pairs(stage)
        }


class Drafter:
    """Makes drafts from edges of the graph.

    Attributes:
        tried: What was tried as seeds.
    """

    def __init__(
        self,
        stage: Stage,
        recipes: Recipes,
        ledger: Ledger,
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
        self._stage, self._ledger, self._rng = stage, ledger, rng
        closure = Closure(stage, ledger, rng, said_by_key)
        self.seeds = Seeds(stage, closure, rng)
        self._loops, self._conditions = Loops(stage, closure, rng), Conditions(stage, closure, rng)
        self._refusals = Refusals(stage, closure, ledger, rng)
        self.tried: list[EdgeKey] = []
        self._recipes = recipes

    def draft(self, aim: Callable[[int], int]) -> Draft:
        """Return a draft.

        Args:
            aim: Tells about how many steps it is to have, from how many it begins with.

        Raises:
            Undone: Nothing came of it.
        """
        kind = self._rng.choices(list(KINDS), list(KINDS.values()))[0]
        kind, chain = self._started(kind)
        steps = aim(len(chain.needed()))
        if kind == "refusal" and not self._refusals.add(chain):
            kind = "chain"
        self.lengthen(chain, steps)
        return self.finish(chain, kind)

    def _started(self, kind: str) -> tuple[str, Chain]:
        """Return a chain that is not empty, of some kind if one is found, else a plain one."""
        for one in dict.fromkeys((kind, "chain")):
            chain = next(filter(None, (self._seed(one) for _ in range(MOST_SEEDS))), None)
            if chain is not None:
                return one, chain
        raise Undone("no chain was found")

    def _seed(self, kind: str) -> Chain | None:
        if kind == "loop":
            return self._loop()
        return self._condition() if kind == "condition" else self._from_edge()

    def _from_edge(self) -> Chain | None:
        edges = self._recipes.edges
        return self.seeds.start(edges[self._pick("chain", edges)]) if edges else None

    def _loop(self) -> Chain | None:
        loops = self._recipes.loops
        return self._loops.make(*loops[self._pick("loop", loops)]) if loops else None

    def _condition(self) -> Chain | None:
        conditions = self._recipes.conditions
        if not conditions:
            return None
        return self._conditions.make(*conditions[self._pick("condition", conditions)])

    def _pick(self, kind: str, edges: Mapping[EdgeKey, Any]) -> EdgeKey:
        edge = self._ledger.pick_seed(kind, [*edges], self._rng)
        self.tried.append(edge)
        return edge

    def lengthen(self, chain: Chain, steps: int) -> None:
        """Add calls by edges of the graph until a chain needs so many steps, or none is found."""
        failures = 0
        while len(chain.needed()) < steps and len(chain.steps) < LONGEST:
            edges, known = self._leaving(chain), self.seeds.known_of(chain)
            while edges:
                edge = self._ledger.pick_edge([*edges], self._rng)
                if self.seeds.lengthen(chain, edges.pop(edge), known):
                    break
                failures += 1
                if failures == MOST_FAILURES:
                    return
            else:
                return

    def _leaving(self, chain: Chain) -> dict[EdgeKey, Edge]:
        """Return the edges from tools of a chain to tools that are not in it."""
        there = {step.tool.name for step in chain.steps}
        edges = self._recipes.edges_from
        return {
            key: edge
            for name in sorted(there)
            for key, edge in edges.get(name, ())
            if edge.candidate.target not in there
        }

    def finish(self, chain: Chain, kind: str) -> Draft:
        """Return a chain as a draft, with what is asked for, where there is anything to ask."""
        for number in sorted(chain.idle()):
            self.seeds.ask(chain, number)
        writes = [step for step in chain.steps if not step.tool.read_only]
        return Draft(chain, Outline(tuple(chain.requests), ordered=len(writes) > 1), kind)
