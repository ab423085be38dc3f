"""Whether a text says a value: as it is, or as people write days, times, enums and amounts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from toolworld.chained.phrasing.spoken import Style

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T.+")
NUMBER = re.compile(r"(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-]|\.\d)")
STYLES = (Style("iso"), Style("month"), Style("day"))


def says(text: str, value: Any) -> bool:
    """Return whether a text says every part of a JSON value.

    Yes and no are not looked for: they are said by what is asked.
    """
    if isinstance(value, str):
        return _says_text(text, value)
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, Mapping):
        return all(says(text, part) for part in value.values())
    if isinstance(value, list | tuple):
        return all(says(text, part) for part in value)
    return Decimal(str(value)) in _numbers_in(text)


@lru_cache(64)
def _numbers_in(text: str) -> frozenset[Decimal]:
    return frozenset(Decimal(found) for found in NUMBER.findall(text))


def _says_text(text: str, value: str) -> bool:
    folded, wanted = text.casefold(), " ".join(value.casefold().split())
    if wanted in folded or wanted.replace("_", " ") in folded:
        return True
    if DAY.fullmatch(value):
        return _says_day(text, date.fromisoformat(value))
    if MOMENT.fullmatch(value):
        return _says_moment(text, datetime.fromisoformat(value))
    return False


def _says_day(text: str, day: date) -> bool:
    said = (style.day(day) for style in STYLES)
    return any(one in text and re.search(rf"(?<!\d){one}(?!\d)", text) for one in said)


def _says_moment(text: str, moment: datetime) -> bool:
    times = (Style(noon_clock=noon).time(moment) for noon in (False, True))
    return _says_day(text, moment.date()) and any(time in text for time in times)
