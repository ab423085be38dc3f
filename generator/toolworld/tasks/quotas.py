"""How many tasks of each difficulty there are to be."""

from __future__ import annotations

from collections import Counter
from math import ceil

from toolworld.tasks.growth.settings import LEVELS, Level

MIXED = "mixed"
LEEWAY = 1.25
"""How much more than its even share there may be of a difficulty in a mix."""


class Quotas:
    """Counts tasks against what is wanted.

    Attributes:
        levels: The difficulties of which there are to be any.
        kept: How many there are, by difficulty.
    """

    def __init__(self, count: int, difficulty: str) -> None:
        """Want so many of one difficulty, or about evenly of all when it is ``mixed``."""
        self.levels = [level for level in LEVELS if difficulty in (level, MIXED)]
        self._count = count
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
        most = ceil(LEEWAY * self._share[level]) if len(self.levels) > 1 else self._count
        return self.missing > 0 and self.kept[level] < most

    @property
    def open_levels(self) -> list[Level]:
        """The difficulties of which more are wanted."""
        return [level for level in self.levels if self.wants(level)]

    def plan(self, attempts: int) -> list[Level]:
        """Return what the next attempts are to be, by what is missing."""
        planned: list[Level] = []
        short = self.short
        if len(short) > 1:
            # Of attempts at the others enough turn out to be of medium difficulty.
            short.pop("medium", None)
        for level, number in short.items():
            planned += [level] * max(1, round(attempts * number / sum(short.values())))
        return planned[:attempts]
