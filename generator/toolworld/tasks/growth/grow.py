"""Which tools a task has: those of gold, and others around them until enough is enough.

From the tools of gold, H grows breadth first; then, as long as the gate is open, by further
chains of the tools outside; and at last up to the smallest number of tools. The formula of the
gate is in ``GrowthSettings``.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolworld.emit import Package
from toolworld.graph import ToolGraph
from toolworld.graph.surface import surface_of
from toolworld.tasks.episodes import Episodes, Patch
from toolworld.tasks.growth.expansion import Expansion
from toolworld.tasks.growth.links import Links
from toolworld.tasks.growth.planner import Plan, Planner
from toolworld.tasks.growth.rehearsal import Hall
from toolworld.tasks.growth.settings import GrowthSettings
from toolworld.tasks.growth.trial import Step

Json = Any


@dataclass(frozen=True)
class Gate:
    """One look at the gate: what p came from."""

    complexity: float
    share: float
    outside: int
    p: float


@dataclass(frozen=True)
class Grown:
    """The active tools of a task, and what came of growing them.

    Attributes:
        tools: The active tools, in the package's order.
        initial: The task's patch, with rows that tools needed; gold gives the same with them.
        gold: The steps, as they were.
        complexity: c of the tools.
        branching: To how many others of them an edge leads from a tool, on average.
        gates: Each look at the gate, the last one closed unless no tool was left.
        patches: How many tools needed rows in the patch.
        filled: How many tools were taken in to make up the smallest number.
    """

    tools: tuple[str, ...]
    initial: Patch
    gold: tuple[Step, ...]
    complexity: float
    branching: float
    gates: tuple[Gate, ...] = ()
    patches: int = 0
    filled: int = 0


class Growth:
    """Grows the tools of tasks of a package."""

    def __init__(
        self,
        package: Package,
        graph: ToolGraph,
        settings: GrowthSettings | None = None,
        episodes: Episodes | None = None,
    ) -> None:
        """Take a package, its tool graph, the settings, and where calls are tried."""
        episodes = episodes or Episodes(package)
        self._settings = settings or GrowthSettings()
        self._surface = surface_of(package)
        self._links = Links(graph)
        self._planner = Planner(episodes, self._surface, self._links, self._settings)
        self._hall = Hall(episodes, self._surface, self._links, self._settings)

    def grow(self, task: Mapping[str, Json], rng: random.Random) -> Grown:
        """Return the active tools of a task.

        Args:
            task: Its ``gold`` and ``initial``; nothing else is looked at.
            rng: Where random numbers come from.

        Raises:
            ValueError: Gold does not run from the task's start.
        """
        initial = task.get("initial", {})
        played = self._hall.trial.play(tuple(task["gold"]), initial)
        if played is None:
            raise ValueError("Gold does not run from the task's start; growth needs one that does.")
        rehearsal = self._hall.open(initial, played)
        first = self._links.closed({call.tool for call in played.calls}, rng)
        expansion = Expansion(self._links, rehearsal, first)
        expansion.grow(self._settings.breadth, rng)
        gates = self._pass_gates(expansion, rng)
        filled = self._fill(expansion, rng)
        tools = expansion.tools
        return Grown(
            tools=self._links.ordered(tools),
            initial=rehearsal.initial,
            gold=played.gold,
            complexity=self._links.complexity(tools, self._settings),
            branching=self._links.branching(tools),
            gates=tuple(gates),
            patches=rehearsal.patches,
            filled=filled,
        )

    def _pass_gates(self, expansion: Expansion, rng: random.Random) -> list[Gate]:
        """Take in chains of the tools outside while the gate is open."""
        gates: list[Gate] = []
        while outside := set(self._links.order) - expansion.tools:
            gate, plans = self._look(expansion, outside, rng)
            gates.append(gate)
            if gate.p < self._settings.threshold or not plans:
                break
            size = len(expansion.tools)
            expansion.take_all(rng.choice(plans).tools)
            expansion.grow(self._settings.breadth, rng)
            if len(expansion.tools) == size:
                break
        return gates

    def _look(
        self, expansion: Expansion, outside: set[str], rng: random.Random
    ) -> tuple[Gate, list[Plan]]:
        settings = self._settings
        share, plans = self._planner.share(outside, settings.solver_tries, rng)
        complexity = self._links.complexity(expansion.tools, settings)
        p = probability(complexity, share, len(outside), settings)
        return Gate(complexity, share, len(outside), p), plans

    def _fill(self, expansion: Expansion, rng: random.Random) -> int:
        """Take in random chains up to the smallest number of tools: all, if there are fewer.

        If too few can be run in the task's world, others that can be called make up the number.
        """
        size = len(expansion.tools)
        smallest = min(self._settings.smallest, len(self._links.order))
        if smallest == len(self._links.order):
            expansion.tools.update(self._links.order)
        grounded = self._links.all_grounded
        waiting = [name for name in grounded if name not in expansion.tools]
        for tool in rng.sample(waiting, len(waiting)):
            if len(expansion.tools) >= smallest:
                break
            expansion.take_all(grounded.chain_to(tool, rng))
        missing = [name for name in grounded if name not in expansion.tools]
        expansion.tools.update(missing[: max(0, smallest - len(expansion.tools))])
        return len(expansion.tools) - size


def probability(complexity: float, share: float, outside: int, settings: GrowthSettings) -> float:
    """Return p: it grows with g and with the number of tools outside, and falls with c."""
    supply = 1 - math.exp(-outside / settings.supply)
    return share * supply / (1 + complexity / settings.burden)
