"""Tasks made one after the other: drafted, surrounded, put into words, certified."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from toolworld.emit import Package
from toolworld.errors import Unsayable
from toolworld.graph import ToolGraph
from toolworld.tasks.again import made_again
from toolworld.tasks.certificate import Certifier, Mend
from toolworld.tasks.certificate.mend import left_without, without
from toolworld.tasks.difficulty import Difficulty
from toolworld.tasks.distractors import Distracted, Distractors
from toolworld.tasks.drafts import Draft, Drafter, EdgeKey, Undone
from toolworld.tasks.growth import Growth, Grown
from toolworld.tasks.ledger import Ledger
from toolworld.tasks.phrasing import Phrasebook
from toolworld.tasks.settings import LEVELS, GrowthSettings, Level
from toolworld.tasks.stage import Stage, rng_for
from toolworld.tasks.used import edges_used

Json = Any

STEPS: Mapping[Level, tuple[int, int]] = {"easy": (1, 3), "medium": (4, 7), "hard": (8, 12)}
MOST_MENDS = 3
SAME_SHAPE = 0.02
"""The largest share of tasks with one and the same sequence of tools."""


@dataclass(frozen=True)
class Made:
    """A task that passed its certificate.

    Attributes:
        task: The task as JSON values, but for its id.
        edges: The edges of the graph it uses.
        mends: What was mended in it, in words.
    """

    task: Mapping[str, Json]
    edges: frozenset[EdgeKey]
    mends: tuple[str, ...] = ()

    @property
    def shape(self) -> tuple[str, ...]:
        """Its sequence of tools."""
        return tuple(step["tool"] for step in self.task["gold"])


@dataclass
class Attempts:
    """What became of all attempts so far.

    Attributes:
        dropped: Why attempts came to nothing, with how often.
        mended: What was mended, with how often.
    """

    dropped: Counter[str] = field(default_factory=Counter)
    mended: Counter[str] = field(default_factory=Counter)


class TaskMaker:
    """Makes tasks of a package."""

    def __init__(
        self, package: Package, graph: ToolGraph, seed: int, settings: GrowthSettings | None = None
    ) -> None:
        """Read the package and its graph once."""
        self.stage = Stage(package, graph)
        self.ledger = Ledger()
        self._seed = seed
        self._settings = settings or GrowthSettings()
        self._distractors = Distractors(package, self._settings)
        self._growth = Growth(package, graph, self._settings)
        self._difficulty = Difficulty(package, graph, self._settings)
        self._phrasebook = Phrasebook.load(package)
        self._certifier = Certifier(package, graph)

    def attempt(self, number: int, level: Level) -> Made:
        """Return a certified task.

        Args:
            number: Which attempt it is: it decides all that is chosen by chance.
            level: How hard it is to be.

        Raises:
            Undone: Nothing came of it.
        """
        rng = rng_for(self._seed, number)
        drafter = Drafter(self.stage, self.ledger, rng)
        draft = drafter.draft(rng.randint(*STEPS[level]))
        draft, around = self._surrounded(draft, level, rng)
        made = self._certified(draft, around, rng)
        if made.task["difficulty"]["level"] != level:
            raise Undone("another difficulty than asked for")
        return made

    def _surrounded(
        self, draft: Draft, level: Level, rng: random.Random
    ) -> tuple[Draft, Surroundings]:
        """Return a draft among distractors, and the tools around it."""
        task = draft.as_task()
        distracted = self._distractors.add(task, level, rng, closed_steps(draft))
        task |= {"initial": distracted.initial, "gold": list(distracted.gold)}
        grown = self._growth.grow(task, rng)
        again = made_again(self.stage, draft, grown.initial, grown.gold)
        return again, Surroundings(distracted, grown)

    def _certified(self, draft: Draft, around: Surroundings, rng: random.Random) -> Made:
        mends: list[str] = []
        while True:
            task = self._whole(draft, around, rng)
            verdict = self._certifier.certify(task, rng)
            if verdict.passed:
                edges = edges_used(self.stage, draft.chain)
                return Made({**task, "certificate": verdict.certificate}, edges, tuple(mends))
            if verdict.mend is None or len(mends) == MOST_MENDS:
                raise Undone(verdict.reason)
            mends.append(verdict.mend.says)
            draft = self._mended(draft, verdict.mend)

    def _whole(self, draft: Draft, around: Surroundings, rng: random.Random) -> dict[str, Json]:
        try:
            said = self._phrasebook.compose(draft.outline, rng, self.stage.clock)
        except Unsayable as error:
            raise Undone(str(error)) from error
        task = draft.as_task() | {
            "instruction": said.instruction,
            "persona": said.persona,
            "known_info": dict(said.known_info),
            "tools": list(around.grown.tools),
        }
        figures = self._difficulty.of(task, around.distracted, around.grown)
        return {**task, "difficulty": figures, "certificate": {}}

    def _mended(self, draft: Draft, mend: Mend) -> Draft:
        """Return a draft without what its gold does not need; it is put into words anew."""
        gold = draft.chain.gold()
        if mend.argument is not None:
            step, name = mend.argument
            rest = {key: value for key, value in gold[step]["arguments"].items() if key != name}
            gold[step] = {**gold[step], "arguments": rest}
        places, shorter = left_without(gold, mend.steps), without(gold, mend.steps)
        if not shorter:
            raise Undone("nothing of gold is needed")
        return made_again(self.stage, draft, draft.chain.initial, shorter, places)

    def keep(self, made: Made, count: int) -> None:
        """Count a task that is kept.

        Args:
            made: The task.
            count: How many tasks there are to be.

        Raises:
            Undone: There are enough of its shape, or another is just like it.
        """
        if self.ledger.shapes[made.shape] >= max(2, SAME_SHAPE * count):
            raise Undone("too many of the same shape")
        self.ledger.note(made.shape, made.edges, made.shape)


@dataclass(frozen=True)
class Surroundings:
    """What was put around a draft."""

    distracted: Distracted
    grown: Grown


def closed_steps(draft: Draft) -> Collection[int]:
    """Return the steps whose results are asked for as those of one row."""
    return {
        request.step
        for request in draft.outline.requests
        for ask in request.asks
        if ask.path.startswith("items.0.")
    }


def level_of(number: int, difficulty: str) -> Level:
    """Return how hard an attempt's task is to be: each in turn, if mixed."""
    return next((level for level in LEVELS if level == difficulty), LEVELS[number % len(LEVELS)])
