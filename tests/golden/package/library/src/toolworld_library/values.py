"""The types of columns and arguments, and the text, money and page functions tools may use.

Each type has one canonical JSON form: money and numbers are JSON numbers, dates are ISO 8601
texts, datetimes are in UTC and end in ``Z``. Text never passes for a number, nor a number for
text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache
from typing import Annotated, Any, Generic, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    Strict,
)
from pydantic_core import from_json, to_json

from .errors import Rejected

ItemT = TypeVar("ItemT")

CENT = Decimal("0.01")
ZERO = Decimal("0.00")
MAX_TEXT = 10_000
MAX_KEY = 200
MAX_PAGE = 200
MAX_INTEGER = 2**53
MAX_MONEY = Decimal(10**13)
MOST_AMOUNTS = 10_000
MOST_FOLDED = 5_000
MOST_MOMENTS = 10_000
TYPESET = str.maketrans(
    "\u2018\u2019\u201c\u201d\u02bb\u02bc\u2010\u2011\u2013ıłŁøØđĐ", "''\"\"''---ilLoOdD"
)
"""Quotation marks, apostrophes, hyphens and letters with a stroke, as a keyboard has them."""
UNCLEAR = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef\u01c0-\u01c3\u0250-\u02af\u1d00-\u1dbf\ua720-\ua7ff\uab30-\uab6f]"
)
"""Letters that nobody sees, such as fillers, and clicks and phonetic ones like those of names."""
ALIKE = frozenset(
    {"ARMENIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "GREEK", "HEBREW", "LATIN", "LISU", "OLD"}
)
"""Scripts that have letters which look like one another's."""
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
DATETIME = re.compile(
    r"\d{4}-\d{2}-\d{2}T(?!24)\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})", re.ASCII
)
NO_DATETIME = "Input should be a date and time such as 2026-03-01T10:00:00Z"


def _number(value: object) -> object:
    if isinstance(value, str | bool):
        raise ValueError("Input should be a number")
    return value


