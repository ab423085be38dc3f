"""Tasks made one after the other: drafted, surrounded, put into words, certified."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from toolworld.emit import Package
from toolworld.errors import Unsayable
from toolworld.graph import ToolGraph
from toolworld.tasks.aim import Aim, Wanted
from toolworld.tasks.certificate import Certifier, Mend
from toolworld.tasks.certificate.mend import left_without, without
from toolworld.tasks.certificate.reference import Reference
from toolworld.tasks.chains.again import made_again, shortened
from toolworld.tasks.chains.asking import Asking
from toolworld.tasks.chains.drafts import Draft, Drafter, Recipes, Undone
from toolworld.tasks.chains.ledger import EdgeKey, Ledger
from toolworld.tasks.chains.stage import Stage, rng_for
from toolworld.tasks.chains.used import edges_used
from toolworld.tasks.episodes import Episodes
from toolworld.tasks.growth.difficulty import figures_of, possible
from toolworld.tasks.growth.distractors import Distracted, Distractors
from toolworld.tasks.growth.effort import Effort
from toolworld.tasks.growth.grow import Grown, Growth
from toolworld.tasks.growth.links import Links
from toolworld.tasks.growth.settings import GrowthSettings, Level
from toolworld.tasks.phrasing import Phrasebook, Said

Json = Any

MOST_TRIES = 4
"""How often a task is mended and certified anew."""
OTHER_LEVEL = "another difficulty than asked for"
SAME_ANSWER = "another row gives the same answer"


@dataclass(frozen=True)
class Made:
    """A task that passed its certificate.

    Attributes:
        task: The task as JSON values, but for its id.
        edges: The edges of the graph it uses.
        gold: Its gold as it ran in process.
        mends: What was mended in it, in words.
    """

    task: Mapping[str, Json]
    edges: frozenset[EdgeKey]
    gold: Reference
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
        steps: How many steps its chain had; 0 if there was none.
    """

    made: Made | None
    reason: str
    tried: tuple[EdgeKey, ...]
    steps: int = 0


class TaskMaker:
    """Makes tasks of a package."""

    def __init__(
        self, package: Package, graph: ToolGraph, seed: int, settings: GrowthSettings | None = None
    ) -> None:
        """Read the package and its graph once."""
        episodes = Episodes(package)
        self.stage = Stage(package, graph, episodes)
        self._recipes = Recipes(self.stage)
        self._seed = seed
        self._settings = settings or GrowthSettings()
        self._distractors = Distractors(package, self._settings, episodes)
        self._growth = Growth(package, graph, self._settings, episodes)
        self._effort = Effort(package, Links(graph), self._settings, episodes)
        self._phrasebook = Phrasebook.load(package)
        self._certifier = Certifier(package, graph, episodes=episodes)

    def attempt(self, wanted: Wanted, ledger: Ledger) -> Outcome:
        """Return what comes of an attempt at a task.

        Args:
            wanted: What it is to be.
            ledger: What was used before; it is left as it is.
        """
        rng = rng_for(self._seed, wanted.number)
        aim, steps = Aim(wanted, rng), 0
        drafter = Drafter(self.stage, self._recipes, ledger, rng, aim.said_by_key)
        try:
            draft = shortened(self.stage, drafter.draft(aim.steps))
            steps = len(draft.chain.needed())
            made, reason = self._made(draft, wanted, aim.level, rng), ""
        except Undone as undone:
            made, reason = None, str(undone)
        return Outcome(made, reason, tuple(drafter.tried), steps)

    def _made(self, draft: Draft, wanted: Wanted, level: Level, rng: random.Random) -> Made:
        self._check_level(draft, wanted)
        distracted = self._distractors.add(draft.as_task(), level, rng, closed_steps(draft))
        draft = made_again(self.stage, draft, distracted.initial, distracted.gold)
        asking = self._unambiguous(Asking(self.stage, draft, rng))
        self._check_level(asking.draft, wanted)
        grown = self._growth.grow(asking.draft.as_task(), rng)
        if grown.patches:
            draft = made_again(self.stage, asking.draft, grown.initial, grown.gold)
            asking = Asking(self.stage, draft, rng)
        worded = self._worded(asking, rng)
        return self._certified(worded, Surroundings(distracted, grown), wanted.levels, rng)

    def _check_level(self, draft: Draft, wanted: Wanted) -> None:
        """Check that a draft may become as difficult as is wanted.

        Raises:
            Undone: It cannot.
        """
        steps = len(draft.chain.needed())
        if steps > wanted.longest:
            raise Undone("longer than asked for")
        if possible(steps, writes_of(draft), self._settings).isdisjoint(wanted.levels):
            raise Undone(OTHER_LEVEL)

    def _unambiguous(self, asking: Asking) -> Asking:
        """Have a draft ask for what no other row answers alike, as far as that is found."""
        for _ in range(MOST_TRIES):
            task = asking.draft.as_task()
            step = self._certifier.ambiguous_answer(task) if task["goal"]["answers"] else None
            if step is None:
                break
            asking.ask_otherwise(step)
        return asking

    def _certified(
        self, worded: Worded, around: Surroundings, levels: Collection[Level], rng: random.Random
    ) -> Made:
        mends: list[str] = []
        for _ in range(MOST_TRIES):
            asking, task = worded.asking, self._whole(worded, around)
            if task["difficulty"]["level"] not in levels:
                raise Undone(OTHER_LEVEL)
            verdict = self._certifier.certify(task)
            if verdict.passed:
                edges = edges_used(self.stage, asking.draft.chain)
                gold = self._certifier.reference(task)
                certified = {**task, "certificate": verdict.certificate}
                return Made(certified, edges, gold, tuple(mends))
            if verdict.reason == SAME_ANSWER:
                mends.append("other answers are asked for")
                asking.ask_otherwise(verdict.step)
            elif verdict.mend is not None:
                mends.append(verdict.mend.says)
                asking = Asking(self.stage, self._mended(asking.draft, verdict.mend), rng)
            else:
                raise Undone(verdict.reason)
            worded = self._worded(asking, rng)
        raise Undone(verdict.reason)

    def _worded(self, asking: Asking, rng: random.Random) -> Worded:
        """Return a draft in words; what they give away is not asked for."""
        while True:
            try:
                draft = asking.draft
                said = self._phrasebook.compose(
                    draft.outline, rng, self.stage.clock, draft.chain.row_of
                )
            except Unsayable as error:
                raise Undone(error.reason) from error
            known = " ".join(str(value) for value in said.known_info.values())
            if not asking.gives_away(f"{said.instruction} {known}"):
                return Worded(asking, said)

    def _whole(self, worded: Worded, around: Surroundings) -> dict[str, Json]:
        draft, said = worded.asking.draft, worded.said
        task = draft.as_task() | {
            "instruction": said.instruction,
            "persona": said.persona,
            "known_info": dict(said.known_info),
            "tools": list(around.grown.tools),
        }
        figures = figures_of(
            len(draft.chain.needed()),
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
class Worded:
    """What a draft asks for, and the words for it."""

    asking: Asking
    said: Said


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
