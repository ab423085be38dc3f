"""Who speaks: how they greet, thank and write, and how they get from one thing to the next."""

from __future__ import annotations

import random
from datetime import datetime

from toolworld.chained.phrasing.catalogue import SpokenPersona
from toolworld.chained.phrasing.english import SOFT
from toolworld.chained.phrasing.spoken import Style

OPENS = ("Hello", "Hi", "Hi there", "{daytime}", "")
CLOSES = ("", "", "Thank you.", "Thanks.", "That is all for now.")
DAYTIMES = ((12, "Good morning"), (18, "Good afternoon"), (24, "Good evening"))

THEN = ("Then", "After that,", "Once that is done,", "Next,", "When you have done that,")
ALSO = ("Also,", "Besides that,", "One more thing:", "And", "")
LAST = ("Finally,", "Last of all,", "And last,")
FIRST = ("First,", "To begin with,", "")


def style_of(rng: random.Random) -> Style:
    """Choose how a person writes days and times."""
    order = rng.choices(("month", "day", "iso"), weights=(6, 3, 1))[0]
    return Style(order, noon_clock=rng.random() < 0.5)


def opening(persona: SpokenPersona, clock: datetime, rng: random.Random) -> str:
    """Choose a greeting, which may be none; without a full stop, what follows continues it."""
    daytime = next(words for until, words in DAYTIMES if clock.hour < until)
    return rng.choice(persona.opens or OPENS).replace("{daytime}", daytime)


def closing(persona: SpokenPersona, rng: random.Random) -> str:
    """Choose some last words, which may be none."""
    return rng.choice(persona.closes or CLOSES)


def greeted(greeting: str, text: str) -> str:
    """Return a text after a greeting."""
    if not greeting:
        return text
    if greeting[-1] in ".!?:":
        return f"{greeting} {text}"
    if text.startswith(SOFT):
        return f"{greeting}, {text}"
    return f"{greeting}. {text}"


def connected(texts: list[str], ordered: bool, rng: random.Random) -> list[str]:
    """Return texts with words between them; where the order matters, they make it clear."""
    if len(texts) < 2:
        return texts
    joined = [_with(rng.choice(FIRST), texts[0]) if ordered else texts[0]]
    used = ""
    for number, text in enumerate(texts[1:], start=2):
        last = ordered and number == len(texts) > 2
        choices = LAST if last else THEN if ordered else ALSO
        used = rng.choice([word for word in choices if word != used])
        joined.append(_with(used, text))
    return joined


def _with(word: str, text: str) -> str:
    return f"{word} {text}" if word else text
