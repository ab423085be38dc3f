"""Tasks made from chains one after the other: drafted, surrounded, put into words, certified."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from toolworld.chained.chains.chain import Chain, pattern_of
from toolworld.chained.chains.drafts import Drafter, Recipes, outline_of, task_of
from toolworld.chained.chains.ledger import EdgeKey, UseLedger
from toolworld.chained.chains.remaking import Undone, settled
from toolworld.chained.chains.stage import ChainStage, rng_for
from toolworld.chained.levels import SAID_BY_KEY, Aim, level_of
from toolworld.chained.phrasing import Phrasebook
from toolworld.errors import Unsayable
from toolworld.graph import ToolGraph
from toolworld.packages import Package
from toolworld.tasks.context import Distractors, Level, ToolSubset, rows_added
from toolworld.tasks.verify import Certifier

Json: TypeAlias = Any

DENSITIES: Mapping[Level, float] = {"easy": 0.5, "medium": 1.0, "hard": 2.0}
"""How many near misses there are for each row that is meant."""


@dataclass(frozen=True)
class ChainedTask:
    """A task that passed its certificate.

    Attributes:
        task: The task as JSON values, but for its id.
        edges: The edges of the graph it uses.
    """

    task: Mapping[str, Json]
    edges: frozenset[EdgeKey]

    @property
    def level(self) -> Level:
        """How hard it is."""
        level: Level = self.task["difficulty"]["level"]
        return level

    @property
    def shape(self) -> tuple[str, ...]:
        """Its sequence of tools."""
        return tuple(step["tool"] for step in self.task["gold"])


@dataclass(frozen=True)
class ChainAttempt:
    """What came of an attempt.

    Attributes:
        made: The task, if there is one.
        reason: Why there is none.
        tried: The edges that were tried as seeds.
        steps: How many steps its chain had; 0 if there was none.
    """

    made: ChainedTask | None
    reason: str
    tried: tuple[EdgeKey, ...]
    steps: int = 0


class ChainedMaker:
    """Makes tasks of a package."""

    def __init__(self, package: Package, graph: ToolGraph, seed: int) -> None:
        """Read the package and its graph once."""
        self.stage = ChainStage(package, graph)
        self._recipes = Recipes(self.stage)
        self._seed = seed
        self._distractors = Distractors(package)
        self._subset = ToolSubset(package, graph)
        self._phrasebook = Phrasebook.load(package)
        self._certifier = Certifier(package)

    def attempt(self, aim: Aim, ledger: UseLedger) -> ChainAttempt:
        """Return what comes of an attempt at a task.

        Args:
            aim: What it is to be.
            ledger: What was used before; it is left as it is.
        """
        rng = rng_for(self._seed, aim.number)
        drafter = Drafter(self.stage, self._recipes, ledger, rng, SAID_BY_KEY[aim.level])
        steps = 0
        try:
            chain = drafter.draft(aim)
            steps = len(chain.steps)
            made, reason = self._made(chain, aim, rng), ""
        except Undone as undone:
            made, reason = None, str(undone)
        return ChainAttempt(made, reason, tuple(drafter.tried), steps)

    def _made(self, chain: Chain, aim: Aim, rng: random.Random) -> ChainedTask:
        level = level_of(len(chain.steps))
        if len(chain.steps) > aim.longest or level not in aim.levels:
            raise Undone("another difficulty than asked for")
        initial = self._with_near_misses(chain, level, rng)
        near_misses = rows_added(chain.initial, initial)
        chain = settled(chain, initial)
        task = {**task_of(chain), **self._words(chain, rng)}
        task["tools"] = list(self._subset.grow(task, (), rng))
        task["difficulty"] = {
            "level": level_of(len(chain.steps)),
            "steps": len(chain.steps),
            "tools": len({step.tool.name for step in chain.steps}),
            "near_miss_rows": near_misses,
        }
        verdict = self._certifier.certify(task)
        if not verdict.passed:
            raise Undone(verdict.flaws[0].code)
        certified = {**task, "certificate": verdict.certificate}
        return ChainedTask(certified, self.stage.edge_keys & {*edges_used(chain)})

    def _with_near_misses(
        self, chain: Chain, level: Level, rng: random.Random
    ) -> Mapping[str, Json]:
        """Return a start with near misses; ids that are there already may move in listings."""
        new = {place for step in chain.steps for place in step.made}
        task = {**task_of(chain), "gold": [step.gold(new) for step in chain.steps]}
        return self._distractors.add(task, rng, DENSITIES[level])

    def _words(self, chain: Chain, rng: random.Random) -> dict[str, Json]:
        try:
            said = self._phrasebook.compose(outline_of(chain), rng, self.stage.clock, chain.row_of)
        except Unsayable as error:
            raise Undone(error.reason) from error
        return {
            "instruction": said.instruction,
            "persona": said.persona,
            "known_info": dict(said.known_info),
        }


def edges_used(chain: Chain) -> set[EdgeKey]:
    """Return the data edges that a chain's calls show again."""
    return {
        (chain.steps[source.step].tool.name, step.tool.name, f"data:{pattern_of(way)}")
        for step in chain.steps
        for way, source in step.sources.items()
        if source is not None
    }
