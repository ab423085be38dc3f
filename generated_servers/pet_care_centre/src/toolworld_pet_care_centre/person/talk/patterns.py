"""Compiles tables of wordings; the rules for an agent's messages are such tables."""

from __future__ import annotations

import re
from itertools import groupby
from textwrap import dedent

BOUNDARY = r"\b"
# "n't" stands at the end of a word: no word boundary comes before it.
BEGINS_WORD = re.compile(r"(?:\(\?:)*(?!n't)[a-z0-9]")


def any_of(table: str) -> re.Pattern[str]:
    """Compile a table of wordings into one pattern.

    Args:
        table: Regular expressions over plain words, separated by `` / `` or a new line. An indented
            line continues the wording above it, after a space unless it begins with ``|`` or a
            look-ahead. Wordings begin and end at word boundaries.
    """
    runs = groupby(map(_whole_words, _wordings(table)), key=lambda one: one.startswith(BOUNDARY))
    return re.compile("|".join(_alternatives(list(run), bounded) for bounded, run in runs))


def one_of(table: str) -> str:
    """Return a table of wordings as a regular expression group, for use in other patterns."""
    return f"(?:{'|'.join(_wordings(table))})"


def _wordings(table: str) -> list[str]:
    text = re.sub(r"\n +(?=\||\(\?[!=])", "", dedent(table).strip())
    text = re.sub(r"\n +", " ", text)
    return [wording for line in text.split("\n") for wording in line.split(" / ")]


def _alternatives(wordings: list[str], bounded: bool) -> str:
    """Return wordings as one pattern, which looks for a word boundary once if all begin at one."""
    if not bounded:
        return "|".join(wordings)
    return BOUNDARY + f"(?:{'|'.join(wording.removeprefix(BOUNDARY) for wording in wordings)})"


def _whole_words(wording: str) -> str:
    before = BOUNDARY if BEGINS_WORD.match(wording) else ""
    after = r"(?![a-z0-9])" if wording[-1].isalnum() or wording[-1] in ")?}" else ""
    return before + wording + after
