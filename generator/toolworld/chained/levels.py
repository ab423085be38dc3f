"""How hard tasks are to be: as many of each level as are wanted, and how long a chain for that."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from toolworld.emit.gold import EASY_STEPS, MEDIUM_STEPS
from toolworld.tasks.context import LEVELS, Level

MIXED = "mixed"
LEEWAY = 1.25
"""How much more than its even share there may be of a difficulty in a mix."""
STEPS: Mapping[Level, tuple[int, int]] = {
    "easy": (1, EASY_STEPS),
    "medium": (EASY_STEPS + 1, MEDIUM_STEPS),
    "hard": (MEDIUM_STEPS + 1, 13),
}
"""How many steps a draft is to have."""
SAID_BY_KEY: Mapping[Level, float] = {"easy": 0.75, "medium": 0.3, "hard": 0.15}
"""How often a person says a key that they know, though a look-up would give it."""


def level_of(steps: int) -> Level:
    """Return the level of a chain of so many steps, as hand-written tasks have it."""
    return next((level for level in LEVELS if steps <= STEPS[level][1]), "hard")


@dataclass(frozen=True)
class Aim:
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

    def steps(self, begun: int, rng: random.Random) -> int:
        """Return how many steps a chain is to have that needs so many as it begins.

        One that begins too long is left as it is where tasks of that length may be made.
        """
        if begun > STEPS[self.level][1] and level_of(begun) in self.levels:
            return begun
        return rng.randint(*STEPS[self.level])


class Quotas:
    """Counts tasks against what is wanted.

    Attributes:
        levels: The difficulties of which there are to be any.
        kept: How many there are, by difficulty.
    """

    _leeway: float

    def __init__(self, count: int, difficulty: str) -> None:
        """Want so many of one difficulty, or about evenly of all when it is ``mixed``."""
        self.levels = [level for level in LEVELS if difficulty in (level, MIXED)]
        self._count, self._leeway = count, LEEWAY
        self._share = Counter({level: count // len(self.levels) for level in self.levels})
        self._share.update(self.levels[: count % len(self.levels)])
        self.kept: Counter[Level] = Counter()

    @property
    def missing(self) -> int:
        """How many are still wanted."""
        return self._count - self.kept.total()

    @property
    def short(self) -> dict[Level, int]:
        """By how many each difficulty is short of its share; empty when nothing is missing."""
        if not self.missing:
            return {}
        short = {level: self._share[level] - self.kept[level] for level in self.levels}
        return {level: number for level, number in short.items() if number > 0}

    def wants(self, level: Level) -> bool:
        """Whether one more of a difficulty is wanted."""
        most = ceil(self._leeway * self._share[level]) if len(self.levels) > 1 else self._count
        return self.missing > 0 and self.kept[level] < most

    def relax(self) -> None:
        """Want any mix from now on: a difficulty that nothing comes of is made up for."""
        self._leeway = float(self._count)

    @property
    def open_levels(self) -> list[Level]:
        """The difficulties of which more are wanted."""
        return [level for level in self.levels if self.wants(level)]

    def plan(self, attempts: int) -> list[Level]:
        """Return what the next attempts are to be, by what is missing."""
        planned: list[Level] = []
        short = self.short
        for level, number in short.items():
            planned += [level] * max(1, round(attempts * number / sum(short.values())))
        return planned[:attempts]
