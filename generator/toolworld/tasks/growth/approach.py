"""How near an episode has come to a goal, as the package grades it; steps off the way are undone.

Grading searches for what each change stands for. Most changes of a search lead nowhere, which
shows in the columns that are compared to the letter: those are not graded at all.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from toolworld.emit import Package
from toolworld.graph.surface import ToolFacts
from toolworld.tasks.certificate.goal import Columns
from toolworld.tasks.episodes import Episode

Json = Any

LONGEST_HEARD = 3000
"""How much of a result is looked through for an answer."""


class Goals:
    """Reads and grades the goals of a package."""

    def __init__(self, package: Package) -> None:
        """Take the package's own grading."""
        self._goal = package.module("task").Goal
        self._grading = package.module("grading")
        self._schemas = package.module("models").SCHEMAS
        self._columns = Columns(package)
        self.says = package.module("answers").contains_answer

    def of_changes(self, goal: Mapping[str, Json]) -> Any:
        """Return a goal of changes alone: what a call says is looked at as it comes."""
        return self._goal.model_validate({"changes": goal["changes"], "answers": []})

    def grade(self, goal: Any, changes: Sequence[Any]) -> Any:
        """Return the package's grade of changes."""
        return self._grading.grade(goal, changes, None, self._schemas)

    def letters(self, changes: Sequence[Any]) -> Counter[Hashable]:
        """Return how many changes have in common what they need to stand for each other."""
        alike = self._columns.by_letters(changes)
        return Counter({letters: len(found) for letters, found in alike.items()})


class Approach:
    """The way of an episode to a goal.

    Attributes:
        tables: Where something is to be changed.
        reached: Whether the goal is.
    """

    def __init__(self, goals: Goals, episode: Episode, goal: Mapping[str, Json]) -> None:
        """Take an episode of the task, at its start."""
        self._goals = goals
        self._episode = episode
        self._goal = goals.of_changes(goal)
        self._wanted = goals.letters(self._goal.changes)
        self._answers = list(goal["answers"])
        self._heard: deque[str] = deque()
        self.tables = {change["table"] for change in goal["changes"]}
        # Nothing is changed yet.
        self._changed = not self._wanted
        self._score = float(self._changed)

    @property
    def reached(self) -> bool:
        """Whether every change is made and every answer was seen."""
        # What was said is only gone through once it can decide: most searches end before.
        while self._changed and self._answers and self._heard:
            text = self._heard.popleft()
            says = self._goals.says
            self._answers = [answer for answer in self._answers if not says(text, answer)]
        return self._changed and not self._answers

    def make(self, tool: ToolFacts, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
        """Make a call, unless it is a change that leads no nearer; return what it gave."""
        before = self._episode.now()
        result = self._episode.call(tool.name, arguments)
        if result.is_error:
            return {}
        if not tool.read_only and not self._is_nearer():
            self._episode.go(before)
            return {}
        if self._answers:
            self._heard.append(result.text[:LONGEST_HEARD])
        return result.structured

    def _is_nearer(self) -> bool:
        """Whether the score is higher than ever; it is kept then."""
        changes = self._episode.diff()
        if self._highest(changes) <= self._score:
            return False
        grade = self._goals.grade(self._goal, changes)
        if grade.score <= self._score:
            return False
        self._score, self._changed = grade.score, grade.reward == 1.0
        return True

    def _highest(self, changes: Sequence[Any]) -> float:
        """Return the score if every change that could stand for a wanted one did."""
        letters = self._goals.letters(changes)
        pairs = (letters & self._wanted).total()
        total = self._wanted.total() + letters.total() - pairs
        return pairs / total if total else 1.0
