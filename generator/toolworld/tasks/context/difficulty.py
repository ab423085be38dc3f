"""How hard a task is: figures of it, and a level that follows from them.

Length counts little: what makes a task hard is what must be read, compared and kept in mind. Each
figure gives a point from its first threshold on, and another one from its second; the level
follows from the sum. Where runs of agents exist, what they achieve goes before this level.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from toolworld.emit import Package
from toolworld.jsonvalues import leaves
from toolworld.tasks.context.replay import GoldCall, GoldReplay

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
        """Take the package that gold is run on."""
        self._replay = GoldReplay(package)

    def of(self, task: Mapping[str, Any], near_miss_rows: int = 0) -> Figures:
        """Return the figures of a task.

        Args:
            task: The task as JSON values.
            near_miss_rows: How many rows were laid over the data as near misses.

        Raises:
            ValueError: Gold does not run from the task's start.
        """
        played = self._replay.play(task["gold"], task.get("initial") or {})
        if played is None:
            raise ValueError("Gold does not run from the task's start; figures need one that does.")
        person: Mapping[str, Any] = task.get("person") or {}
        facts: Mapping[str, Mapping[str, Any]] = person.get("facts") or {}
        return Figures(
            compared=_compared(played.calls),
            dependent_writes=_dependent(played.calls),
            near_miss_rows=near_miss_rows,
            clauses=len(task.get("clauses") or ()),
            held_back=sum(not fact.get("said", True) for fact in facts.values()),
            behaviours=len(person.get("behaviours") or ()),
            calls=len(played.calls),
        )


def _compared(calls: Sequence[GoldCall]) -> int:
    """Return the most rows that are read between one write and the next."""
    most = rows = 0
    for call in calls:
        if call.changed:
            rows = 0
        elif call.result:
            rows += len(call.result.get("items", [call.result]))
        most = max(most, rows)
    return most


def _dependent(calls: Sequence[GoldCall]) -> int:
    """Return the length of the longest row of writes that name what the one before changed."""
    writes = [call for call in calls if call.changed]
    lengths: list[int] = []
    for number, call in enumerate(writes):
        named = {value for _, value in leaves(call.arguments)}
        before = (
            lengths[earlier]
            for earlier, other in enumerate(writes[:number])
            if named & {place.key for place in other.changed}
        )
        lengths.append(1 + max(before, default=0))
    return max(lengths, default=0)
