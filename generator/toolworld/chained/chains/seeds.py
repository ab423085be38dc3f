"""Seed chains: from an edge of the graph to a chain that shows it, on rows of its own."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, TypeAlias

from toolworld.chained.chains.chain import (
    Chain,
    ChainStep,
    ResultPlace,
    is_of_another,
    is_one_business,
    pattern_of,
)
from toolworld.chained.chains.closure import Closure
from toolworld.chained.chains.guesser import ArgumentGuesser
from toolworld.chained.chains.stage import ChainStage
from toolworld.graph.knowledge import Knowledge
from toolworld.graph.model import Edge
from toolworld.graph.surface import ToolFacts
from toolworld.graph.values import at, placed
from toolworld.prove.facts import leaves

Json: TypeAlias = Any

FRESH_ROWS = 0.7
"""How often an edge is first tried on other rows than those of its evidence."""
SETUP_DONE = 0.6
"""How often what leads to an edge has happened before the task begins."""
TWO_PEOPLE = 0.25
"""How often a chain may be about two people where the evidence of its edge is."""
TRIES, TRIES_A_CALL = 3, 5


class SeedChains:
    """Makes chains of one edge, and makes chains longer by an edge."""

    def __init__(self, stage: ChainStage, closure: Closure, rng: random.Random) -> None:
        """Take what calls are made from."""
        self._stage, self._closure, self._rng = stage, closure, rng
        self._guesser = ArgumentGuesser(stage, rng)

    def start(self, edge: Edge) -> Chain | None:
        """Return a chain that shows an edge, or None if none is found."""
        if self._rng.random() < FRESH_ROWS and not edge.evidence.setup:
            for _ in range(TRIES):
                chain = self._fresh(edge)
                if chain is not None:
                    return chain
        return self._as_shown(edge)

    def _fresh(self, edge: Edge) -> Chain | None:
        source = self._stage.surface.tools[edge.candidate.source]
        chain = Chain(self._stage)
        known = self._guesser.around(self._start(source))
        for _ in range(TRIES_A_CALL):
            values = self._guesser.guess(source, known)
            if not chain.peek(source, values).is_error:
                done = self.add(chain, source, values) and self.lengthen(
                    chain, edge, self.known_of(chain)
                )
                return chain if done and is_one_business(chain) else None
        return None

    def _start(self, tool: ToolFacts) -> str:
        named = [entity for part in tool.parameters.values() for entity in part.entities]
        return self._rng.choice([*named, self._stage.surface.home(tool)])

    def _as_shown(self, edge: Edge) -> Chain | None:
        """Make the calls of an edge's evidence; those before it may have happened already."""
        tools, evidence = self._stage.surface.tools, edge.evidence
        # Some edges lead from one person to another by their nature, as from reviews to authors.
        may_be_two = self._rng.random() < TWO_PEOPLE
        if not may_be_two and self._names_two(edge):
            return None
        done = self._rng.random() < SETUP_DONE
        chain = Chain(self._stage, self._patch(evidence.setup) if done else None)
        for call in () if done else evidence.setup:
            values = self._guesser.worded(tools[call.tool], call.arguments)
            if not self.add(chain, tools[call.tool], values):
                return None
        source, target = tools[edge.candidate.source], tools[edge.candidate.target]
        values = self._guesser.worded(source, evidence.source.arguments)
        if not self.add(chain, source, values):
            return None
        given = self._given(chain, edge, evidence.target.arguments)
        if given is None or not self._add_target(chain, target, evidence.target.arguments, given):
            return None
        return chain if may_be_two or is_one_business(chain) else None

    def _names_two(self, edge: Edge) -> bool:
        """Whether the calls of an edge's evidence name the business of two people."""
        calls, stage = (edge.evidence.source, edge.evidence.target), self._stage
        tools = stage.surface.tools
        named = [
            place for one in calls for _, place in stage.ids_in(tools[one.tool], one.arguments)
        ]
        return len(Chain(stage).owners_by(named)) > 1

    def _patch(self, setup: Any) -> dict[str, Json]:
        episode = self._stage.open({})
        for call in setup:
            tool = self._stage.surface.tools[call.tool]
            episode.call(call.tool, self._guesser.worded(tool, call.arguments))
        patch: dict[str, Json] = {}
        for change in episode.diff():
            patch.setdefault(change.table, {})[change.key] = change.after
        return patch

    def _given(
        self, chain: Chain, edge: Edge, values: Mapping[str, Json]
    ) -> dict[str, ResultPlace] | None:
        """Return where the argument that an edge feeds comes from; nothing for other edges."""
        candidate = edge.candidate
        if candidate.label != "data":
            return {}
        number = self._number_of(chain, candidate.source)
        target = self._stage.surface.tools[candidate.target]
        for way, place in self._stage.names_in(target, values):
            if pattern_of(way) == candidate.argument:
                source = chain.steps[number]
                key = self._stage.surface.entities[place[0].partition(".")[0]].key
                for out, other in self._stage.names_out(source.tool, source.result):
                    if other == place and source.tells(out, key):
                        return {way: ResultPlace(number, out)}
        return None

    def _number_of(self, chain: Chain, tool: str) -> int:
        return max(n for n, step in enumerate(chain.steps) if step.tool.name == tool)

    def known_of(self, chain: Chain) -> Knowledge:
        """Return what is known around a chain, by which it can be made longer."""
        return self._guesser.of_chain(chain)

    def lengthen(self, chain: Chain, edge: Edge, known: Knowledge) -> bool:
        """Add a call of an edge's second tool to a chain that has the first; say if it was done."""
        target = self._stage.surface.tools[edge.candidate.target]
        fed = self._fed(chain, edge) if edge.candidate.label == "data" else None
        for _ in range(TRIES_A_CALL if fed != [] else 0):
            values = self._guessed(edge, known, fed)
            shown = chain.peek(target, values)
            if shown.is_error or shown.structured.get("items") == []:
                continue
            if not is_of_another(chain, target, values, shown.structured):
                given = self._given(chain, edge, values)
                if given is not None and self._add_alone(chain, target, values, given):
                    return True
        return False

    def _guessed(self, edge: Edge, known: Knowledge, fed: list[str] | None) -> dict[str, Json]:
        """Return arguments for an edge's second tool, with something fed if the edge does that."""
        target = self._stage.surface.tools[edge.candidate.target]
        values = self._guesser.guess(target, known)
        if fed is None:
            return values
        parts = edge.candidate.argument.split(".")
        return dict(placed(values, parts, self._rng.choice(fed)))

    def _fed(self, chain: Chain, edge: Edge) -> list[str]:
        """Return what the first tool's result has for the argument that a data edge feeds."""
        step = chain.steps[self._number_of(chain, edge.candidate.source)]
        wanted = ".".join(filter(None, (edge.candidate.entity, edge.candidate.column)))
        given = [value for _, value in leaves(step.values)]
        return [
            str(value)
            for path, named in step.tool.result_names.items()
            if named == wanted
            for value in at(step.result, path)
            if str(value) not in given
        ]

    def _add_alone(
        self,
        chain: Chain,
        tool: ToolFacts,
        values: Mapping[str, Json],
        given: Mapping[str, ResultPlace],
    ) -> bool:
        """Add a call unless it is the business of somebody else than the chain so far."""
        mark, owners = chain.mark(), chain.owners()
        if not self._add_target(chain, tool, values, given):
            return False
        if not is_one_business(chain, owners):
            chain.back(mark)
            return False
        return True

    def _add_target(
        self,
        chain: Chain,
        tool: ToolFacts,
        values: Mapping[str, Json],
        given: Mapping[str, ResultPlace],
    ) -> bool:
        return self.add(chain, tool, self._guesser.worded(tool, values), given)

    def add(
        self,
        chain: Chain,
        tool: ToolFacts,
        values: Mapping[str, Json],
        given: Mapping[str, ResultPlace] | None = None,
    ) -> bool:
        """Add a call with the look-ups it needs and what a person says for it; or nothing."""
        mark = chain.mark()
        sources = self._closure.sources(chain, tool, values, given)
        step = chain.call(tool, values, sources) if sources is not None else None
        if step is None or step.result.get("items") == [] or not _lasts(step, chain):
            chain.back(mark)
            return False
        return True


def _lasts(step: ChainStep, chain: Chain) -> bool:
    """Whether the last call, if it writes, changed something and undid nothing of before."""
    before, after = step.changed, chain.rows
    return step.tool.read_only or (after != before and before.keys() <= after.keys())
