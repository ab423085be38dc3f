"""The active tools of a task: those it needs, and related ones up to a target number.

From the tools of gold and of its scenario's expert, with every look-up that leads from what the
person knows to the rows they take and with what tells the date, H grows breadth first; then, as
long as the gate is open, by further chains of the tools outside; and at last up to the smallest
number of tools. The formula of the gate is in ``SubsetSettings``.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Iterable, Mapping

from toolworld.graph import ToolGraph
from toolworld.graph.gaps import tells_today
from toolworld.graph.surface import surface_of
from toolworld.packages import Package
from toolworld.packages.task import TaskModel, read_task
from toolworld.tasks.context.links import Links, ToolSet, numbers
from toolworld.tasks.context.lookups import LeadingLookUps
from toolworld.tasks.context.rehearsal import Rehearsal, RehearsalStage
from toolworld.tasks.context.settings import SubsetSettings
from toolworld.tasks.context.solver import ChainSolver


class ToolSubset:
    """Grows the active tools of a package's tasks."""

    def __init__(
        self, package: Package, graph: ToolGraph, settings: SubsetSettings | None = None
    ) -> None:
        """Read a package and its tool graph once."""
        surface = surface_of(package)
        self._package = package
        self._settings = settings or SubsetSettings()
        self._links = Links(graph)
        tools = [surface.tools[name] for name in self._links.order]
        self._lookups = LeadingLookUps(graph, surface, self._links)
        # Gold may leave the day to a tool that refuses; an agent that reads the policy asks for it.
        self._today = self._links.set_of({tool.name for tool in tools if tells_today(tool)})
        self._solver = ChainSolver(package, tools, self._links, self._settings)
        self._stage = RehearsalStage(package, tools, self._links)

    def grow(
        self,
        task: TaskModel | Mapping[str, object],
        tools: Collection[str],
        rng: random.Random,
    ) -> tuple[str, ...]:
        """Return the active tools of a task, in the package's order.

        Args:
            task: The task, as the package's own object or as JSON values; its gold and its
                start are looked at.
            tools: The tools that its scenario's expert may call, beside those that gold calls.
            rng: Where random numbers come from: the same ones give the same tools.
        """
        model = read_task(self._package, task)
        called = {step.tool for step in model.gold if step.tool}
        needed = self._links.set_of({*called, *tools})
        needed |= self._lookups.leading_to(numbers(needed)) | self._today
        rehearsal = Rehearsal(self._stage, model.initial)
        expansion = Expansion(self._links, rehearsal, self._links.closed(needed, rng))
        expansion.grow(self._settings.breadth, rng)
        self._pass_gates(expansion, rng)
        self._fill(expansion, rng)
        return self._links.names(expansion.tools)

    def call_each(self) -> None:
        """Call each tool once: what calls build when first made is then built."""
        for tool in numbers(self._links.all):
            self._solver.runs((tool,))

    def _pass_gates(self, expansion: Expansion, rng: random.Random) -> None:
        """Take in chains of the tools outside while the gate is open."""
        while outside := self._links.all & ~expansion.tools:
            before = expansion.tools
            share, chains = self._solver.share(outside, rng)
            p = probability(self._complexity(before), share, outside.bit_count(), self._settings)
            if p < self._settings.threshold or not chains:
                break
            expansion.take_all(rng.choice(chains))
            expansion.grow(self._settings.breadth, rng)
            if expansion.tools == before:
                break

    def _complexity(self, tools: ToolSet) -> float:
        """Return c of some tools, as the settings say."""
        size = tools.bit_count() + self._settings.edge_weight * self._links.edges(tools)
        return size / self._settings.saturation

    def _fill(self, expansion: Expansion, rng: random.Random) -> None:
        """Take in random chains up to the smallest number of tools: all, if there are fewer.

        If too few can be run in the task's world, others that can be called make up the number.
        """
        smallest = min(self._settings.smallest, len(self._links.order))
        if smallest == len(self._links.order):
            expansion.tools = (1 << smallest) - 1
        grounded = self._links.grounded(self._links.all)
        waiting = list(numbers(grounded.tools & ~expansion.tools))
        for tool in rng.sample(waiting, len(waiting)):
            if expansion.tools.bit_count() >= smallest:
                return
            expansion.take_all(self._links.chain_to(tool, grounded, rng))
        for tool in numbers(grounded.tools & ~expansion.tools):
            if expansion.tools.bit_count() < smallest:
                expansion.tools |= 1 << tool


class Expansion:
    """The tools of one task as they grow, breadth first.

    A tool is taken in only if tools that are in already give every id it must be given, and only
    after it was run.

    Attributes:
        tools: The tools so far.
    """

    def __init__(self, links: Links, rehearsal: Rehearsal, tools: ToolSet) -> None:
        """Start with the tools that are always in."""
        self._links, self._rehearsal = links, rehearsal
        self._refused: ToolSet = 0
        self.tools = tools

    def grow(self, most: int, rng: random.Random) -> None:
        """Take in up to a number of tools: those an edge leads to first, in random order."""
        edge = list(numbers(self.tools))
        most += self.tools.bit_count()
        while edge:
            followers: ToolSet = 0
            for tool in edge:
                followers |= self._links.followers[tool]
            near = [tool for tool in numbers(followers) if self._may_enter(tool)]
            edge = []
            for tool in rng.sample(near, len(near)):
                if self.tools.bit_count() >= most:
                    return
                if self.take(tool):
                    edge.append(tool)

    def take(self, tool: int) -> bool:
        """Take in a tool if it may enter and can be run; return whether it is in."""
        if self._may_enter(tool):
            if self._rehearsal.runs(tool, self.tools):
                self.tools |= 1 << tool
            else:
                self._refused |= 1 << tool
        return bool(self.tools >> tool & 1)

    def take_all(self, tools: Iterable[int]) -> None:
        """Add tools one by one, each if it can be called."""
        for tool in tools:
            self.take(tool)

    def _may_enter(self, tool: int) -> bool:
        new = self._links.all & ~(self.tools | self._refused)
        return bool(new >> tool & 1) and self._links.is_met(tool, self.tools)


def probability(complexity: float, share: float, outside: int, settings: SubsetSettings) -> float:
    """Return p: it grows with g and with the number of tools outside, and falls with c."""
    supply = 1 - math.exp(-outside / settings.supply)
    return share * supply / (1 + complexity / settings.burden)