def _money(value: object) -> Decimal:
    if type(value) is Decimal:
        return _cents(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("Input should be a number")
    return _cents_of(value)


@lru_cache(MOST_AMOUNTS)
def _cents_of(number: float) -> Decimal:
    """Return a number as an amount; cached, because amounts recur."""
    amount = Decimal(str(number))
    if not amount.is_finite():
        raise ValueError("Input should be a finite number")
    return _cents(amount)


def _cents(amount: Decimal) -> Decimal:
    try:
        cents = amount.quantize(CENT)
    except InvalidOperation:
        raise ValueError("Input should be a smaller amount") from None
    if cents != amount:
        raise ValueError("Input should be an amount with at most two decimals")
    if not -MAX_MONEY < cents < MAX_MONEY:
        raise ValueError("Input should be a smaller amount")
    return cents or ZERO


def _integer(value: object) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("Input should be a whole number")
    return value


def _date(value: object) -> object:
    if isinstance(value, str):
        if not DATE.fullmatch(value):
            raise ValueError("Input should be a date such as 2026-03-01")
    elif not isinstance(value, date):
        raise ValueError("Input should be a date such as 2026-03-01")
    return value


def _datetime(value: object) -> datetime:
    if isinstance(value, str):
        return _moment_of(value)
    if isinstance(value, datetime) and value.tzinfo is not None:
        return _utc(value)
    raise ValueError(NO_DATETIME)


@lru_cache(MOST_MOMENTS)
def _moment_of(text: str) -> datetime:
    """Return a text as a datetime; cached, because moments recur."""
    if not DATETIME.fullmatch(text):
        raise ValueError(NO_DATETIME)
    return _utc(datetime.fromisoformat(text))


def _utc(value: datetime) -> datetime:
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise ValueError("Input should be between the years 1 and 9999") from None


def _no_negative_zero(value: float) -> float:
    return value + 0.0


# The limits stand first, next to the type, so that Rust and not Python checks them.
Text = Annotated[str, Strict(), Field(max_length=MAX_TEXT)]
Key = Annotated[str, Strict(), Field(max_length=MAX_KEY)]
Boolean = Annotated[bool, Strict()]
Integer = Annotated[int, Field(ge=-MAX_INTEGER, le=MAX_INTEGER), BeforeValidator(_integer)]
Number = Annotated[
    float,
    Field(allow_inf_nan=False),
    BeforeValidator(_number),
    AfterValidator(_no_negative_zero),
]
Money = Annotated[
    Decimal,
    PlainValidator(_money),
    PlainSerializer(float, return_type=float, when_used="json"),
]
Date = Annotated[date, BeforeValidator(_date)]
Datetime = Annotated[datetime, BeforeValidator(_datetime)]


def in_json(value: object) -> Any:
    """Return a value or a list of values in canonical JSON form."""
    if isinstance(value, list | tuple):
        return [in_json(one) for one in value]
    plain = float(value) if isinstance(value, Decimal) else value
    return from_json(to_json(plain, inf_nan_mode="null"))


class Record(BaseModel):
    """An immutable group of named values; unknown names are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def __eq__(self, other: object) -> bool:
        """Return whether the other is of the same type and has the same values.

        It does what ``BaseModel`` does, in a quarter of the time.
        """
        return type(self) is type(other) and self.__dict__ == other.__dict__


class Value(Record):
    """A value object: it lives inside rows, arguments and results."""

    def replace(self, **changes: object) -> Self:
        """Return a copy with some fields changed, all of them checked."""
        return type(self).model_validate({**self.__dict__, **changes})


class Row(Record):
    """A row of a table; only its table makes new ones."""

    def changed(self, values: Mapping[str, object]) -> Self:
        """Return a copy with some columns changed to values that are already checked.

        It does what ``model_copy`` does, in half the time.
        """
        row = self.__class__.__new__(self.__class__)
        put = object.__setattr__
        put(row, "__dict__", {**self.__dict__, **values})
        put(row, "__pydantic_fields_set__", self.__pydantic_fields_set__)
        put(row, "__pydantic_extra__", None)
        put(row, "__pydantic_private__", None)
        return row


@dataclass(frozen=True, slots=True)
class Page(Generic[ItemT]):
    """Part of a list.

    Attributes:
        items: The rows of this page, in the list's order.
        next_cursor: What to pass as ``cursor`` for the page after; None on the last one.
        total: How many rows the whole list has.
    """

    items: tuple[ItemT, ...]
    next_cursor: str | None
    total: int


def page(items: Sequence[ItemT], cursor: str | None, limit: int) -> Page[ItemT]:
    """Return the part of a list that starts at a cursor.

    Args:
        items: The whole list, in its stated order.
        cursor: ``next_cursor`` of the page before; None for the first page.
        limit: The most rows on the page, 1 to 200.

    Raises:
        Rejected: The cursor is not one this list gave out, or the limit is out of bounds.
    """
    if not 1 <= limit <= MAX_PAGE:
        raise Rejected(
            "bad_limit", f"The limit must be from 1 to {MAX_PAGE}.", least=1, most=MAX_PAGE
        )
    start = _start_of(cursor, len(items))
    end = start + limit
    return Page(
        items=tuple(items[start:end]),
        next_cursor=str(end) if end < len(items) else None,
        total=len(items),
    )


def _start_of(cursor: str | None, length: int) -> int:
    if cursor is None:
        return 0
    if re.fullmatch(r"[1-9][0-9]{0,8}", cursor) and int(cursor) < length:
        return int(cursor)
    raise Rejected(
        "bad_cursor", "The cursor is not valid. Leave it out to start at the first page."
    )


def money(amount: Decimal | int | float | str) -> Decimal:
    """Return an amount rounded half up to cents.

    Raises:
        Rejected: The amount is no number, or too large to be money.
    """
    try:
        cents = Decimal(str(amount)).quantize(CENT, rounding=ROUND_HALF_UP)
    except InvalidOperation:
        cents = Decimal("NaN")
    if cents.is_nan():
        raise Rejected("bad_amount", "The amount is not a sum of money that can be handled.")
    return cents


def contains(text: str, query: str) -> bool:
    """Return whether a text contains a query, ignoring case and accents."""
    return fold(query) in fold(text)


def letters_of(text: str) -> str:
    """Return a text without case, accents, spaces and signs, so that "O'Neil" is "oneil"."""
    folded = fold(text)
    if folded.isalnum():
        return folded
    return "".join(char for char in folded if unicodedata.category(char)[0] not in "PSZ")


def is_clear(text: str) -> bool:
    """Return whether a text is what it looks like: all letters are seen, and are of one script."""
    if not text.isprintable() or UNCLEAR.search(text):
        return False
    return text.isascii() or len(ALIKE.intersection(map(_script, letters_of(text)))) <= 1


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


@lru_cache(MOST_FOLDED)
def fold(text: str) -> str:
    """Return a text without case, accents, surrounding or doubled spaces and typeset signs."""
    if text.isascii():
        return " ".join(text.casefold().split())
    plain = unicodedata.normalize("NFKD", text.translate(TYPESET))
    bare = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(bare.casefold().split())
