"""The values a message states: amounts, percentages, days, numbers, ids and e-mail addresses.

Rules decide, never a model. A day without a year is the one nearest to the day given as today.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Literal, NamedTuple

from ..answers import CURRENCY, MONTHS, NUMBER

Kind = Literal["amount", "percent", "number", "day", "id", "email"]
Reader = Callable[[re.Match[str], date | None], str | None]

LONGEST_NUMBER = 7
"""The most digits of a count or an amount; more of them in a row are an id."""

# "5 may apply" is no day: in lower case, the month counts only at an end or before a year.
MAY = r"May|MAY|may(?= \d|[,.;)]|$)"
MONTH = "|".join(name[:3] + (f"(?:{name[3:]})?") for name in MONTHS if name != "may")
MONTH = rf"(?:(?i:{MONTH.replace('sep(?:tember)?', 'sept?(?:ember)?')})|{MAY})"
YEAR = r"(?:,? ((?:19|20)\d\d)\b)?"
ISO_DAY = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)(?:T[\d:.]{5,15}(?:Z|[+-]\d\d:\d\d)?)?(?![\w-])")
MONTH_FIRST = re.compile(rf"\b({MONTH})\.? (\d\d?)(?:st|nd|rd|th)?\b(?![:%]){YEAR}")
DAY_FIRST = re.compile(rf"(?<![\w.,$€£])(\d\d?)(?:st|nd|rd|th)? (?:of )?({MONTH})\b\.?{YEAR}")
MONTH_ONLY = re.compile(rf"\b{MONTH}\.?,? (?:19|20)\d\d\b")
SLASHED = re.compile(r"(?<![\d/])(\d\d?)/(\d\d?)/(\d{4}|\d\d)(?![\d/])")
DOTTED = re.compile(r"(?<![\d.])(\d\d?)\.(\d\d?)\.(\d{4})(?!\.?\d)")
TIME = re.compile(r"\b\d\d?(?::\d\d){1,2}(?: ?[ap]\.?m\b)?|\b\d\d? ?[ap]\.?m\b", re.IGNORECASE)
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}")
PHONE = re.compile(
    r"(?:\+\d{1,3}[ -]?)?(?:\(\d{3}\) ?|\b\d{3}[ .-])\d{3}[ .-]\d{4}\b"
    r"|\+\d{1,3}(?:[ -]\d{1,8}){2,5}\b"
)
HASHED = re.compile(r"#([A-Za-z0-9][\w-]*)")
TOKEN = re.compile(r"(?<![\w$€£.-])[A-Za-z0-9][\w-]*")
MEASURE = re.compile(r"\d+(?:KG|G|CM|MM|M|KM|GB|TB|MB|ML|L|H|HRS?|D|X|K|W|V|MAH|MP|IN|FT|OZ|P|HZ)")
NOTHING = re.compile(
    r"\b(?:no|zero|without (?:a|any))(?: [a-z-]+){0,2} (?:fees?|charges?|costs?)\b"
    r"|\bfree of charge\b|\bfor free\b"
    r"|(?:n't|\bnot) (?:be )?(?:a|any)(?: [a-z-]+)? (?:fees?|charges?|costs?)\b"
    r"|(?:n't|\bnot) (?:be charged|cost you|charge you) (?:a fee|anything)\b",
    re.IGNORECASE,
)
MONEY_BEFORE = re.compile(r"(?:[$€£]|\b(?:CHF|EUR|GBP|USD)) ?-?$")
MONEY_AFTER = re.compile(r" ?(?:[$€£]|(?:CHF|EUR|GBP|USD|dollars?|euros?|pounds?|bucks|cents)\b)")
PERCENT_AFTER = re.compile(r" ?(?:%|per ?cent\b)")


class Stated(NamedTuple):
    """A value, and its place in the text."""

    start: int
    end: int
    value: float | str
    kind: Kind


def values_in(text: str, today: date | None = None) -> list[Stated]:
    """Return the values a text states, in its order.

    Args:
        text: A message or a part of one, with single spaces.
        today: A day without a year is the nearest one to this; without it, ``--03-05``.
    """
    found: list[Stated] = []
    for kind, pattern, read in READERS:
        text = pattern.sub(_collector(found, kind, read, today), text)
    return sorted([*found, *_free_of_charge(text), *_numbers_in(text)])


def _collector(
    found: list[Stated], kind: Kind, read: Reader, today: date | None
) -> Callable[[re.Match[str]], str]:
    """Return a function that notes a value and blanks its place, so that no later rule reads it."""

    def collect(match: re.Match[str]) -> str:
        value = read(match, today)
        if value is not None:
            found.append(Stated(*match.span(), value, kind))
        elif kind == "id":
            return match[0]
        return " " * len(match[0])

    return collect


def _numbers_in(text: str) -> Iterator[Stated]:
    """Yield the numbers in digits; many digits in a row, or a leading zero, make an id."""
    bare = CURRENCY.sub(lambda code: " " * len(code[0]), text.replace("\N{MINUS SIGN}", "-"))
    for match in NUMBER.finditer(bare):
        start, end = match.span()
        digits = match[0].lstrip("-")
        if digits.isdigit() and (len(digits) > LONGEST_NUMBER or re.match(r"0\d", digits)):
            yield Stated(start, end, digits, "id")
        else:
            kind = _kind_of(text[max(0, start - 5) : start], match[0], text[end : end + 10])
            yield Stated(start, end, float(match[0].replace(",", "")), kind)


def _kind_of(before: str, number: str, after: str) -> Kind:
    if PERCENT_AFTER.match(after):
        return "percent"
    if MONEY_BEFORE.search(before) or MONEY_AFTER.match(after):
        return "amount"
    return "amount" if re.search(r"\.\d\d$", number) else "number"


def _free_of_charge(text: str) -> Iterator[Stated]:
    """Yield an amount of zero for each phrase that says that nothing is charged."""
    for match in NOTHING.finditer(text):
        yield Stated(*match.span(), 0.0, "amount")


def iso_day(year: str | None, month: int, day: int, today: date | None) -> str | None:
    """Return a day as ISO text; None if there is no such day."""
    try:
        if year is not None:
            return date(int(year) + (2000 if len(year) == 2 else 0), month, day).isoformat()
        if today is None:
            return f"--{date(2000, month, day):%m-%d}"
    except ValueError:
        return None
    return _nearest(month, day, today)


def _nearest(month: int, day: int, today: date) -> str | None:
    days = []
    for year in range(max(1, today.year - 1), min(9999, today.year + 1) + 1):
        try:
            days.append(date(year, month, day))
        except ValueError:
            continue  # no 29 February in that year
    return min(days, key=lambda each: abs(each - today)).isoformat() if days else None


def _month_of(name: str) -> int:
    return [month[:3] for month in MONTHS].index(name[:3].lower()) + 1


def _iso(match: re.Match[str], today: date | None) -> str | None:
    return iso_day(match[1], int(match[2]), int(match[3]), today)


def _month_first(match: re.Match[str], today: date | None) -> str | None:
    return iso_day(match[3], _month_of(match[1]), int(match[2]), today)


def _day_first(match: re.Match[str], today: date | None) -> str | None:
    return iso_day(match[3], _month_of(match[2]), int(match[1]), today)


def _slashed(match: re.Match[str], today: date | None) -> str | None:
    """Read 3/5/2026 as 5 March, the month first, unless only the day can be first."""
    first, second = int(match[1]), int(match[2])
    month, day = (second, first) if first > 12 else (first, second)
    return iso_day(match[3], month, day, today)


def _dotted(match: re.Match[str], today: date | None) -> str | None:
    return iso_day(match[3], int(match[2]), int(match[1]), today)


def _whole(match: re.Match[str], today: date | None) -> str | None:
    return match[0]


def _none(match: re.Match[str], today: date | None) -> str | None:
    return None


def _hashed(match: re.Match[str], today: date | None) -> str | None:
    return match[1] if re.search(r"\d", match[1]) else None


def _token(match: re.Match[str], today: date | None) -> str | None:
    """Return a word that mixes digits with capitals, or with words and underscores."""
    token = match[0]
    if not re.search(r"\d", token) or token.isdigit() or CURRENCY.match(token):
        return None
    if "_" in token:
        return token
    is_code = len(token) > 3 and token.isupper() and not MEASURE.fullmatch(token)
    return token if is_code else None


READERS: tuple[tuple[Kind, re.Pattern[str], Reader], ...] = (
    ("email", EMAIL, _whole),
    ("day", ISO_DAY, _iso),
    ("day", MONTH_FIRST, _month_first),
    ("day", DAY_FIRST, _day_first),
    ("day", MONTH_ONLY, _none),
    ("day", SLASHED, _slashed),
    ("day", DOTTED, _dotted),
    ("number", TIME, _none),
    ("id", PHONE, _whole),
    ("id", HASHED, _hashed),
    ("id", TOKEN, _token),
)
"""Text that one reader takes is not read again: an id in an address, or a number in a day."""
