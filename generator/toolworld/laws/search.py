"""The search for episodes that break a law: tools that touch the same tables, on the same rows."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from toolworld.emit import Package
from toolworld.graph.arguments import ArgumentMaker
from toolworld.graph.evidence import Call
from toolworld.graph.guard import Watch
from toolworld.graph.knowledge import Knowledge, World
from toolworld.graph.surface import Surface, ToolFacts, surface_of
from toolworld.graph.values import at
from toolworld.jsonvalues import JsonObject
from toolworld.laws.checker import LawChecker
from toolworld.laws.episode import EpisodeShortener, episode_of
from toolworld.laws.law import Law

STEPS, TRIES = 12, 4
"""How many tools an episode tries to call, and how often each."""
MOST_ACCEPTED = 24
"""How many accepted arguments of each tool are remembered, to make others like them."""
LONGEST = 16
"""How many calls an episode has at most."""
FURTHER, MOST_PREFIXES = 0.7, 4
"""How often an episode goes on where another was, and how many places after any two tools are
remembered."""
PLANNED = 0.7
"""How often the next tool is the one that is planned, and not any near one."""


@dataclass(frozen=True)
class Breach:
    """An episode that breaks a law.

    Attributes:
        law: The law's name.
        calls: The calls, the last of which breaks it; none if the seed data do.
        row: The key of a row of the seed data that breaks it; else empty.
    """

    law: str
    calls: tuple[Call, ...]
    row: str = ""

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools called, in order."""
        return tuple(call.tool for call in self.calls)


@dataclass(frozen=True)
class Prefix:
    """What an episode begins with.

    Attributes:
        calls: The calls that were made.
        moment: Where they led.
        known: What an agent could know there.
    """

    calls: tuple[Call, ...]
    moment: Any
    known: Knowledge


@dataclass
class Searched:
    """What one part of the search came to.

    Attributes:
        breaches: The episodes found, one for each law and tool that breaks it.
        asked: The names of the laws that were asked about something.
        failed: What each law raised that failed, by its name.
        calls: How many calls were made.
        reached: The tools of which a call changed something.
    """

    breaches: list[Breach]
    asked: set[str]
    failed: dict[str, str]
    calls: int
    reached: set[str]


