"""The digest of a database state, kept up to date row by row.

A state's digest is the sum, modulo 2**128, of a BLAKE2b digest of each row (the additive
multiset hash of Bellare and Micciancio, 1997): it does not depend on row order, and changing a
row costs that row alone. It tells states apart by accident, not against an attacker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

if TYPE_CHECKING:
    from .base import Base
    from .store import Table
    from .values import Row

MODULUS = 2**128


def row_digest(table: str, row: Row) -> int:
    """Return the digest of one row of a table."""
    content = table.encode() + b"\0" + to_json(row)
    return int.from_bytes(blake2b(content, digest_size=16).digest(), "big")


def total_of(table: str, rows: Iterable[Row]) -> int:
    """Return the sum of the digests of rows of a table."""
    return sum(row_digest(table, row) for row in rows)


class StateDigest:
    """The digest of one episode: the base's, plus what each changed row makes of it."""

    __slots__ = ("_base", "_shifts", "_touched", "_total")

    def __init__(self, base: Base) -> None:
        """Start at the base's digest."""
        self._base = base
        self._shifts: dict[tuple[str, str], int] = {}
        self._touched: set[tuple[str, str]] = set()
        self._total = 0

    def touch(self, rows: Iterable[tuple[str, str]]) -> None:
        """Note rows, as table and key, whose digests must be taken again."""
        self._touched.update(rows)

    def of(self, tables: Mapping[str, Table[Any]]) -> str:
        """Return the digest of the tables in hexadecimal, taking in what was touched."""
        for name, key in self._touched:
            shift = _shift(tables[name], key)
            self._total += shift - self._shifts.get((name, key), 0)
            self._shifts[name, key] = shift
        self._touched.clear()
        return f"{(self._base.digest + self._total) % MODULUS:032x}"


def _shift(table: Table[Any], key: str) -> int:
    name = table.schema.name
    now, before = table.find(key), table.base.rows.get(key)
    added = row_digest(name, now) if now is not None else 0
    return added - (row_digest(name, before) if before is not None else 0)
