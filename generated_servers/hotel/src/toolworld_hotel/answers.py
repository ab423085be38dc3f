"""Comparison of free text: what an agent says, and columns matched by meaning.

Rules, never a judge: numbers compare as numbers however they are spelled, dates as dates, other
text by its words.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from decimal import Decimal

from .values import fold

NUMBER = re.compile(r"(?<![\w.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w.])-?\d+(?:\.\d+)?")
ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
SIMILAR_ENOUGH = 0.6


def contains_answer(answer: str | None, wanted: str | float) -> bool:
    """Return whether an answer says a wanted number, date or text."""
    if answer is None:
        return False
    if isinstance(wanted, str):
        return any(_says(answer, spelling) for spelling in spellings(wanted))
    return Decimal(str(wanted)) in numbers(answer)


def numbers(text: str) -> set[Decimal]:
    """Return every number a text spells out in digits."""
    return {Decimal(found.replace(",", "")) for found in NUMBER.findall(text)}


def spellings(wanted: str) -> list[str]:
    """Return a text, and if it is an ISO date the ways people write it."""
    if not ISO_DATE.fullmatch(wanted):
        return [wanted]
    day = date.fromisoformat(wanted)
    months = (day.strftime("%B"), day.strftime("%b"))
    written = [wanted]
    for month in months:
        for number in (str(day.day), ordinal(day.day)):
            written += [f"{month} {number}", f"{number} {month}", f"{number} of {month}"]
    return written


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th and so on, up to 31st."""
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if 11 <= number <= 13 else suffix}"


def similar(wanted: object, actual: object) -> bool:
    """Return whether two values mean the same: text by its words, anything else exactly.

    Two texts are similar when the F1 of their words, as multisets, is at least 0.6.
    """
    if not isinstance(wanted, str) or not isinstance(actual, str):
        return wanted == actual
    one, other = Counter(words(wanted)), Counter(words(actual))
    if not one or not other:
        return one == other
    return 2 * (one & other).total() / (one.total() + other.total()) >= SIMILAR_ENOUGH


def words(text: str) -> list[str]:
    """Return the words of a text, folded, without punctuation."""
    return re.findall(r"[^\W_]+", fold(text))


def _says(answer: str, wanted: str) -> bool:
    said, sought = f" {' '.join(words(answer))} ", f" {' '.join(words(wanted))} "
    return sought in said
