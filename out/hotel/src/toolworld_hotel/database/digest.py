"""The digest of a database state, kept up to date row by row.

A state's digest is the sum, modulo 2**128, of a BLAKE2b digest of each row (the additive
multiset hash of Bellare and Micciancio, 1997): it does not depend on row order, and changing a
row costs that row alone. It tells states apart by accident, not against an attacker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b

from pydantic_core import to_json

from ..values import Row

RowAt = Callable[[str, str], Row | None]
"""Returns the row of a table with a key, or None."""

MODULUS = 2**128


def row_digest(table: str, row: Row) -> int:
    """Return the digest of one row of a table."""
    content = table.encode() + b"\0" + to_json(row)
    return int.from_bytes(blake2b(content, digest_size=16).digest(), "big")


def total_of(table: str, rows: Iterable[Row]) -> int:
    """Return the sum of the digests of rows of a table."""
    return sum(row_digest(table, row) for row in rows)


class StateDigest:
    """The difference that an episode's changes make to the digest of its base."""

    __slots__ = ("_shifts", "_total", "_touched")

    def __init__(self) -> None:
        """Start with no row touched."""
        self._shifts: dict[tuple[str, str], int] = {}
        self._touched: set[tuple[str, str]] = set()
        self._total = 0

    def touch(self, rows: Iterable[tuple[str, str]]) -> None:
        """Mark rows, as table and key, whose digests must be computed again."""
        self._touched.update(rows)

    def over(self, start: int, before: RowAt, now: RowAt) -> str:
        """Return the state's digest in hexadecimal, with the touched rows computed again.

        Args:
            start: The digest of the database the episode started from.
            before: Returns a row as that database has it.
            now: Returns a row as it is now.
        """
        for name, key in self._touched:
            shift = _digest(name, now(name, key)) - _digest(name, before(name, key))
            self._total += shift - self._shifts.get((name, key), 0)
            self._shifts[name, key] = shift
        self._touched.clear()
        return f"{(start + self._total) % MODULUS:032x}"


def _digest(table: str, row: Row | None) -> int:
    return 0 if row is None else row_digest(table, row)
