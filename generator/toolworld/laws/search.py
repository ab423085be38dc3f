"""The search for episodes that break a law: tools that touch the same tables, on the same rows."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from toolworld.graph.evidence import PlannedCall
from toolworld.graph.guard import Watch
from toolworld.graph.knowledge import Knowledge
from toolworld.graph.surface import ToolFacts
from toolworld.laws.caller import BROKEN, ToolCaller, meet
from toolworld.laws.checker import LawChecker
from toolworld.laws.episode import EpisodeShortener
from toolworld.laws.law import Law
from toolworld.packages import Package

STEPS = 12
"""How many tools an episode tries to call."""
LONGEST = 16
"""How many calls an episode has at most."""
FURTHER, MOST_PREFIXES = 0.7, 4
"""How often an episode goes on where another was, and how many places after any two tools are
remembered."""
PLANNED = 0.7
"""How often the next tool is the one that is planned, and not any near one."""
LOOKED = 0.2
"""How often a tool that only looks, and that some law names, is called after one that changed."""


@dataclass(frozen=True)
class Breach:
    """An episode that breaks a law.

    Attributes:
        law: The law's name.
        calls: The calls, the last of which breaks it; none if the seed data do.
        row: The key of a row of the seed data that breaks it; else empty.
    """

    law: str
    calls: tuple[PlannedCall, ...]
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

    calls: tuple[PlannedCall, ...]
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
        lawful: Those of which such a call broke no law.
        broke: The shortest episode in which each tool did what none may.
    """

    breaches: list[Breach]
    asked: set[str]
    failed: dict[str, str]
    calls: int
    reached: set[str]
    lawful: set[str]
    broke: Mapping[str, tuple[PlannedCall, ...]]


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
        self._rng = random.Random(seed)  # noqa: S311 - no secret
        self._caller = ToolCaller(package, self._rng, watch)
        self._environment = self._caller.environment
        self._checker = LawChecker(package, laws, watch)
        self._shortener = EpisodeShortener(self._environment, self._checker)
        self._laws = frozenset(law.name for law in laws)
        self._named = frozenset[str]().union(*(law.names for law in laws))
        tools = self._caller.surface.tools.values()
        self._looking = [tool for tool in tools if tool.read_only and tool.name in self._named]
        self._lawful: set[str] = set()
        self._breaches: dict[tuple[str, str], Breach] = {}
        self._prefixes: dict[tuple[str, ...], list[Prefix]] = {}
        self._broke: dict[str, tuple[PlannedCall, ...]] = {}

    def run(self, calls: int, only_one: bool = False) -> Searched:
        """Make episodes until so many calls were made, or, if wanted, until one law is broken."""
        caller, plans = self._caller, self._plans()
        while caller.calls < calls and caller.writers and not (only_one and self._breaches):
            self._episode(next(plans))
        return Searched(
            [self._breaches[key] for key in sorted(self._breaches)],
            self._checker.asked,
            self._checker.failed,
            caller.calls,
            caller.reached,
            self._lawful,
            self._broke,
        )

    def _plans(self) -> Iterator[tuple[ToolFacts, ...]]:
        """Yield plans: every two tools that touch one table, then random threes."""
        every = list(product(self._caller.writers, repeat=2))
        meeting = [two for two in every if meet(*two)] or every
        pairs = [two for two in meeting if {one.name for one in two} & {*self._focus}] or meeting
        while True:
            self._rng.shuffle(pairs)
            yield from pairs
            for first, second in pairs:
                yield first, second, self._rng.choice(self._caller.near[second.name])

    def _episode(self, plan: Sequence[ToolFacts]) -> None:
        """Call the tools of a plan, with others between, from the start or an earlier moment."""
        rng, waiting = self._rng, list(plan)
        begun = self._begun(plan)
        calls, known = list(begun.calls), begun.known.copy()
        for _ in range(STEPS):
            planned = bool(waiting) and rng.random() < PLANNED
            tool = waiting[0] if planned else rng.choice(self._caller.near[plan[-1].name])
            call = self._caller.changing(tool, known)
            self._take_broken(calls)
            if call is None:
                if self._take_vain(calls):
                    return
                continue
            waiting = waiting[1:] if planned else waiting
            calls.append(call)
            is_over = self._take_breaches(calls) or len(calls) == LONGEST
            is_over = is_over or self._look(calls, known)
            if is_over or (not waiting and rng.random() < 0.5):
                return
            self._remember(calls, known)

    def _begun(self, plan: Sequence[ToolFacts]) -> Prefix:
        """Return the beginning of an episode: around a row, or at a state of an earlier episode."""
        rng, environment = self._rng, self._environment
        if self._prefixes and rng.random() < FURTHER:
            prefix = rng.choice(self._prefixes[rng.choice(list(self._prefixes))])
            environment.restore(prefix.moment)
            return prefix
        known = self._caller.start(rng.choice(plan))
        return Prefix((), environment.snapshot(), known)

    def _remember(self, calls: Sequence[PlannedCall], known: Knowledge) -> None:
        """Keep the present moment as a start for later episodes."""
        alike = self._prefixes.setdefault(tuple(call.tool for call in calls[-2:]), [])
        prefix = Prefix(tuple(calls), self._environment.snapshot(), known.copy())
        if len(alike) < MOST_PREFIXES:
            alike.append(prefix)
        else:
            alike[self._rng.randrange(MOST_PREFIXES)] = prefix

    def _look(self, calls: Sequence[PlannedCall], known: Knowledge) -> bool:
        """At times call a tool that only looks, if laws name any; say whether that broke one."""
        if not self._looking or self._rng.random() > LOOKED:
            return False
        call = self._caller.changing(self._rng.choice(self._looking), known)
        return call is not None and self._take_breaches([*calls, call])

    def _take_vain(self, calls: Sequence[PlannedCall]) -> bool:
        """Check the laws that name a call, or its refusal, that left the state unchanged."""
        if self._caller.vain is None:
            return False
        call, named = self._caller.vain
        return named in self._named and self._take_breaches([*calls, call])

    def _take_broken(self, calls: Sequence[PlannedCall]) -> None:
        """Keep the episode that shows a broken tool."""
        for refusal in self._caller.refusals:
            episode, known = (*calls, refusal.call), self._broke.get(refusal.call.tool)
            if refusal.code == BROKEN and (known is None or len(episode) < len(known)):
                self._broke[refusal.call.tool] = episode

    def _take_breaches(self, calls: Sequence[PlannedCall]) -> bool:
        """Keep the laws that the last call is the first to break, each by its shortest episode.

        Returns:
            Whether there are any.
        """
        last = calls[-1].tool
        broken = self._checker.broken(self._environment, self._laws)
        if not broken and self._caller.writes:
            self._lawful.add(last)
        new = [law for law in broken if (law.name, last) not in self._breaches]
        for law in new:
            shortest = self._shortener.shortest(law, calls)
            if shortest:
                self._breaches[law.name, last] = Breach(law.name, shortest)
        return bool(new)
