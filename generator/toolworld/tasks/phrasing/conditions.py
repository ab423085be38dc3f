"""Wishes with an if: two things of which one is done, and what need not be possible."""

from __future__ import annotations

import random
import re
from typing import Any

from toolworld.tasks.outline import Condition, Request
from toolworld.tasks.phrasing.english import SOFT, words
from toolworld.tasks.phrasing.requests import Speaker

LOOKS = ("please look at {}", "please have a look at {}", "please check {}")
OTHERWISE = ("Otherwise,", "If not,", "In any other case,")
IMPOSSIBLE = (
    "If that is not possible, leave everything there as it is.",
    "Should that not be possible, please do nothing else about it.",
    "If that can't be done, leave it alone and just tell me.",
    "If it doesn't work, do nothing instead.",
    "If you can't do that, simply leave things there as they are.",
)
ARE = re.compile(r"(?<![us])s$")
"""Ends words that are plural, as ``beds`` and unlike ``status``."""


def if_impossible(rng: random.Random) -> str:
    """Return a sentence that makes giving up right."""
    return rng.choice(IMPOSSIBLE)


def either(speaker: Speaker, request: Request, condition: Condition) -> str:
    """Return both branches of a condition in words.

    Raises:
        Unsayable: One of them cannot be said.
    """
    mention = condition.mention
    speaker.names.turn_to({})
    name = speaker.names.name_of(mention.entity, mention.key)
    looked_at = set(speaker.names.named)
    then, otherwise = (request, condition.other) if condition.holds else (condition.other, request)
    speaker.names.said(looked_at)
    first = speaker.say_after_if(then)
    speaker.names.said(looked_at)
    second = speaker.say_after_if(otherwise)
    look = speaker.rng.choice(LOOKS).format(name)
    words_between = speaker.rng.choice(OTHERWISE)
    return f"{SOFT}{look}{_test(speaker, condition)} {first} {words_between} {second}"


def _test(speaker: Speaker, condition: Condition) -> str:
    """Return what is looked for, and the words before what is done if it is found."""
    shape, column = condition.mention.entity, condition.column
    kind = speaker.catalogue.type_of(shape, column)
    value: Any = speaker.names.views.value(kind, condition.value)
    if isinstance(value, bool):
        asked = speaker.catalogue.asks.get(shape, {}).get(column, "")
        whether = asked if asked.startswith("whether") else f"whether it is {words(column)}"
        return f" and see {whether}. {'If so' if value else 'If not'},"
    if value is None:
        return f". If it has no {words(column)},"
    return f". If its {words(column)} {'are' if ARE.search(column) else 'is'} {value},"
