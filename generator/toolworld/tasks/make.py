"""Tasks made one after the other: drafted, surrounded, put into words, certified."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from toolworld.emit import Package
from toolworld.errors import Unsayable
from toolworld.graph import ToolGraph
from toolworld.tasks.again import made_again
from toolworld.tasks.certificate import Certifier, Mend
from toolworld.tasks.certificate.mend import left_without, without
from toolworld.tasks.difficulty import figures_of
from toolworld.tasks.distractors import Distracted, Distractors
from toolworld.tasks.drafts import Draft, Drafter, EdgeKey, Undone
from toolworld.tasks.effort import Effort
from toolworld.tasks.growth import Growth, Grown
from toolworld.tasks.ledger import Ledger
from toolworld.tasks.links import Links
from toolworld.tasks.phrasing import Phrasebook, Said, says
from toolworld.tasks.questions import answer_to
from toolworld.tasks.settings import GrowthSettings, Level
from toolworld.tasks.stage import Stage, rng_for
from toolworld.tasks.used import edges_used

Json = Any

STEPS: Mapping[Level, tuple[int, int]] = {"easy": (1, 3), "medium": (3, 7), "hard": (7, 13)}
"""How many steps a draft is to have."""
SAID_BY_KEY: Mapping[Level, float] = {"easy": 0.6, "medium": 0.3, "hard": 0.15}
"""How often a person says a key that they know, though a look-up would give it."""
MOST_MENDS = 3


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
    def level(self) -> Level:
        """How hard it is."""
        level: Level = self.task["difficulty"]["level"]
        return level

    @property
    def shape(self) -> tuple[str, ...]:
        """Its sequence of tools."""
        return tuple(step["tool"] for step in self.task["gold"])


@dataclass(frozen=True)
class Outcome:
    """What came of an attempt.

    Attributes:
        made: The task, if there is one.
        reason: Why there is none.
        tried: The edges that were tried as seeds.
    """

    made: Made | None
    reason: str
    tried: tuple[EdgeKey, ...]


class TaskMaker:
    """Makes tasks of a package."""

    def __init__(
        self, package: Package, graph: ToolGraph, seed: int, settings: GrowthSettings | None = None
    ) -> None:
        """Read the package and its graph once."""
        self.stage = Stage(package, graph)
        self._seed = seed
        self._settings = settings or GrowthSettings()
        self._distractors = Distractors(package, self._settings)
        self._growth = Growth(package, graph, self._settings)
        self._effort = Effort(package, Links(graph), self._settings)
        self._phrasebook = Phrasebook.load(package)
        self._certifier = Certifier(package, graph)

    def attempt(self, number: int, level: Level, ledger: Ledger) -> Outcome:
        """Return what comes of an attempt at a task.

        Args:
            number: Which attempt it is: it decides all that is chosen by chance.
            level: How hard the task is to be; it may turn out otherwise.
            ledger: What was used before; it is left as it is.
        """
        rng = rng_for(self._seed, number)
        drafter = Drafter(self.stage, ledger, rng, SAID_BY_KEY[level])
        try:
            made = self._made(drafter.draft(rng.randint(*STEPS[level])), level, rng)
        except Undone as undone:
            return Outcome(None, str(undone), tuple(drafter.tried))
        return Outcome(made, "", tuple(drafter.tried))

    def _made(self, draft: Draft, level: Level, rng: random.Random) -> Made:
        if len(draft.chain.steps) > STEPS[level][1]:
            raise Undone("longer than asked for")
        draft, around = self._surrounded(draft, level, rng)
        return self._certified(draft, around, rng)

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
            draft, task = self._said(draft, around, rng)
            verdict = self._certifier.certify(task, rng)
            if verdict.passed:
                edges = edges_used(self.stage, draft.chain)
                return Made({**task, "certificate": verdict.certificate}, edges, tuple(mends))
            if verdict.mend is None or len(mends) == MOST_MENDS:
                raise Undone(verdict.reason)
            mends.append(verdict.mend.says)
            draft = self._mended(draft, verdict.mend)

    def _said(
        self, draft: Draft, around: Surroundings, rng: random.Random
    ) -> tuple[Draft, dict[str, Json]]:
        """Return a draft as a whole task; what its words give away is asked no more."""
        while True:
            try:
                said = self._phrasebook.compose(draft.outline, rng, self.stage.clock)
            except Unsayable as error:
                raise Undone(error.reason) from error
            fewer = without_given_away(draft, said.instruction)
            if fewer is None:
                return draft, self._whole(draft, said, around)
            draft = fewer

    def _whole(self, draft: Draft, said: Said, around: Surroundings) -> dict[str, Json]:
        task = draft.as_task() | {
            "instruction": said.instruction,
            "persona": said.persona,
            "known_info": dict(said.known_info),
            "tools": list(around.grown.tools),
        }
        figures = figures_of(
            task["gold"],
            writes_of(draft),
            around.grown,
            around.distracted.density,
            self._effort.of(task),
        )
        return {**task, "difficulty": figures.as_json(self._settings), "certificate": {}}

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


def writes_of(draft: Draft) -> int:
    """Return how many steps change something."""
    return sum(not step.tool.read_only and step.expect == "ok" for step in draft.chain.steps)


def without_given_away(draft: Draft, instruction: str) -> Draft | None:
    """Return a draft that does not ask for what its instruction says; None if all is well.

    Raises:
        Undone: Nothing else is asked for.
    """
    steps, requests = draft.chain.steps, []
    for request in draft.outline.requests:
        result = steps[request.step].result
        kept = tuple(ask for ask in request.asks if not says(instruction, answer_to(ask, result)))
        if request.asks and not kept:
            raise Undone("the answer is given away")
        requests.append(replace(request, asks=kept))
    if tuple(requests) == draft.outline.requests:
        return None
    draft.chain.requests = requests
    return replace(draft, outline=replace(draft.outline, requests=tuple(requests)))