class EpisodeSearch:
    """Makes episodes and asks the laws after each call that changes something."""

    def __init__(
        self,
        package: Package,
        laws: Sequence[Law],
        seed: str,
        watch: Watch,
        focus: Collection[str] = (),
    ) -> None:
        """Open the package.

        Args:
            package: The package.
            laws: Its laws.
            seed: Varies the episodes.
            watch: Looks after the calls.
            focus: Tools of which one is in every plan; none for any.
        """
        self._focus = focus
        self._surface: Surface = surface_of(package)
        self._environment = episode_of(package, watch)
        self._checker = LawChecker(package, laws, watch)
        self._shortener = EpisodeShortener(self._environment, self._checker)
        self._laws = [law.name for law in laws]
        self._rng = random.Random(seed)  # noqa: S311 - no secret
        self._world = World(self._surface, self._environment.state())
        clock = package.module("seed").default_base().clock
        self._maker = ArgumentMaker(self._world, clock, self._rng)
        self._writers = [tool for tool in self._surface.tools.values() if not tool.read_only]
        self._near = {
            one.name: [other for other in self._writers if _meet(one, other)] or self._writers
            for one in self._writers
        }
        self._accepted: dict[str, list[JsonObject]] = {one.name: [] for one in self._writers}
        self._breaches: dict[tuple[str, str], Breach] = {}
        self._prefixes: dict[tuple[str, ...], list[Prefix]] = {}
        self._reached: set[str] = set()
        self._calls = 0

    def run(self, calls: int, only_one: bool = False) -> Searched:
        """Make episodes until so many calls were made, or, if wanted, until one law is broken."""
        plans = self._plans()
        while self._calls < calls and self._writers and not (only_one and self._breaches):
            self._episode(next(plans))
        return Searched(
            [self._breaches[key] for key in sorted(self._breaches)],
            self._checker.asked,
            self._checker.failed,
            self._calls,
            self._reached,
        )

    def _plans(self) -> Iterator[tuple[ToolFacts, ...]]:
        """Yield tools to call one after the other: each two that touch a table, then any three."""
        every = list(product(self._writers, repeat=2))
        meeting = [two for two in every if _meet(*two)] or every
        pairs = [two for two in meeting if {one.name for one in two} & {*self._focus}] or meeting
        while True:
            self._rng.shuffle(pairs)
            yield from pairs
            for first, second in pairs:
                yield first, second, self._rng.choice(self._near[second.name])

    def _episode(self, plan: Sequence[ToolFacts]) -> None:
        """Call the tools of a plan, others between them, where an episode begins or was before."""
        rng, waiting = self._rng, list(plan)
        begun = self._begun(plan)
        calls, known = list(begun.calls), begun.known.copy()
        for _ in range(STEPS):
            planned = bool(waiting) and rng.random() < PLANNED
            tool = waiting[0] if planned else rng.choice(self._near[plan[-1].name])
            call = self._called(tool, known)
            if call is None:
                continue
            waiting = waiting[1:] if planned else waiting
            calls.append(call)
            is_over = self._take_breaches(calls) or len(calls) == LONGEST
            if is_over or (not waiting and rng.random() < 0.5):
                return
            self._remember(calls, known)

    def _begun(self, plan: Sequence[ToolFacts]) -> Prefix:
        """Return where an episode begins: around some row, or where another episode was."""
        rng, environment = self._rng, self._environment
        if self._prefixes and rng.random() < FURTHER:
            prefix = rng.choice(self._prefixes[rng.choice(list(self._prefixes))])
            environment.restore(prefix.moment)
            return prefix
        environment.reset()
        known = Knowledge(self._world)
        known.learn_rows(reversed(self._rows(rng.choice(plan))))
        return Prefix((), environment.snapshot(), known)

    def _remember(self, calls: Sequence[Call], known: Knowledge) -> None:
        """Keep the present moment, from which another episode may go on."""
        alike = self._prefixes.setdefault(tuple(call.tool for call in calls[-2:]), [])
        prefix = Prefix(tuple(calls), self._environment.snapshot(), known.copy())
        if len(alike) < MOST_PREFIXES:
            alike.append(prefix)
        else:
            alike[self._rng.randrange(MOST_PREFIXES)] = prefix

    def _rows(self, tool: ToolFacts) -> list[tuple[str, Mapping[str, Any]]]:
        """Return rows around one that a tool took before, or around one of a kind that it takes."""
        rng, world = self._rng, self._world
        taken = [
            (entity, key)
            for arguments in self._accepted[tool.name]
            for part in tool.parameters.values()
            for path, entity in part.ids.items()
            for key in at(arguments, path)
            if key in world.rows[entity]
        ]
        if taken:
            return world.around_row(rng, *rng.choice(taken))
        named = [entity for part in tool.parameters.values() for entity in part.entities]
        return world.around(rng, rng.choice([*named, self._surface.home(tool)]))

    def _called(self, tool: ToolFacts, known: Knowledge) -> Call | None:
        """Return a call of a tool that changed something; None if there is none in a few tries."""
        environment, accepted = self._environment, self._accepted[tool.name]
        for _ in range(TRIES):
            arguments = self._maker.make(tool, known, accepted)
            self._calls += 1
            result = environment.call(tool.name, arguments)
            writes = () if result.is_error else list(environment.trace)[-1].writes
            if not writes:
                continue
            self._learn(tool, known, writes, result.structured)
            self._reached.add(tool.name)
            if len(accepted) < MOST_ACCEPTED:
                accepted.append(arguments)
            else:
                accepted[self._rng.randrange(MOST_ACCEPTED)] = arguments
            return Call(tool.name, arguments)
        return None

    def _learn(
        self, tool: ToolFacts, known: Knowledge, writes: Sequence[Any], result: Mapping[str, Any]
    ) -> None:
        rows = [(one.table, one.after) for one in writes if one.after is not None]
        known.learn_rows(
            (self._surface.entity_of_table(table), row.model_dump(mode="json"))
            for table, row in rows
        )
        known.learn_result(result, tool.result_names)

    def _take_breaches(self, calls: Sequence[Call]) -> bool:
        """Keep the laws that the last call broke, each by its shortest episode."""
        last = calls[-1].tool
        wanted = {name for name in self._laws if (name, last) not in self._breaches}
        broken = self._checker.broken(self._environment, wanted)
        for law in broken:
            shortest = self._shortener.shortest(law, calls)
            if shortest:
                self._breaches[law.name, last] = Breach(law.name, shortest)
        return bool(broken)


def _meet(one: ToolFacts, other: ToolFacts) -> bool:
    """Return whether two tools touch a table that the second changes."""
    return bool(other.changed_tables & (one.changed_tables | one.read_tables))
