"""A little English: words of names, plurals, lists, and capitals where sentences begin."""

from __future__ import annotations

import re
from functools import lru_cache

SOFT = "\x02"
"""Stands before a letter that is a capital only where a sentence begins."""

SENTENCE_START = re.compile(rf"(^|[.?!][\"')]?\s+|[.?!]\s+[\"']){SOFT}(\w)")
TWO_STOPS = re.compile(r"(?<![.])([.!?])\.(?![.])")
TWO_ARTICLES = re.compile(rf"\b(?:[Tt]he|[Aa]n?|[Mm]y) {SOFT}(?=(?:the|an?|my) )")


@lru_cache(1_000)
def words(name: str) -> str:
    """Return a name in words: ``GiftCard`` and ``gift_card`` become ``gift card``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").lower()


def variable(entity: str) -> str:
    """Return what a row of an entity is called in templates: ``gift_card``."""
    return words(entity).replace(" ", "_")


def row_name(column: str, entity: str) -> str:
    """Return what the row behind a reference is called: ``order_id`` leads to ``order``."""
    return column.removesuffix("_id") if column.endswith("_id") else variable(entity)


def plural(noun: str) -> str:
    """Return the plural of a noun or of words that end in one."""
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    if re.search(r"(s|x|z|ch|sh)$", noun):
        return f"{noun}es"
    return f"{noun}s"


def soft(text: str) -> str:
    """Return a text whose first letter is a capital only where it begins a sentence."""
    first = re.match(r"[\w']*", text)
    word = first.group() if first else ""
    abbreviated = text[len(word) : len(word) + 1] == "." and len(text) > len(word) + 1
    if not word or word.split("'")[0] in ("", "I") or word[1:2].isupper() or abbreviated:
        return text
    return f"{SOFT}{text[0].lower()}{text[1:]}"


def sentence(text: str) -> str:
    """Return a text that ends as a sentence does."""
    text = TWO_STOPS.sub(r"\1", " ".join(text.split()))
    return text if re.search(r"[.?!][\"')]?$", text) else f"{text.rstrip(',;:')}."


def written(text: str) -> str:
    """Return a text with capitals where its sentences begin."""
    text = TWO_ARTICLES.sub(SOFT, text)
    text = SENTENCE_START.sub(lambda found: f"{found[1]}{found[2].upper()}", text)
    return text.replace(SOFT, "")
