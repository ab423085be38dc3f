"""Tables of phrases, compiled: how the rules for an agent's messages are written down."""

from __future__ import annotations

import re
from textwrap import dedent

# "n't" stands at the end of a word: it has no edge before it.
BEGINS_WORD = re.compile(r"(?:\(\?:)*(?!n't)[a-z0-9]")


def any_of(table: str) -> re.Pattern[str]:
    """Compile a table of phrases into one pattern.

    Args:
        table: Regular expressions over plain words, apart by `` / `` or a new line; a line that
            stands further to the right goes on with the phrase above it, after a space unless
            it begins with ``|`` or a look-ahead. Phrases begin and end at the edges of words.
    """
    text = re.sub(r"\n +(?=\||\(\?[!=])", "", dedent(table).strip())
    text = re.sub(r"\n +", " ", text)
    phrases = [phrase for line in text.split("\n") for phrase in line.split(" / ")]
    return re.compile("|".join(_whole_words(phrase) for phrase in phrases))


def _whole_words(phrase: str) -> str:
    before = r"\b" if BEGINS_WORD.match(phrase) else ""
    after = r"(?![a-z0-9])" if phrase[-1].isalnum() or phrase[-1] in ")?}" else ""
    return before + phrase + after
