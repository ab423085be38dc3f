"""What a person wants to be told, in words."""

from __future__ import annotations

import random
from collections.abc import Iterable

from toolworld.tasks.outline import Ask
from toolworld.tasks.phrasing.catalogue import Catalogue
from toolworld.tasks.phrasing.english import listed, words

FORMS = (
    "Please tell me {}.",
    "I would like to know {}.",
    "Let me know {}.",
    "Could you tell me {}?",
    "Tell me {}, please.",
)
CURRENCIES = {"USD": "dollars", "EUR": "euros", "GBP": "pounds", "CHF": "francs"}


def asked(catalogue: Catalogue, asks: Iterable[Ask], text: str, rng: random.Random) -> str:
    """Return a sentence that asks for all values a text does not ask for by itself.

    Args:
        catalogue: How the values are asked for.
        asks: The values.
        text: What the person says already.
        rng: Chooses the wording.
    """
    phrases = dict.fromkeys(_noun_phrase(catalogue, ask) for ask in asks)
    missing = [phrase for phrase in phrases if phrase.casefold() not in text.casefold()]
    return rng.choice(FORMS).format(listed(missing)) if missing else ""


def _noun_phrase(catalogue: Catalogue, ask: Ask) -> str:
    if ask.aggregate == "count":
        return "how many there are"
    one = catalogue.asks.get(ask.shape, {}).get(ask.column) or _plain(catalogue, ask)
    if not ask.aggregate:
        return one
    if ask.aggregate == "sum":
        return f"{one}, added up over all of them"
    most = _superlative(catalogue, ask)
    if one.startswith("the "):
        return f"the {most} {one.removeprefix('the ')} among them"
    return f"{one} for the one where that is {most}"


def _superlative(catalogue: Catalogue, ask: Ask) -> str:
    if catalogue.type_of(ask.shape, ask.column) in ("date", "datetime"):
        return "latest" if ask.aggregate == "highest" else "earliest"
    return ask.aggregate


def _plain(catalogue: Catalogue, ask: Ask) -> str:
    if catalogue.type_of(ask.shape, ask.column) == "boolean":
        return f"whether it is {words(ask.column)}"
    return f"the {words(ask.column)}{_unit(catalogue, ask)}"


def _unit(catalogue: Catalogue, ask: Ask) -> str:
    unit = catalogue.shapes[ask.shape][ask.column].get("unit")
    return f" in {CURRENCIES.get(unit, unit)}" if unit and unit not in words(ask.column) else ""
