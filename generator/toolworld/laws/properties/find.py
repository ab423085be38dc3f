"""The search for suspects: each property looks at states of its own."""

from __future__ import annotations

import random
from collections.abc import Mapping

from toolworld.graph.guard import Watch
from toolworld.laws.caller import ToolCaller
from toolworld.laws.properties.advice import AdviceWorks
from toolworld.laws.properties.creation import SeedAccepted
from toolworld.laws.properties.detours import NoFreeDetour
from toolworld.laws.properties.ends import NoDeadEnds
from toolworld.laws.properties.pairs import EitherOrder, GuardBothWays
from toolworld.laws.properties.property import Property
from toolworld.laws.properties.seed import SeedPatterns
from toolworld.laws.properties.splits import CapsOfAll, TwoForOne
from toolworld.laws.properties.states import EpisodeStates
from toolworld.laws.properties.sums import Conserved, QuoteIsAct
from toolworld.laws.properties.suspect import Suspect, shortest
from toolworld.laws.properties.totals import Totals
from toolworld.packages import Package

PROPERTIES: Mapping[str, type[Property]] = {
    "advice_works": AdviceWorks,
    "caps_of_all": CapsOfAll,
    "conserved": Conserved,
    "either_order": EitherOrder,
    "guard_both_ways": GuardBothWays,
    "no_dead_ends": NoDeadEnds,
    "no_free_detour": NoFreeDetour,
    "quote_is_act": QuoteIsAct,
    "seed_accepted": SeedAccepted,
    "seed_pattern": SeedPatterns,
    "two_for_one": TwoForOne,
}


def find_suspects(
    package: Package, name: str, seed: str, calls: int, watch: Watch
) -> list[Suspect]:
    """Return the suspects of a package, those with the shortest episodes first.

    Args:
        package: The package.
        name: The property, one of ``PROPERTIES``.
        seed: Varies the states.
        calls: How many calls are made, about.
        watch: Looks after the calls.
    """
    rng = random.Random(seed)  # noqa: S311 - no secret
    caller = ToolCaller(package, rng, watch)
    states = EpisodeStates(caller, rng)
    looking = PROPERTIES[name](states, Totals(package))
    found: list[Suspect] = []
    # A state may need no call: where nothing can be called, there are only so many.
    for _ in range(calls if caller.writers else 0):
        if caller.calls >= calls:
            break
        found += looking.look(states.next())
    return shortest([*found, *looking.end()])
