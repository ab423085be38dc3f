"""What a person says and knows, to look values up in, however they are spelled.

Rules, never a judge: numbers count in digits and in words, days as ISO dates or in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import cached_property
from typing import Any

UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
ORDINALS = (
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
    "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
    "seventeenth", "eighteenth", "nineteenth",
)  # fmt: skip
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
ROUND = {**TENS, "twentieth": 20, "thirtieth": 30}
SMALL = {word: number for words in (UNITS, ORDINALS) for number, word in enumerate(words)}
SPELLED = re.compile(
    rf"\b(?:({'|'.join(TENS)})[ -])?({'|'.join(SMALL)})\b|\b({'|'.join(ROUND)})\b", re.IGNORECASE
)
LONG_ENOUGH = 3
OF_NO_WEIGHT = frozenset(("the", "and", "for", "was", "are", "has", "had", "its"))
STEM = 5


class Heard:
    """Texts to look values up in."""

    def __init__(self, answers: Any, texts: Iterable[str]) -> None:
        """Read texts.

        Args:
            answers: The package's module that compares texts.
            texts: The texts.
        """
        self._answers = answers
        self._text = "\n".join(texts)
        said: list[str] = answers.words(self._text.replace("_", " "))
        self._plain = f" {' '.join(said)} "
        self._words = frozenset(said)

    @cached_property
    def _digits(self) -> str:
        return in_digits(self._text)

    @cached_property
    def numbers(self) -> set[Decimal]:
        """The numbers that are said."""
        found: set[Decimal] = self._answers.numbers(self._digits)
        return found

    def says_day(self, day: str) -> bool:
        """Return whether an ISO date is said, as such or in words."""
        return bool(self._answers.contains_answer(self._digits, day))

    def says_verbatim(self, text: str) -> bool:
        """Return whether a text is said word for word; case and punctuation do not matter."""
        words = self._answers.words(text.replace("_", " "))
        return bool(words) and f" {' '.join(words)} " in self._plain

    def says_words(self, text: str) -> bool:
        """Return whether each longer word of a text is said, or one that begins alike."""
        words = self._answers.words(text.replace("_", " "))
        longer = [word for word in words if len(word) >= LONG_ENOUGH or word.isdigit()]
        longer = [word for word in longer if word not in OF_NO_WEIGHT]
        return bool(longer) and all(self._begins(word) for word in longer)

    def _begins(self, word: str) -> bool:
        return word in self._words or (not word.isdigit() and f" {word[:STEM]}" in self._plain)


def in_digits(text: str) -> str:
    """Return a text with the numbers below a hundred that it spells in words put in digits."""
    return SPELLED.sub(_number, text)


def _number(found: re.Match[str]) -> str:
    tens, unit, whole = (part and part.lower() for part in found.groups())
    if whole:
        return str(ROUND[whole])
    return str(TENS.get(tens or "", 0) + SMALL[unit])
