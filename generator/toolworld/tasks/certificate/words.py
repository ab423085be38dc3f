"""What a task's texts say: whether a value can be read from them, however it is spelled.

Rules, never a judge. Numbers count in digits and in words, enum values as words, days as ISO
dates, in words or as seen from today.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Any

from toolworld.prove.facts import leaves
from toolworld.tasks.certificate.arguments import Leaf
from toolworld.tasks.certificate.days import Days
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
NONE_WORDS = {"no", "none", "not", "without", "nothing", "nobody", "free", "out"}
LONG_ENOUGH = 3
OF_NO_WEIGHT = {"the", "and", "for", "was", "are", "has", "had", "its"}
STEM = 5
DATED = re.compile(r"\d{4}-\d{2}-\d{2}(?:$|T)")
CLOCK = re.compile(r"\b(\d{1,2})[:.](\d{2})(?:\s?([ap])\.?m)?", re.IGNORECASE)
LETTERS = re.compile(r"([A-Za-z]+)")


class Said:
    """The texts of a task, to look values up in."""

    def __init__(self, facts: Facts, instruction: str, known_info: Mapping[str, Json]) -> None:
        """Read an instruction and what the person knows besides."""
        self._words_of, self._numbers_in = facts.words, facts.answers.numbers
        known = [str(value) for _, value in leaves(known_info)]
        self.whole = "\n".join([instruction, *known])
        self._today = facts.clock.date()
        said = facts.words(self.whole)
        self._plain = f" {' '.join(said)} "
        self._words = frozenset(said)
        self._cache: dict[tuple[type, Json], bool] = {}

    @cached_property
    def _digits(self) -> str:
        return in_digits(self.whole)

    @cached_property
    def _numbers(self) -> set[Decimal]:
        numbers: set[Decimal] = self._numbers_in(self._digits)
        return numbers

    @cached_property
    def _times(self) -> set[tuple[int, int]]:
        return set(times_in(self._digits))

    @cached_property
    def _days(self) -> Days:
        return Days(self.whole, " ".join(self._words_of(self._digits)), self._today)

    def says(self, value: Json) -> bool:
        """Whether a value can be read from the texts, whatever it stands for."""
        place = (type(value), value)
        if place not in self._cache:
            self._cache[place] = self._says(value)
        return self._cache[place]

    def tells(self, value: Json) -> bool:
        """Whether a value is said so that it can tell one row from another.

        Small numbers must be numbers there: an article says one of nothing in particular.
        """
        if value in (0, 1):
            return not isinstance(value, bool) and Decimal(str(value)) in self._numbers
        return self.says(value)

    def fixes(self, leaf: Leaf) -> bool:
        """Whether the texts say what an argument is to be; of a choice, that it is wanted."""
        if isinstance(leaf.value, Mapping):
            return True
        if isinstance(leaf.value, bool):
            return self.hints(f"{leaf.name} {leaf.schema.get('description', '')}")
        return self.says(leaf.value)

    def verbatim(self, text: str) -> bool:
        """Whether a text stands there as it is, whatever its case."""
        words = self._words_of(text)
        return bool(words) and words[0] in self._words and f" {' '.join(words)} " in self._plain

    def hints(self, text: str) -> bool:
        """Whether any longer word of a text occurs, or begins alike."""
        return any(self._begins(word) for word in self._words_of(text) if len(word) > LONG_ENOUGH)

    def _says(self, value: Json) -> bool:
        if isinstance(value, bool):
            return False
        if isinstance(value, int | float):
            return self._says_number(value)
        if not isinstance(value, str):
            return False
        if DATED.match(value):
            return self._says_moment(value)
        return self.verbatim(value) or self._says_all_words(value)

    def _says_number(self, value: float) -> bool:
        if Decimal(str(value)) in self._numbers:
            return True
        if value in (0, 1):
            return not (ONE_WORDS if value else NONE_WORDS).isdisjoint(self._words)
        return False

    def _says_moment(self, value: str) -> bool:
        """Whether a day is said, and for a time its hour too."""
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return self.verbatim(value)
        if not self._days.says(moment.date()):
            return False
        if "T" not in value:
            return True
        return self._says_time(moment)

    def _says_time(self, moment: datetime) -> bool:
        """Whether a time is said: by the clock, or as an hour of either half of the day."""
        noon = moment.hour == 12 and "noon" in self._words
        if noon or (moment.hour, moment.minute) in self._times:
            return True
        hours = {Decimal(moment.hour), Decimal(moment.hour % 12 or 12)}
        return moment.minute == 0 and not self._numbers.isdisjoint(hours)

    def _says_all_words(self, value: str) -> bool:
        """Whether each longer word of a text occurs, or begins alike."""
        words = self._words_of(value)
        longer = [word for word in words if len(word) >= LONG_ENOUGH or word.isdigit()]
        longer = [word for word in longer if word not in OF_NO_WEIGHT]
        return bool(longer) and all(self._begins(word) for word in longer)

    def _begins(self, word: str) -> bool:
        return word in self._words or (not word.isdigit() and f" {word[:STEM]}" in self._plain)


def times_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield the times a text spells, as hours and minutes: ``6:00 pm``, ``18:00``."""
    for hour, minute, half in CLOCK.findall(text):
        first = int(hour) % 12 if half else int(hour)
        yield first + 12 * (half.lower() == "p"), int(minute)


def in_digits(text: str) -> str:
    """Return a text with the numbers it spells in words put in digits."""
    pieces, said = LETTERS.split(text), dict[int, int]()
    for at in range(1, len(pieces), 2):  # each second piece is a word
        number = SPELLED.get(pieces[at].lower())
        if number is None:
            continue
        said[at], pieces[at] = number, str(number)
        tens = said.get(at - 2, 0)
        if tens in TENS.values() and pieces[at - 1] in (" ", "-") and 0 < number < 10:
            pieces[at - 2 : at + 1] = "", "", str(tens + number)
    return "".join(pieces)
