"""Something a person asks for that cannot be done: the right thing is to leave it."""

from __future__ import annotations

import random
from typing import Any

from toolworld.graph.surface import ToolFacts
from toolworld.tasks.chains.chain import Chain, is_one_business
from toolworld.tasks.chains.closure import Closure
from toolworld.tasks.chains.jobs.rows import own_id, refuses, some_row, without_other_ids
from toolworld.tasks.chains.ledger import Ledger
from toolworld.tasks.chains.stage import Stage
from toolworld.tasks.chains.wording import ArgumentGuesser
from toolworld.tasks.rows import Place

Json = Any

ROWS_TRIED = 10


class Refusals:
    """Adds a request to a chain that a tool refuses for what a row is."""

    def __init__(self, stage: Stage, closure: Closure, ledger: Ledger, rng: random.Random) -> None:
        """Take what calls are made from."""
        self._stage, self._closure, self._rng = stage, closure, rng
        self._ledger = ledger
        self._guesser = ArgumentGuesser(stage, rng)

    def add(self, chain: Chain) -> bool:
        """Add a call that is refused; say if one was found."""
        tools = [
            tool.name
            for tool in self._stage.tools
            if not tool.read_only and own_id(tool) and self._stage.accepted[tool.name]
        ]
        if not tools:
            return False
        tool = self._stage.surface.tools[self._ledger.pick_tool(tools, self._rng)]
        return any(self._try(chain, tool) for _ in range(ROWS_TRIED))

    def _try(self, chain: Chain, tool: ToolFacts) -> bool:
        """Make a call that is right for another row: what is wrong is the row."""
        name, entity = own_id(tool) or ("", "")
        place = self._near(chain, entity)
        if place is None:
            return False
        accepted = self._rng.choice(self._stage.accepted[tool.name])
        worded = self._guesser.worded(tool, without_other_ids(tool, accepted))
        values = {**worded, name: place[1]}
        if not refuses(chain, tool, values):
            return False
        mark, owners = chain.mark(), chain.owners()
        sources = self._closure.sources(chain, tool, values)
        step = chain.call(tool, values, sources, "rejected") if sources is not None else None
        if step is None or not is_one_business(chain, owners):
            chain.back(mark)
            return False
        chain.request("does")
        return True

    def _near(self, chain: Chain, entity: str) -> Place | None:
        """Return a row that the chain has seen, or any."""
        seen = [place for place in chain.seen() if place[0] == entity]
        if seen and self._rng.random() < 0.7:
            return self._rng.choice(seen)
        return some_row(self._stage, entity, self._rng)
