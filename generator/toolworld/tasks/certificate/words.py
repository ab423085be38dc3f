"""What a task's texts say: whether a value can be read from them, however it is spelled.

Rules, never a judge. Numbers count in digits and in words, enum values as words, days as ISO
dates, in words or as seen from today.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from toolworld.prove.facts import leaves
from toolworld.tasks.certificate.facts import Facts

Json = Any

UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen", "twenty",
)  # fmt: skip
ORDINALS = (
    "", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
    "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
    "seventeenth", "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
TENS = {"twenty": 20, "thirty": 30, "thirtieth": 30, "forty": 40, "fifty": 50, "ninety": 90}
SPELLED = {
    **{word: number for number, word in enumerate(UNITS)},
    **{word: number for number, word in enumerate(ORDINALS) if word},
    **TENS,
    "both": 2,
    "twice": 2,
    "dozen": 12,
}
ONE_WORDS = {"a", "an", "single", "once", "just", "the", "this", "that", "it"}
NONE_WORDS = {"no", "none", "not", "without", "nothing", "nobody", "free"}
LONG_ENOUGH = 3
STEM = 5
MONTHS_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Said:
    """The texts of a task, to look values up in."""

    def __init__(self, facts: Facts, instruction: str, known_info: Mapping[str, Json]) -> None:
        """Read an instruction and what the person knows besides."""
        self._answers = facts.answers
        self._today = facts.clock.date()
        known = [str(value) for _, value in leaves(known_info)]
        self.whole = "\n".join([instruction, *known])
        self._words = self._answers.words(self.whole)
        self._plain = f" {' '.join(self._words)} "
        self._stems = {word[:STEM] for word in self._words}
        self._digits = in_digits(self.whole)
        self._numbers = self._answers.numbers(self._digits)
        self._cache: dict[tuple[type, Json], bool] = {}

    def says(self, value: Json) -> bool:
        """Whether a value can be read from the texts, whatever it stands for."""
        place = (type(value), value)
        if place not in self._cache:
            self._cache[place] = self._says(value)
        return self._cache[place]

    def verbatim(self, text: str) -> bool:
        """Whether a text stands there as it is, whatever its case."""
        return f" {' '.join(self._answers.words(text))} " in self._plain

    def _says(self, value: Json) -> bool:
        if isinstance(value, bool):
            return False
        if isinstance(value, int | float):
            return self._says_number(value)
        if not isinstance(value, str):
            return False
        if MONTHS_DAY.match(value):
            return self._says_moment(value)
        return self.verbatim(value) or self._says_all_words(value)

    def _says_number(self, value: float) -> bool:
        if self._answers.contains_answer(self._digits, value):
            return True
        some = {1: ONE_WORDS, 0: NONE_WORDS}.get(value if value in (0, 1) else -1, set())
        return not some.isdisjoint(self._words)

    def _says_moment(self, value: str) -> bool:
        """Whether a day is said, and for a time its hour too."""
        day = value[:10]
        if not (self._answers.contains_answer(self._digits, day) or self._from_today(day)):
            return False
        if len(value) == len(day):
            return True
        moment = datetime.fromisoformat(value)
        hours = {moment.hour, moment.hour % 12 or 12}
        said = {float(number) for number in self._numbers}
        spelled = f"{moment.hour:02d}:{moment.minute:02d}" in self.whole
        return spelled or not said.isdisjoint(hours) or (moment.hour == 12 and self.says("noon"))

    def _from_today(self, day: str) -> bool:
        away = (date.fromisoformat(day) - self._today).days
        near = {0: ("today", "tonight", "now", "this morning"), 1: ("tomorrow",), -1: ("yesterday",)}
        names = [*near.get(away, ())]
        if abs(away) < 7:
            names.append(f"{self._today + timedelta(days=away):%A}".lower())
        return any(f" {name} " in self._plain for name in names)

    def _says_all_words(self, value: str) -> bool:
        """Whether each longer word of a text occurs, or begins alike."""
        words = self._answers.words(value.replace("_", " "))
        longer = [word for word in words if len(word) >= LONG_ENOUGH or word.isdigit()]
        return bool(longer) and all(word[:STEM] in self._stems for word in longer)

    def hints(self, text: str) -> bool:
        """Whether any longer word of a text occurs, or begins alike."""
        words = self._answers.words(text.replace("_", " "))
        return any(word[:STEM] in self._stems for word in words if len(word) > LONG_ENOUGH)


def in_digits(text: str) -> str:
    """Return a text with the numbers it spells in words put in digits."""
    pieces = re.split(r"([A-Za-z]+)", text)
    said = [SPELLED.get(piece.lower()) for piece in pieces]
    out = list(pieces)
    for at, number in enumerate(said):
        if number is None:
            continue
        out[at] = str(number)
        tens = said[at - 2] if at >= 2 else None
        if tens in TENS.values() and pieces[at - 1] in (" ", "-") and 0 < number < 10:
            out[at - 2], out[at - 1], out[at] = "", "", str(tens + number)
    return "".join(out)
