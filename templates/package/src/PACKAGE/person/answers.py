"""Comparison of free text: what an agent says, and columns matched by meaning.

Rules decide, never a model: numbers compare as numbers however they are spelled, dates as dates,
other text by its words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from ..values import fold

NUMBER = re.compile(
    r"(?<![\w.])(?<!\w-)(?<!\d[/:])"  # no piece of a word, an id, a date or a time
    r"-?(?:\d{1,3}(?:,\d{3})++|\d++)(?:\.\d++)?"
    r"(?!\d|\.\d|[-/:]\d|st\b|nd\b|rd\b|th\b)"
)
WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
"""Numbers that people write in words, from two on."""
IN_WORDS = re.compile(rf"(?<![\w-])(?:{'|'.join(WORDS)})(?![\w-])")
ONE = re.compile(
    r"one (?<!\wone )(?<!\bthis one )(?<!\bthat one )(?<!\bthe one )(?<!\bwhich one )"
    r"(?<!\beach one )(?<!\bevery one )(?<!\banother one )(?<!\bany one )(?<!\bno one )"
    r"(?!moment|more|second|minute|sec\b|thing|of|last|other|question|day|way|time)[a-z]{3}"
)
"""A count of one, such as "one order": the word alone has many other meanings."""
CURRENCY = re.compile(r"\b(?:CHF|EUR|GBP|USD)(?=\d)")
ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# Not from the calendar module: its names follow the process's locale.
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
WORD = re.compile(r"[^\W_]+")
SIMILAR_ENOUGH = 0.6
FEWEST_WORDS, MOST_AROUND = 3, 5
SMALL = frozenset({"a", "an", "and", "color", "colour", "in", "of", "size", "the", "with"})
LONGEST_ANSWER = 1_000

Answer = str | int | float
WantedAnswer = Answer | tuple[Answer, ...]
"""An answer to be told; any item of a tuple will do."""


def is_told(wanted: WantedAnswer, messages: Sequence[str]) -> bool:
    """Return whether one of the messages says a wanted answer, or one of its alternatives.

    A message of ``LONGEST_ANSWER`` characters or more tells nothing.
    """
    alternatives = wanted if isinstance(wanted, tuple) else (wanted,)
    # The last message first: most answers stand there.
    return any(
        contains_answer(message, one)
        for message in reversed(messages)
        if len(message) < LONGEST_ANSWER
        for one in alternatives
    )


def contains_answer(answer: str | None, wanted: str | float) -> bool:
    """Return whether an answer says a wanted number, date or text."""
    if answer is None:
        return False
    if isinstance(wanted, str):
        return says(answer, wanted) or _says_day(answer, wanted)
    return Decimal(str(wanted)) in numbers(answer)


def numbers(text: str) -> set[Decimal]:
    """Return every number in a text: in digits, or in words up to twenty."""
    bare = CURRENCY.sub(" ", text.replace("\N{MINUS SIGN}", "-"))
    found = {Decimal(digits.replace(",", "")) for digits in NUMBER.findall(bare)}
    folded = fold(text)
    if ONE.search(folded):
        found.add(Decimal(1))
    return found | {Decimal(WORDS.index(word) + 2) for word in IN_WORDS.findall(folded)}


def day_of(wanted: str) -> date | None:
    """Return the day that an ISO date names, or None if the text is no such date."""
    if not ISO_DATE.fullmatch(wanted):
        return None
    try:
        return date.fromisoformat(wanted)
    except ValueError:
        return None


def _says_day(answer: str, wanted: str) -> bool:
    """Return whether an answer has a wanted ISO date in words, and with no other year."""
    day = day_of(wanted)
    if day is None:
        return False
    name = MONTHS[day.month - 1]
    month = rf"(?:{name}|{name[:4]}|{name[:3]})"
    number = rf"0?{day.day}(?:st|nd|rd|th)?"
    spelled = rf"\b(?:{month} {number}|{number} (?:of )?{month})\b(?: ((?:19|20)[0-9]{{2}})\b)?"
    years = re.findall(spelled, " ".join(words(answer)))
    return any(year in ("", str(day.year)) for year in years)


def similar(wanted: object, actual: object) -> bool:
    """Return whether a value equals a wanted one: texts by their words, others exactly.

    Two texts are similar when the F1 of their words, as multisets, is at least 0.6. They also are
    when the wanted one has three words or more, and the other contains it and is at most five
    times as long: people say more around what matters.
    """
    if not isinstance(wanted, str) or not isinstance(actual, str):
        return wanted == actual
    one, other = Counter(words(wanted)), Counter(words(actual))
    if not one or not other:
        return one == other
    is_phrase = FEWEST_WORDS <= one.total() and other.total() <= MOST_AROUND * one.total()
    if is_phrase and says(actual, wanted):
        return True
    return 2 * (one & other).total() / (one.total() + other.total()) >= SIMILAR_ENOUGH


def words(text: str) -> list[str]:
    """Return the words of a text, folded, without punctuation."""
    return WORD.findall(fold(text))


def says(answer: str, wanted: str) -> bool:
    """Return whether an answer has the words of a text one after the other.

    In a longer text, such as "Wool Socks (rust, L)", small words make no difference: "Wool Socks
    in rust, size L" says the same.
    """
    said, sought = words(answer), words(wanted)
    if _stand_in(sought, said):
        return True
    large = [word for word in sought if word not in SMALL]
    return len(large) >= FEWEST_WORDS and _stand_in(large, [w for w in said if w not in SMALL])


def _stand_in(sought: Sequence[str], said: Sequence[str]) -> bool:
    return f" {' '.join(sought)} " in f" {' '.join(said)} "
