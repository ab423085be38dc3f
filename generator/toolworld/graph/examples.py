"""Successful calls of each tool, found by walking from the seed database."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toolworld.graph.arguments import ArgumentMaker
from toolworld.graph.evidence import PlannedCall
from toolworld.graph.guard import Guarded, Watch
from toolworld.graph.knowledge import Knowledge, LinkedRows
from toolworld.graph.outcomes import Moments, Outcomes
from toolworld.graph.surface import Surface, ToolFacts, surface_of
from toolworld.packages import Package

Json = Any

ENOUGH = 8
FEW = 3
MOST_EMPTY = 2
WALKS, MOST_WALKS = 40, 200
STEPS = 14
LONGEST_SETUP = 5
TRIES_A_STEP = 3


@dataclass(frozen=True)
class Example:
    """A successful call, with the moments around it.

    Attributes:
        setup: The calls that led to it.
        before: The moment before it, as a snapshot.
        after: The moment after it.
        known: What an agent could know after it: rows near by, its result, what it changed.
    """

    setup: tuple[PlannedCall, ...]
    call: PlannedCall
    result: Mapping[str, Json]
    before: Any
    after: Any
    known: Knowledge

    @property
    def empty(self) -> bool:
        """Whether it returned an empty page, which feeds nothing."""
        return self.result.get("items") == []


class Explorer:
    """A package being walked.

    Attributes:
        environment: The episode that is walked, its calls guarded.
        recorder: An episode to make evidence in, its calls guarded too.
        outcomes: What calls at the moments of examples came to.
        examples: What was found, by tool.
        accepted: The arguments of these calls.
        calls: How many calls were made.
    """

    def __init__(self, package: Package, seed: int) -> None:
        """Open the package."""
        self._package = package
        self.surface: Surface = surface_of(package)
        self._moments = Moments()
        self.watch_by(Watch())
        self.world = LinkedRows(self.surface, self.environment.state())
        self.clock = package.modules.seed.default_base().clock
        self.seed = seed
        self.calls = 0
        self.examples: dict[str, list[Example]] = {name: [] for name in self.surface.tools}
        self.accepted: dict[str, list[Mapping[str, Json]]] = {
            name: [] for name in self.surface.tools
        }

    def watch_by(self, watch: Watch) -> None:
        """Let a watch look after all calls from now on."""
        readers = frozenset(tool.name for tool in self.surface.tools.values() if tool.read_only)
        self.environment = Guarded(self._package.environment(), watch, readers)
        self.recorder = Guarded(self._package.environment(), watch)
        self.outcomes = Outcomes(self.environment)

    def adopt(self, examples: dict[str, list[Example]], calls: int) -> None:
        """Continue from the findings of another explorer of the same package and seed."""
        self.examples, self.calls = examples, calls
        self.accepted = {
            name: [example.call.arguments for example in found] for name, found in examples.items()
        }

    def warm_up(self) -> None:
        """Call each tool again, so that everything a package loads at first use is loaded."""
        for found in self.examples.values():
            for example in found[:1]:
                self.environment.restore(example.before)
                self.environment.call(example.call.tool, example.call.arguments)

    def rng(self, *about: object) -> random.Random:
        """Return random numbers that depend on the seed and a purpose."""
        return random.Random(":".join(map(str, (self.seed, *about))))  # noqa: S311

    def explore(self) -> None:
        """Walk until every tool has enough examples, or the budget is spent."""
        for number in range(MOST_WALKS):
            wanted = ENOUGH if number < WALKS else FEW
            for tool in self.surface.tools.values():
                if len(self.examples[tool.name]) < wanted:
                    self._walk(tool, number)
        for found in self.examples.values():
            found.sort(key=lambda example: (example.empty, len(example.setup)))
        self.adopt(self.examples, self.calls)

    def _walk(self, wanted: ToolFacts, number: int) -> None:
        """Make calls around some row, the wanted tool first and again after each that did."""
        rng = self.rng("walk", wanted.name, number)
        maker = ArgumentMaker(self.world, self.clock, rng)
        self.environment.reset()
        known = Knowledge(self.world)
        setup: tuple[PlannedCall, ...] = ()
        known.learn_rows(reversed(self.world.around(rng, self._start(wanted, rng))))
        for tool in self._order(wanted, rng):
            example = self._step(tool, known, setup, maker)
            if example is None:
                continue
            self._keep(example, tool)
            if tool is wanted and rng.random() < 0.5:
                return
            known = example.known
            setup = setup if tool.read_only else (*setup, example.call)
            if len(setup) > LONGEST_SETUP:
                return

    def _start(self, tool: ToolFacts, rng: random.Random) -> str:
        """Return an entity to start from: one the tool takes, or the one it returns."""
        named = [entity for part in tool.parameters.values() for entity in part.entities]
        return rng.choice([*named, self.surface.home(tool)])

    def _order(self, wanted: ToolFacts, rng: random.Random) -> Iterator[ToolFacts]:
        writers = [tool for tool in self.surface.tools.values() if not tool.read_only]
        near = [tool for tool in writers if tool.changed_tables & wanted.read_tables] or writers
        yield wanted
        for _ in range(STEPS if near else 0):
            yield rng.choice(near)
            yield wanted

    def _step(
        self,
        tool: ToolFacts,
        known: Knowledge,
        setup: tuple[PlannedCall, ...],
        maker: ArgumentMaker,
    ) -> Example | None:
        environment = self.environment
        before = self._moments.now(environment)
        for _ in range(TRIES_A_STEP):
            arguments = maker.make(tool, known, self.accepted[tool.name])
            self.calls += 1
            result = environment.call(tool.name, arguments)
            if not result.is_error:
                call, given = PlannedCall(tool.name, arguments), result.structured
                learnt = self._learnt(tool, known, given)
                return Example(setup, call, given, before, self._moments.now(environment), learnt)
        return None

    def _learnt(self, tool: ToolFacts, known: Knowledge, result: Mapping[str, Json]) -> Knowledge:
        learnt = known.copy()
        if not tool.read_only:
            learnt.learn_rows(
                (self.surface.entity_of_table(change.table), change.after or change.before)
                for change in self.environment.diff()
            )
        learnt.learn_result(result, tool.result_names)
        return learnt

    def _keep(self, example: Example, tool: ToolFacts) -> None:
        found = self.examples[tool.name]
        room = MOST_EMPTY if example.empty else ENOUGH * 2
        alike = sum(other.empty == example.empty for other in found)
        if alike < room and all(example.call != other.call for other in found):
            found.append(example)
            self.accepted[tool.name].append(example.call.arguments)
