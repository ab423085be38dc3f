"""The days a text says: as ISO dates, in words, as ranges, or as seen from today."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from datetime import date, timedelta

# Not from the calendar module: its names follow the process's locale.
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NEAR = {"today": 0, "tonight": 0, "now": 0, "tomorrow": 1, "yesterday": -1}

MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
DAY = r"0?(\d{1,2})(?:st|nd|rd|th)?"
YEAR = r"(?: ((?:19|20)\d{2})\b)?"
LINK = r"(?: (?:to|until|till|through|and|or))? (?:the )?"
BEFORE_MONTH = re.compile(rf"\b((?:{DAY}{LINK})*{DAY}(?: of)? {MONTH})\b{YEAR}")
AFTER_MONTH = re.compile(rf"\b{MONTH} ((?:{DAY}{LINK})*{DAY})\b{YEAR}")
END_OF = re.compile(rf"\bend of {MONTH}\b{YEAR}")
ISO = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


class Days:
    """The days a text says."""

    def __init__(self, text: str, plain: str, today: date) -> None:
        """Read a text.

        Args:
            text: The text.
            plain: Its words, folded, with numbers in digits.
            today: The day on which it is said.
        """
        self._iso = set(ISO.findall(text))
        self._said = set(_spelled(plain)) | set(_ends(plain))
        self._near = {today + timedelta(days=away) for away in _away(plain, today)}

    def says(self, day: date) -> bool:
        """Whether a day is said, with its year or with none."""
        return (
            day.isoformat() in self._iso
            or (day.month, day.day, day.year) in self._said
            or (day.month, day.day, 0) in self._said
            or day in self._near
        )


def _spelled(plain: str) -> Iterator[tuple[int, int, int]]:
    for pattern, group in ((BEFORE_MONTH, 1), (AFTER_MONTH, 2)):
        for found in pattern.finditer(plain):
            month = MONTHS.index(found["month"][:3]) + 1
            year = int(found[found.re.groups] or 0)
            for number in re.findall(r"\d{1,2}", found[group]):
                yield month, int(number), year


def _ends(plain: str) -> Iterator[tuple[int, int, int]]:
    for found in END_OF.finditer(plain):
        month = MONTHS.index(found["month"][:3]) + 1
        year = int(found[found.re.groups] or 0)
        yield month, calendar.monthrange(year or 2001, month)[1], year


def _away(plain: str, today: date) -> Iterator[int]:
    words = set(plain.split())
    for word, away in NEAR.items():
        if word in words:
            yield away
    for number, name in enumerate(WEEKDAYS):
        if name in words:
            ahead = (number - today.weekday()) % 7
            yield from (ahead, ahead - 7)
