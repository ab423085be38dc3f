"""A quick look whether a state misses the goal, before the package grades it in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

Json = Any


class Goal:
    """A goal's changes, ready to be compared with many states.

    Only what the grading itself compares to the letter is looked at: which rows are changed, and
    those columns of rows known by their key that must be equal and name no row.
    """

    def __init__(self, package: Any, changes: Sequence[Mapping[str, Json]]) -> None:
        """Take a package and the changes wanted."""
        self._schemas = package.module("models").SCHEMAS
        self._counting = package.module("grading").counting
        kind = package.module("task").Change
        counted = self._counting([kind.model_validate(one) for one in changes], self._schemas)
        self._rows = self._rows_of(counted)
        self._after = {(one.table, one.key): one.after for one in counted if one.before is not None}
        self._exact = {table: self._exact_of(table) for table, _ in self._after}

    def surely_missed(self, changes: Sequence[Any]) -> bool:
        """Whether changes cannot be the ones wanted; if not, only grading tells."""
        counted = self._counting(changes, self._schemas)
        if self._rows_of(counted) != self._rows:
            return True
        return any(self._differs(one) for one in counted if one.before is not None)

    def _rows_of(self, changes: Sequence[Any]) -> Counter[tuple[str, str]]:
        """Return the rows that are changed; those with new minted keys by their table alone."""
        return Counter(
            (one.table, "" if one.before is None and self._minted(one.table) else one.key)
            for one in changes
        )

    def _minted(self, table: str) -> bool:
        return self._schemas[table].prefix is not None

    def _differs(self, change: Any) -> bool:
        wanted = self._after[change.table, change.key]
        if wanted is None or change.after is None:
            return wanted is not change.after
        return any(wanted[name] != change.after[name] for name in self._exact[change.table])

    def _exact_of(self, table: str) -> list[str]:
        schema = self._schemas[table]
        naming = {reference.path[0] for reference in schema.references}
        loose = {*naming, *(schema.policies or {})}
        return [name for name in schema.row.model_fields if name not in loose]
