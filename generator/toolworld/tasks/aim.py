"""How hard an attempt is to be, and how long its chain for that."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from toolworld.tasks.growth.settings import LEVELS, Level

STEPS: Mapping[Level, tuple[int, int]] = {"easy": (1, 3), "medium": (4, 7), "hard": (8, 13)}
"""How many steps a draft is to have."""
SAID_BY_KEY: Mapping[Level, float] = {"easy": 0.75, "medium": 0.3, "hard": 0.15}
"""How often a person says a key that they know, though a look-up would give it."""


@dataclass(frozen=True)
class Wanted:
    """What an attempt is to bring.

    Attributes:
        number: Which attempt it is: it decides all that is chosen by chance.
        level: How hard the task is to be.
        levels: How hard it may turn out to be.
    """

    number: int
    level: Level
    levels: frozenset[Level]

    @property
    def longest(self) -> int:
        """The most steps that its draft may have."""
        return max(STEPS[level][1] for level in self.levels)


class Aim:
    """What an attempt goes for: what was wanted, until its chain begins too long for that.

    Attributes:
        level: How hard the task is to be.
    """

    def __init__(self, wanted: Wanted, rng: random.Random) -> None:
        """Go for what is wanted."""
        self.level = wanted.level
        self._levels, self._rng = wanted.levels, rng

    @property
    def said_by_key(self) -> float:
        """How often a person is to say a key that they know."""
        return SAID_BY_KEY[self.level]

    def steps(self, begun: int) -> int:
        """Return how many steps a chain is to have.

        One that begins too long is left as it is where tasks of that length may be made, else
        it is to become a harder one.

        Args:
            begun: How many steps it needs as it begins.
        """
        harder = [level for level in LEVELS if begun <= STEPS[level][1]]
        if self.level not in harder and self._levels.isdisjoint(harder[:1]):
            self.level = next((level for level in harder if level in self._levels), self.level)
        return self._rng.randint(*STEPS[self.level])
