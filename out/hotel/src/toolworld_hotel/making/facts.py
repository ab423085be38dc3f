"""What the person of a situation knows, and which rows the facts describe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..database.models import SCHEMAS
from ..values import Row

TABLES = {schema.row: schema for schema in SCHEMAS.values()}


class Told(NamedTuple):
    """A fact that describes a row.

    Attributes:
        value: What the person knows.
        table: The table of the row it describes.
        key: The key of the row.
        path: The column, then the fields inside it.
    """

    value: Any
    table: str
    key: str
    path: tuple[str, ...]


class Facts:
    """What a person knows, by name.

    Attributes:
        values: The facts.
        described: For a fact that describes a row, that row and its column.
        agrees: Whether the person says yes when asked: True, False, or the most that each named
            value may be.
        accepts: Whether the person takes an offer of something else.
        consent: ``agrees`` and ``accepts``, where given.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        """Take facts by name; ``agrees`` and ``accepts`` say how the person answers."""
        own = dict(values)
        self.consent = {name: own[name] for name in ("agrees", "accepts") if name in own}
        self.agrees: Any = own.pop("agrees", True)
        self.accepts: bool = bool(own.pop("accepts", False))
        self.described = {name: value for name, value in own.items() if isinstance(value, Told)}
        self.values = {
            name: value.value if isinstance(value, Told) else value for name, value in own.items()
        }


def facts(*more: Facts, **values: Any) -> Facts:
    """Return what a person knows: the facts of ``more``, and others by name."""
    together: dict[str, Any] = {}
    for one in more:
        together |= one.values | one.described | one.consent
    return Facts(together | values)


def told(value: Any, row: Row, column: str) -> Any:
    """Return a fact that describes a row: no other row may fit all such facts.

    Args:
        value: What the person says.
        row: The row it describes.
        column: The column it describes, or a field in it, such as ``lines.item``.
    """
    schema = TABLES[type(row)]
    return Told(value, schema.name, getattr(row, schema.key), tuple(column.split(".")))
