"""A goal, graded as the package does, after a quick look whether a state can be it at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from toolworld.emit import Package

Json = Any


class Goal:
    """A goal, ready to be compared with many states.

    The quick look sees only what grading compares to the letter: which rows are changed, and of
    each the columns that must be equal and name no row. Most wrong states differ there.
    """

    def __init__(self, package: Package, goal: Mapping[str, Json], answer: str) -> None:
        """Take a package, a goal, and a final answer that gives all it wants."""
        self._schemas = package.module("models").SCHEMAS
        self._grading = package.module("grading")
        self._goal = package.module("task").Goal.model_validate(goal)
        self._answer = answer
        self._exact = {name: self._exact_columns(name) for name in self._schemas}
        self._rows = self._seen(self._goal.changes)

    def reward(self, changes: Sequence[Any]) -> float:
        """Return what changes are worth, with the answer given."""
        if self._seen(changes) != self._rows:
            return 0.0
        grade = self._grading.grade(self._goal, changes, self._answer, self._schemas)
        return float(grade.reward)

    def _seen(self, changes: Sequence[Any]) -> Counter[Hashable]:
        counted: Iterable[Any] = self._grading.counting(changes, self._schemas)
        return Counter(self._letters(change) for change in counted)

    def _letters(self, change: Any) -> Hashable:
        """Return what a change must have in common with the one it stands for."""
        minted = change.before is None and self._schemas[change.table].prefix is not None
        after = change.after
        columns = after and tuple(frozen(after[name]) for name in self._exact[change.table])
        return change.table, "" if minted else change.key, change.before is None, columns

    def _exact_columns(self, table: str) -> list[str]:
        schema = self._schemas[table]
        naming = {reference.path[0] for reference in schema.references}
        loose = {schema.key, *naming, *(schema.policies or {})}
        return [name for name in schema.row.model_fields if name not in loose]


def frozen(value: Json) -> Hashable:
    """Return a JSON value as one that can be counted; equal values give equal ones."""
    if isinstance(value, Mapping):
        return tuple((name, frozen(part)) for name, part in sorted(value.items()))
    if isinstance(value, list):
        return tuple(frozen(part) for part in value)
    hashable: Hashable = value
    return hashable
