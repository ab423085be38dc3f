"""A goal, graded as the package does, after a quick look whether a state can be it at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from toolworld.emit import Package
from toolworld.tasks.differences import Difference, Rows

Json = Any
LISTS = (list, tuple)
NOTHING: Mapping[str, Any] = {}
NO_KEYS = frozenset[str]()


class Columns:
    """The columns that grading compares, and what changes have in common by them.

    Attributes:
        exact: Those of each table that it compares to the letter.
        semantic: Those that it compares by their words.
    """

    def __init__(self, package: Package) -> None:
        """Look through the tables once."""
        self._schemas = schemas = package.module("models").SCHEMAS
        self._counting = package.module("grading").counting
        self.exact = {name: _exact(schema) for name, schema in schemas.items()}
        self.semantic = {name: _semantic(schema) for name, schema in schemas.items()}

    def by_letters(self, changes: Sequence[Any]) -> dict[Hashable, list[Any]]:
        """Return the changes that count, by what those have in common that can be paired."""
        counted: Sequence[Any] = self._counting(changes, self._schemas)
        new = {one.key for one in counted if self._is_new(one)}
        found: dict[Hashable, list[Any]] = {}
        for one in counted:
            found.setdefault(self._letters(one, new), []).append(one)
        return found

    def _is_new(self, change: Any) -> bool:
        return change.before is None and self._schemas[change.table].prefix is not None

    def _letters(self, change: Any, new: Collection[str]) -> Hashable:
        """Return what a change must have in common with the one it stands for."""
        after, columns = change.after, self.exact[change.table]
        letters = after and tuple([frozen(after[name], new) for name in columns])
        return change.table, frozen(change.key, new), change.before is None, letters


class Goal:
    """A goal, ready to be compared with many states.

    The quick look sees what grading compares to the letter: which rows are changed, and of each
    the columns that must be equal, any new key being as good as another. Most wrong states differ
    there.
    """

    def __init__(
        self, package: Package, columns: Columns, goal: Mapping[str, Json], start: Rows
    ) -> None:
        """Take a package, a goal, and the rows at its start that are not as in the database."""
        self._schemas = package.module("models").SCHEMAS
        self._grading = package.module("grading")
        self._similar = package.module("answers").similar
        self._goal = package.module("task").Goal.model_validate(goal)
        self._columns = columns
        self._base = package.module("seed").default_base().tables
        self._start = start
        self._patched = {
            table: {key for key, row in rows.items() if row is not None}
            for table, rows in start.items()
        }
        self._wanted = columns.by_letters(self._goal.changes)

    def reward(self, changes: Sequence[Any], answer: str | None) -> float:
        """Return what changes and an answer are worth."""
        return 0.0 if self._is_missed(changes) else float(self.grade(changes, answer).reward)

    def _is_missed(self, changes: Sequence[Any]) -> bool:
        """Whether changes are surely not those that are wanted."""
        found, wanted = self._columns.by_letters(changes), self._wanted
        if {one: len(alike) for one, alike in found.items()} != {
            one: len(alike) for one, alike in wanted.items()
        }:
            return True
        return any(
            len(alike) == 1 and not self._reads_alike(wanted[letters][0], alike[0])
            for letters, alike in found.items()
        )

    def _reads_alike(self, wanted: Any, change: Any) -> bool:
        """Whether the texts of a row are similar to those of the only one it can stand for."""
        return change.after is None or all(
            self._similar(wanted.after[name], change.after[name])
            for name in self._columns.semantic[change.table]
        )

    def misses(self, differing: Iterable[Difference], keys: Collection[str]) -> bool:
        """Whether a state is surely worth nothing by the rows in which it differs from gold's.

        A row that was there at the start stands for itself, so one column that must be equal and
        is not decides. A new row may stand for any other whose columns are the same.

        Args:
            differing: The rows that differ.
            keys: The keys of the new rows of gold's state.
        """
        there: list[Difference] = []
        new: dict[str, list[Difference]] = {}
        for row in differing:
            if not self._was_there(row.table, row.key):
                new.setdefault(row.table, []).append(row)
            elif row.one is None or row.other is None:
                return True
            else:
                there.append(row)
        if new:
            keys = {*keys, *(row.key for rows in new.values() for row in rows)}
        return any(self._is_other(row, keys) for row in there) or any(
            self._are_others(rows, keys) for rows in new.values()
        )

    def new_keys(self, rows: Rows) -> set[str]:
        """Return the keys of the rows that were not there at the start."""
        return {
            key
            for table, changed in rows.items()
            for key in changed.keys() - self._patched.get(table, NO_KEYS)
            if not self._was_there(table, key)
        }

    def _is_other(self, row: Difference, keys: Collection[str]) -> bool:
        """Whether a row is gone in one state only, or differs in a column that must be equal."""
        if row.one is None or row.other is None:
            return True
        one, other = vars(row.one), vars(row.other)
        for name in self._columns.exact[row.table]:
            if one[name] != other[name] and frozen(one[name], keys) != frozen(other[name], keys):
                return True
        return False

    def _are_others(self, rows: Sequence[Difference], keys: Collection[str]) -> bool:
        """Whether new rows of a table are others than gold's, whichever stands for which."""
        if len(rows) == 1:
            return self._is_other(rows[0], keys)
        more: Counter[Hashable] = Counter()
        for row in rows:
            more[self._row_letters(row.table, row.one, keys)] += 1
            more[self._row_letters(row.table, row.other, keys)] -= 1
        return any(more.values())

    def _row_letters(self, table: str, row: Any, keys: Collection[str]) -> Hashable:
        if row is None:
            return None
        columns = vars(row)
        return tuple(frozen(columns[name], keys) for name in self._columns.exact[table])

    def _was_there(self, table: str, key: str) -> bool:
        rows = self._start.get(table, NOTHING)
        return (rows[key] if key in rows else self._base[table].rows.get(key)) is not None

    def grade(self, changes: Sequence[Any], answer: str | None) -> Any:
        """Return the package's grade of changes and an answer."""
        return self._grading.grade(self._goal, changes, answer, self._schemas)


def _exact(schema: Any) -> list[str]:
    loose = {schema.key, *(schema.policies or {})}
    return [name for name in schema.row.model_fields if name not in loose]


def _semantic(schema: Any) -> list[str]:
    policies = schema.policies or {}
    return [name for name, policy in policies.items() if policy == "semantic"]


def frozen(value: Any, new: Collection[str]) -> Hashable:
    """Return a value of a row as one that can be counted, with each new key as an asterisk."""
    if isinstance(value, str):
        return "*" if value in new else value
    if isinstance(value, LISTS):
        return tuple([frozen(part, new) for part in value])
    if isinstance(value, BaseModel):
        value = vars(value)
    if isinstance(value, dict):
        return tuple([(name, frozen(part, new)) for name, part in sorted(value.items())])
    plain: Hashable = value
    return plain
