"""What the store must know of each table: its key, references, rules and match policies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args, get_origin

from pydantic import TypeAdapter

from ..values import Row, Value


@dataclass(frozen=True)
class Reference:
    """A column, or a nested field, that names a row of another table.

    Attributes:
        path: The column, then the field names inside it; lists are walked through.
        table: The table it points to.
    """

    path: tuple[str, ...]
    table: str


@dataclass(frozen=True)
class Invariant:
    """A rule each row of a table keeps.

    Attributes:
        says: The rule in words.
        holds: Returns whether a row of a database keeps the rule.
        columns: The columns of the row that the rule reads.
        tables: The tables that the rule reads.
    """

    name: str
    says: str
    holds: Callable[[Any, Any], bool]
    columns: frozenset[str]
    tables: frozenset[str]


@dataclass(frozen=True)
class TableSchema:
    """What the store must know of a table.

    Attributes:
        prefix: Keys are minted as ``PREFIX-00001``; None when the caller names them.
        noun: The words for one row.
        policies: The match policy of each column that is not compared exactly.
    """

    name: str
    row: type[Row]
    key: str
    noun: str
    prefix: str | None = None
    unique: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    policies: Mapping[str, str] | None = None

    @cached_property
    def validators(self) -> dict[str, Any]:
        """The validator of each column."""
        fields = self.row.model_fields
        return {
            name: TypeAdapter(field.rebuild_annotation()).validator
            for name, field in fields.items()
        }

    @cached_property
    def exempt(self) -> frozenset[str]:
        """The columns that do not count when states are compared."""
        policies = self.policies or {}
        return frozenset(name for name, policy in policies.items() if policy == "exempt")

    @cached_property
    def selective(self) -> frozenset[str]:
        """The columns of which few rows share a value: references and unique columns."""
        plain = (reference.path[0] for reference in self.references if len(reference.path) == 1)
        return frozenset(plain) | frozenset(self.unique)

    @cached_property
    def indexed(self) -> frozenset[str]:
        """The columns that equality look-ups can use an index of: all but lists and objects."""
        fields = self.row.model_fields
        return frozenset(name for name, field in fields.items() if _is_plain(field.annotation))


def in_key_order(key: str) -> tuple[int, str]:
    """Return the sort key of a primary key: minted keys sort in the order of minting."""
    return len(key), key


def _is_plain(annotation: object) -> bool:
    """Return whether a type, or each part of a union, is neither a list nor an object."""
    return not any(
        get_origin(part) is tuple or (isinstance(part, type) and issubclass(part, Value))
        for part in (annotation, *get_args(annotation))
    )


def values_at(row: object, path: tuple[str, ...]) -> Sequence[str]:
    """Return each text found at a path, walking through lists and skipping nulls."""
    value = getattr(row, path[0])
    if value is None:
        return ()
    values = value if isinstance(value, tuple) else (value,)
    if len(path) == 1:
        return values
    return [inner for one in values for inner in values_at(one, path[1:])]
