"""A goal, graded as the package does, after a quick look whether a state can be it at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from toolworld.emit import Package
from toolworld.tasks.differences import Difference, Rows

Json = Any
PLAIN = (str, int, Decimal, date, type(None))


class Columns:
    """The columns that grading compares to the letter.

    Attributes:
        exact: Those of each table.
        plain: Those among them that name no rows, which may have other keys.
    """

    def __init__(self, package: Package) -> None:
        """Look through the tables once."""
        schemas = package.module("models").SCHEMAS
        self.exact = {name: _exact(schema) for name, schema in schemas.items()}
        self.plain = {name: _plain(schemas[name], self.exact[name]) for name in schemas}


class Goal:
    """A goal, ready to be compared with many states.

    The quick look sees what grading compares to the letter: which rows are changed, and of each
    the columns that must be equal, any new key being as good as another. Most wrong states differ
    there.
    """

    def __init__(
        self, package: Package, columns: Columns, goal: Mapping[str, Json], answer: str
    ) -> None:
        """Take a package, a goal, and a final answer that gives all it wants."""
        self._schemas = package.module("models").SCHEMAS
        self._grading = package.module("grading")
        self._goal = package.module("task").Goal.model_validate(goal)
        says = package.module("answers").contains_answer
        self._answered = all(says(answer, wanted) for wanted in self._goal.answers)
        self._changes = self._goal.model_copy(update={"answers": ()})
        self._columns = columns
        self._base = package.module("seed").default_base().tables
        self._rows = self._seen(self._goal.changes)

    def reward(self, changes: Sequence[Any]) -> float:
        """Return what changes are worth, with the answer given."""
        if not self._answered or self._seen(changes) != self._rows:
            return 0.0
        return float(self._grading.grade(self._changes, changes, None, self._schemas).reward)

    def misses(self, differing: Iterable[Difference], start: Rows, keys: Collection[str]) -> bool:
        """Whether a state is surely worth nothing by the rows in which it differs from gold's.

        There must be as many new rows of each table. A row that was there at the start stands
        for itself, so one column that must be equal and is not decides. Where a text may be the
        key of a new row, grading has to look closer.

        Args:
            differing: The rows that differ.
            start: The rows at the start that are not as in the database.
            keys: The keys that new rows may have in either state.
        """
        more: Counter[str] = Counter()
        for one in differing:
            if not self._was_there(one.table, one.key, start):
                more[one.table] += (one.one is None) - (one.other is None)
            elif one.one is not None and one.other is not None and self._is_other(one, keys):
                return True
        return any(more.values())

    def _is_other(self, row: Difference, keys: Collection[str]) -> bool:
        """Whether a row differs in a column that must be equal."""
        names = self._columns.plain[row.table]
        return any(_differ(getattr(row.one, one), getattr(row.other, one), keys) for one in names)

    def _was_there(self, table: str, key: str, start: Rows) -> bool:
        rows = start.get(table, {})
        return (rows[key] if key in rows else self._base[table].rows.get(key)) is not None

    def grade(self, changes: Sequence[Any], answer: str | None) -> Any:
        """Return the package's grade of changes and an answer."""
        return self._grading.grade(self._goal, changes, answer, self._schemas)

    def _seen(self, changes: Sequence[Any]) -> Counter[Hashable]:
        counted: Sequence[Any] = self._grading.counting(changes, self._schemas)
        new = {one.key for one in counted if self._is_new(one)}
        return Counter(self._letters(one, new) for one in counted)

    def _is_new(self, change: Any) -> bool:
        return change.before is None and self._schemas[change.table].prefix is not None

    def _letters(self, change: Any, new: Collection[str]) -> Hashable:
        """Return what a change must have in common with the one it stands for."""
        after, columns = change.after, self._columns.exact[change.table]
        letters = after and tuple(frozen(after[name], new) for name in columns)
        return change.table, frozen(change.key, new), change.before is None, letters


def _exact(schema: Any) -> list[str]:
    loose = {schema.key, *(schema.policies or {})}
    return [name for name in schema.row.model_fields if name not in loose]


def _plain(schema: Any, exact: Iterable[str]) -> list[str]:
    naming = {reference.path[0] for reference in schema.references}
    return [name for name in exact if name not in naming]


def _differ(one: Json, other: Json, keys: Collection[str]) -> bool:
    """Whether two plain values differ, none of which is a key."""
    return one != other and all(
        isinstance(value, PLAIN) and value not in keys for value in (one, other)
    )


def frozen(value: Json, new: Collection[str]) -> Hashable:
    """Return a JSON value as one that can be counted, with each new key as an asterisk."""
    if isinstance(value, dict):
        return tuple((name, frozen(part, new)) for name, part in sorted(value.items()))
    if isinstance(value, list):
        return tuple(frozen(part, new) for part in value)
    hashable: Hashable = "*" if value in new else value
    return hashable
