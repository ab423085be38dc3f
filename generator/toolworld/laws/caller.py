"""Finds calls that change something, with rows and values that tools have accepted."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolworld.graph.arguments import ArgumentMaker
from toolworld.graph.evidence import PlannedCall
from toolworld.graph.guard import Watch
from toolworld.graph.knowledge import Knowledge, Known, LinkedRows
from toolworld.graph.surface import Surface, ToolFacts, surface_of
from toolworld.jsonvalues import JsonObject
from toolworld.laws.choices import Choices, TakenKinds, values_beside
from toolworld.laws.episode import episode_of
from toolworld.laws.kinds import RowKinds
from toolworld.packages import Package
from toolworld.prove.code import Code

TRIES = 4
"""How often a tool is called until it changes something."""
MOST_ACCEPTED = 24
"""How many accepted arguments of each tool are remembered, to make others like them."""
EXPLORED = 0.15
"""How often a tool is given rows of any kind, and not those like the ones that it took."""
BESIDE, TRIED = 0.2, 4
"""How often values beside the limits of a tool and known sums are tried, and how many of each."""
BROKEN = "broken"
"""The code of a refusal by a tool that did what none may."""


@dataclass(frozen=True)
class RefusedCall:
    """A call that was refused."""

    call: PlannedCall
    code: str
    text: str


class ToolCaller:
    """Calls the tools of one episode that change something.

    Attributes:
        environment: The episode.
        surface: What the package says of its tools.
        writers: The tools that change something.
        near: The tools that touch the tables that a tool does, by its name.
        reached: The names of the tools of which a call changed something.
        calls: How many calls were made.
        refusals: The calls refused when a tool was last tried.
        vain: The last call of a tool that was last tried, if it changed nothing, and what laws
            about it name: the code of its refusal, or the tool if it was taken.
        result: What the last call gave, as JSON values.
        writes: What the last call changed.
    """

    def __init__(self, package: Package, rng: random.Random, watch: Watch) -> None:
        """Open the package.

        Args:
            package: The package.
            rng: Chooses rows and values.
            watch: Looks after the calls.
        """
        self._rng = rng
        self.environment = episode_of(package, watch)
        self.surface: Surface = surface_of(package)
        self.writers = [tool for tool in self.surface.tools.values() if not tool.read_only]
        self.near = {
            one.name: [other for other in self.writers if meet(one, other)] or self.writers
            for one in self.writers
        }
        self.reached: set[str] = set()
        self.calls = 0
        self.refusals: list[RefusedCall] = []
        self.vain: tuple[PlannedCall, str] | None = None
        self.result: dict[str, Any] = {}
        self.writes: Sequence[Any] = ()
        clock = package.modules.seed.default_base().clock
        self._world = LinkedRows(self.surface, self.environment.state())
        self._maker = ArgumentMaker(self._world, clock, rng)
        kinds = RowKinds(package, self.surface, clock.date())
        self._taken = TakenKinds(kinds, self.environment._database, rng)
        code = Code({one.file: one.text for one in package.tools_modules()})
        self._beside = {
            name: values_beside(code.values_of(name), clock.date()) for name in self.surface.tools
        }
        self._sums = [
            column
            for entity in self.surface.entities.values()
            for column, kind in entity.columns.items()
            if kind == "money"
        ]
        self._accepted: dict[str, list[JsonObject]] = {name: [] for name in self.surface.tools}

    def start(self, tool: ToolFacts) -> Knowledge:
        """Go back to the start, and return the values known around a row that a tool may take."""
        self.environment.reset()
        known = Knowledge(self._world)
        known.learn_rows(reversed(self._rows(tool)))
        return known

    def about(self, entity: str, key: str, known: Knowledge) -> Knowledge:
        """Return the known values, those of a row and its neighbours first."""
        about, rows = known.copy(), self._world.rows[entity]
        if key in rows:
            about.learn_rows(reversed(self._world.around_row(self._rng, entity, key)))
        row = self.row(entity, key)
        if row is not None:
            about.learn_rows([(entity, row.model_dump(mode="json"))])
        return about

    def row(self, entity: str, key: str) -> Any:
        """Return the current state of a row; None if it does not exist."""
        return self.environment._database.tables[self.surface.entities[entity].table].find(key)

    def changing(
        self,
        tool: ToolFacts,
        known: Knowledge,
        tries: int = TRIES,
        explored: float = EXPLORED,
    ) -> PlannedCall | None:
        """Return a call of a tool that changed something; None if a few tries found none.

        Args:
            tool: The tool; one that only looks has to be taken, no more.
            known: What is known; what the call shows is learnt.
            tries: How many calls are made at most.
            explored: How often it is given rows of any kind.
        """
        self.refusals, self.vain = [], None
        for _ in range(tries):
            choices = self._choices(tool, known, explored)
            if _lacking(tool, choices, known):
                return None
            arguments = self._maker.make(tool, choices, self._accepted[tool.name])
            kinds = self._taken.of_call(tool, arguments)
            call = PlannedCall(tool.name, arguments)
            refusal = self.call(call)
            if refusal is not None:
                self.refusals.append(refusal)
                self.vain = call, refusal.code
            elif self.writes or tool.read_only:
                self._taken.learn(tool, kinds)
                self._accept(tool, arguments)
                self._learn(known)
                self.vain = None
                return call
            else:
                self.vain = call, tool.name
        return None

    def call(self, call: PlannedCall) -> RefusedCall | None:
        """Make a call; return its refusal, if it is refused."""
        self.calls += 1
        result = self.environment.call(call.tool, call.arguments)
        self.result, self.writes = result.structured, ()
        if result.is_error:
            code = getattr(result, "code", BROKEN)
            return RefusedCall(call, code, result.text)
        self.writes = list(self.environment.trace)[-1].writes
        return None

    def _rows(self, tool: ToolFacts) -> list[tuple[str, Mapping[str, Any]]]:
        """Return rows around one that a tool may take."""
        rng, world = self._rng, self._world
        named = [entity for part in tool.parameters.values() for entity in part.entities]
        entity = rng.choice(named or [self.surface.home(tool)])
        likely = rng.random() > EXPLORED
        key = self._taken.key(tool, entity) if likely else self._taken.any_key(entity)
        return world.around_row(rng, entity, key) if key is not None else world.around(rng)

    def _choices(self, tool: ToolFacts, known: Knowledge, explored: float) -> Known:
        """Return the values to choose from: sometimes all known ones, sometimes limits first."""
        rng, beside = self._rng, self._beside[tool.name]
        if rng.random() < explored:
            return known
        if rng.random() > BESIDE:
            return Choices(tool, known, self._taken, ())
        sums = known.about(rng.choice(self._sums))[:TRIED] if self._sums else []
        tried = [*rng.sample(beside, min(len(beside), TRIED)), *sums]
        rng.shuffle(tried)
        return Choices(tool, known, self._taken, tried)

    def _accept(self, tool: ToolFacts, arguments: JsonObject) -> None:
        """Remember arguments that a tool took."""
        self.reached.add(tool.name)
        accepted = self._accepted[tool.name]
        if len(accepted) < MOST_ACCEPTED:
            accepted.append(arguments)
        else:
            accepted[self._rng.randrange(MOST_ACCEPTED)] = arguments

    def _learn(self, known: Knowledge) -> None:
        """Learn the rows that the last call changed."""
        rows = [(one.table, one.after) for one in self.writes if one.after is not None]
        known.learn_rows(
            (self.surface.entity_of_table(table), row.model_dump(mode="json"))
            for table, row in rows
        )


def meet(one: ToolFacts, other: ToolFacts) -> bool:
    """Return whether two tools touch a table that the second changes."""
    return bool(other.changed_tables & (one.changed_tables | one.read_tables))


def _lacking(tool: ToolFacts, choices: Known, known: Knowledge) -> bool:
    """Return whether rows that a tool needs are known, but it takes none of them."""
    return any(
        known.ids(named) and not choices.ids(named)
        for part in tool.parameters.values()
        if part.required
        for named in part.names.values()
    )
