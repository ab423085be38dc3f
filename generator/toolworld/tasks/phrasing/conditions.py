"""Wishes with an if: two things of which one is done, and what need not be possible."""

from __future__ import annotations

import random
from typing import Any

from toolworld.tasks.outline import Condition, Request
from toolworld.tasks.phrasing.english import SOFT, words
from toolworld.tasks.phrasing.requests import Speaker

LOOKS = ("please look at {}", "first have a look at {}", "please check {} first")
OTHERWISE = ("Otherwise,", "If not,", "In any other case,")
IMPOSSIBLE = (
    "If that is not possible, leave everything as it is.",
    "Should that not be possible, please change nothing else.",
    "If that can't be done, leave it all as it is and just tell me.",
    "If it doesn't work, do nothing instead.",
    "If you can't do that, simply leave things as they are.",
)


def if_impossible(rng: random.Random) -> str:
    """Return a sentence that makes giving up right."""
    return rng.choice(IMPOSSIBLE)


def either(speaker: Speaker, request: Request, condition: Condition) -> str:
    """Return both branches of a condition in words.

    Raises:
        Unsayable: One of them cannot be said.
    """
    mention = condition.mention
    speaker.names.speak_of([mention], {})
    name = speaker.names.name_of(mention.entity, mention.key)
    speaker.names.said([(mention.entity, mention.key)])
    then, otherwise = (request, condition.other) if condition.holds else (condition.other, request)
    look = speaker.rng.choice(LOOKS).format(name)
    test = _test(speaker, condition)
    return (
        f"{SOFT}{look}{test} {speaker.say_after_if(then)} "
        f"{speaker.rng.choice(OTHERWISE)} {speaker.say_after_if(otherwise)}"
    )


def _test(speaker: Speaker, condition: Condition) -> str:
    """Return what is looked for, and the words before what is done if it is found."""
    shape, column = condition.mention.entity, condition.column
    kind = speaker.catalogue.type_of(shape, column)
    value: Any = speaker.names.views.value(kind, condition.value)
    if isinstance(value, bool):
        asked = speaker.catalogue.asks.get(shape, {}).get(column, "")
        whether = asked if asked.startswith("whether") else f"whether it is {words(column)}"
        return f" and see {whether}. {'If so' if value else 'If not'},"
    test = f"it has no {words(column)}" if value is None else f"its {words(column)} is {value}"
    return f". If {test},"
