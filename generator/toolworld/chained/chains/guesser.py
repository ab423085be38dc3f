"""Arguments that a person might give: rows near by, and texts as people write them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, TypeAlias

from toolworld.chained.chains.chain import Chain
from toolworld.chained.chains.stage import ChainStage
from toolworld.chained.outline import Place
from toolworld.graph.arguments import PAGING, TEXTS, ArgumentMaker
from toolworld.graph.knowledge import Knowledge
from toolworld.graph.surface import ToolFacts

Json: TypeAlias = Any

MOST_PLACES, ROWS_NEAR = 4, 12
"""From how many rows of a chain one looks around, and how many rows one sees from each."""


class ArgumentGuesser:
    """Makes arguments around what is known."""

    def __init__(self, stage: ChainStage, rng: random.Random) -> None:
        """Take where values come from."""
        self._stage, self._rng = stage, rng
        self._maker = ArgumentMaker(stage.world, stage.clock, rng)

    def guess(self, tool: ToolFacts, known: Knowledge) -> dict[str, Json]:
        """Return arguments that may be right: the package decides."""
        made = self._maker.make(tool, known, self._stage.accepted[tool.name])
        return self.worded(tool, made)

    def worded(self, tool: ToolFacts, values: Mapping[str, Json]) -> dict[str, Json]:
        """Return arguments with texts that people write, and without paging."""
        return {
            name: self._worded(f"{tool.name}.{name}", name, value)
            for name, value in values.items()
            if name not in PAGING
        }

    def _worded(self, where: str, name: str, value: Json) -> Json:
        """Return a value as people would write it: a phrase, or one that some row has."""
        samples, rng = self._stage.samples, self._rng
        if isinstance(value, str):
            said = self._stage.values.get(where)
            if said:
                return rng.choice(said)
            return (samples.text(name, rng) or value) if value in TEXTS else value
        if isinstance(value, Mapping):
            whole = all(isinstance(part, str) for part in value.values())
            known = samples.object(value, rng) if whole else None
            return known or {
                key: self._worded(f"{where}.{key}", key, part) for key, part in value.items()
            }
        if isinstance(value, list):
            return [self._worded(where, name, part) for part in value]
        return value

    def around(self, entity: str | None = None) -> Knowledge:
        """Return what is known around some row of the seed database."""
        known = Knowledge(self._stage.world)
        known.learn_rows(reversed(self._stage.world.around(self._rng, entity)))
        return known

    def of_chain(self, chain: Chain) -> Knowledge:
        """Return what is known around the rows a chain has to do with, the latest latest."""
        stage = self._stage
        places = [place for step in chain.steps for _, place in step.ids]
        named: list[Place] = places or chain.seen()[-3:]
        known = Knowledge(stage.world)
        for place in [*dict.fromkeys(named)][-MOST_PLACES:]:
            if place[1] in stage.world.rows[place[0]]:
                near = stage.world.around_row(self._rng, *place, ROWS_NEAR)
                known.learn_rows(reversed(near))
        known.learn_rows(
            (entity, row) for (entity, _), row in chain.rows.items() if row is not None
        )
        known.learn(step.lesson for step in chain.steps)
        return known
