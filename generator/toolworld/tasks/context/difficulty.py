"""How hard a task is: figures of it, and a level that follows from them.

Length counts little: what makes a task hard is what must be read, compared and kept in mind. Each
figure gives a point from its first threshold on, and another one from its second; the level
follows from the sum. Where runs of agents exist, what they achieve goes before this level.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from toolworld.jsonvalues import texts
from toolworld.packages import Package
from toolworld.tasks.execute import PlayedStep, Playthrough, StateComparison
from toolworld.tasks.execute.playthrough import rows_of

Level: TypeAlias = Literal["easy", "medium", "hard"]
LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")

THRESHOLDS: Mapping[str, tuple[int, int]] = {
    "compared": (3, 8),
    "dependent_writes": (2, 3),
    "near_miss_rows": (1, 10),
    "clauses": (2, 4),
    "held_back": (1, 3),
    "behaviours": (1, 2),
    "calls": (6, 11),
}
MEDIUM_POINTS, HARD_POINTS = 3, 6


@dataclass(frozen=True)
class Figures:
    """What is measured of a task.

    Attributes:
        compared: The most rows that gold reads for one write.
        dependent_writes: The most writes of which each builds on the one before it.
        near_miss_rows: The rows laid over the data that could be taken for those that are meant.
        clauses: The clauses of the policy that decide.
        held_back: The facts that the person only tells when asked.
        behaviours: What makes the person hard to deal with.
        calls: The calls of gold.
    """

    compared: int
    dependent_writes: int
    near_miss_rows: int
    clauses: int
    held_back: int
    behaviours: int
    calls: int

    @property
    def points(self) -> int:
        """The sum of the points that the figures give."""
        found = asdict(self)
        return sum(
            found[name] >= threshold for name, both in THRESHOLDS.items() for threshold in both
        )

    @property
    def level(self) -> Level:
        """The level that follows from the points."""
        if self.points >= HARD_POINTS:
            return "hard"
        return "medium" if self.points >= MEDIUM_POINTS else "easy"

    def as_json(self) -> dict[str, Any]:
        """Return them as a task has them, the level first."""
        return {"level": self.level, **asdict(self)}


class Difficulty:
    """Measures tasks of a package."""

    def __init__(self, package: Package) -> None:
        """Take the package whose tasks they are."""
        self._comparison = StateComparison(package)

    def of(self, run: Playthrough, near_miss_rows: int = 0) -> Figures:
        """Return the figures of a task.

        Args:
            run: Its gold as it ran.
            near_miss_rows: How many rows were laid over the data as near misses.
        """
        person: Any = getattr(run.task, "person", None)
        facts = person.facts.values() if person is not None else ()
        return Figures(
            compared=_compared(run.steps),
            dependent_writes=_dependent(run.steps, self._changed_by(run)),
            near_miss_rows=near_miss_rows,
            clauses=len(getattr(run.task, "clauses", ())),
            held_back=sum(not fact.said for fact in facts),
            behaviours=len(person.behaviours) if person is not None else 0,
            calls=sum(bool(step.step.tool) for step in run.steps),
        )

    def _changed_by(self, run: Playthrough) -> list[frozenset[str]]:
        """Return the keys of the rows that each step changed."""
        moments = [*(rows_of(step.before) for step in run.steps), run.end_rows]
        return [
            frozenset(row.key for row in self._comparison.differing(before, after))
            for before, after in pairwise(moments)
        ]


def _compared(steps: Sequence[PlayedStep]) -> int:
    """Return the most rows that are read between one write and the next."""
    most = rows = 0
    for step in steps:
        if step.wrote:
            rows = 0
        elif step.structured:
            items = step.structured.get("items")
            rows += len(items) if isinstance(items, list) else 1
        most = max(most, rows)
    return most


def _dependent(steps: Sequence[PlayedStep], changed: Sequence[frozenset[str]]) -> int:
    """Return the length of the longest chain of writes, each naming a row the last changed."""
    lengths: dict[int, int] = {}
    for step in steps:
        if step.wrote:
            named = set(texts(step.arguments))
            before = (length for index, length in lengths.items() if named & changed[index])
            lengths[step.index] = 1 + max(before, default=0)
    return max(lengths.values(), default=0)
