"""How many tasks of each difficulty there are to be."""

from __future__ import annotations

from collections import Counter

from toolworld.tasks.settings import LEVELS, Level

MIXED = "mixed"


class Quotas:
    """Counts tasks against what is wanted.

    Attributes:
        kept: How many there are, by difficulty.
    """

    def __init__(self, count: int, difficulty: str) -> None:
        """Want so many of one difficulty, or evenly of all when it is ``mixed``."""
        levels = [level for level in LEVELS if difficulty in (level, MIXED)]
        self._wanted = Counter({level: count // len(levels) for level in levels})
        self._wanted.update(levels[: count % len(levels)])
        self.kept: Counter[Level] = Counter()

    @property
    def missing(self) -> int:
        """How many are still wanted."""
        return self._wanted.total() - self.kept.total()

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
