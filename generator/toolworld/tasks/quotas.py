"""How many tasks of each difficulty there are to be."""

from __future__ import annotations

from collections import Counter

from toolworld.tasks.settings import LEVELS, Level

MIXED = "mixed"


class Quotas:
    """Counts tasks against what is wanted.

    Attributes:
        levels: The difficulties of which there are to be any.
        kept: How many there are, by difficulty.
    """

    def __init__(self, count: int, difficulty: str) -> None:
        """Want so many of one difficulty, or evenly of all when it is ``mixed``."""
        self.levels = [level for level in LEVELS if difficulty in (level, MIXED)]
        self._wanted = Counter({level: count // len(self.levels) for level in self.levels})
        self._wanted.update(self.levels[: count % len(self.levels)])
        self.kept: Counter[Level] = Counter()

    @property
    def missing(self) -> int:
        """How many are still wanted."""
        return self._wanted.total() - self.kept.total()

    @property
    def short(self) -> dict[Level, int]:
        """How many are missing, by difficulty."""
        return {level: self._wanted[level] - self.kept[level] for level in self.open_levels}

    def wants(self, level: Level) -> bool:
        """Whether one more of a difficulty is wanted."""
        return self.kept[level] < self._wanted[level]

    @property
    def open_levels(self) -> list[Level]:
        """The difficulties of which more are wanted."""
        return [level for level in LEVELS if self.wants(level)]

    def plan(self, attempts: int) -> list[Level]:
        """Return what the next attempts are to be, by what is missing."""
        planned: list[Level] = []
        for level in self.open_levels:
            missing = self._wanted[level] - self.kept[level]
            planned += [level] * max(1, round(attempts * missing / self.missing))
        return planned[:attempts]
