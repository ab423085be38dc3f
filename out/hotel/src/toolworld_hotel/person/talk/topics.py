"""Finds the facts that words are about: each fact has topics, words an agent may use for it.

A topic matches a run of words, singular or plural. Where two topics overlap, the longest wins.
Where two stand side by side, the second says what is meant ("order date").
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ...values import fold
from .patterns import one_of
from .sentences import plain
from .stated import Stated

MOST_PHRASES = 64
"""How many phrases are cached: each is searched for several kinds of topics."""
WORD = re.compile(r"[a-z0-9]+")
LINK_WORDS = one_of("""
    eur / usd / gbp / chf / is / are / was / will / would / be / of / comes? / amounts? / adds
    up / to
    for / this / that / the / a / an / your / return / order / now / only / just / on / file / at
    about / set / number / applies / including / shipping / taxe?s? / and / it's / in / total
""")
LEADS = re.compile(
    rf"(?:, (?:i\.e\.|that is|namely))?[\s:=($€£]*(?:{LINK_WORDS}\b[\s:=($€£]*){{0,6}}"
)
"""What may stand between a name and its value: "the fee for this return is 6.95"."""
IS = re.compile(r"[\s:=(]*(?:is\s|of\s|to\s)?[\s($€£]*")
"""What may stand between a fact and its value: "your zip code is 04112"."""
FOLLOWS = re.compile(r"[\s€£$]*(?:(?:will |would |to )?[a-z-]+\s)?")
"""What may stand between a value and its name: "a $6.95 return fee"."""


class Hit(NamedTuple):
    """A topic found in a text: its start, its end, and the fact it is about."""

    start: int
    end: int
    name: str


class Topics:
    """The topics of some facts, ready for searches."""

    def __init__(self, topics: Mapping[str, Sequence[str]]) -> None:
        """Index each topic by its first word."""
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for name, phrases in topics.items():
            for phrase in phrases:
                words = tuple(stem for stem, _, _ in _stems(plain(phrase)))
                if words:
                    self._by_first.setdefault(words[0], []).append((words, name))

    def found(self, text: str) -> list[Hit]:
        """Return the topics in a plain text, in its order, without those inside longer ones."""
        words = _stems(text)
        hits: list[Hit] = []
        reached = 0
        for index, (first, start, _) in enumerate(words):
            if first not in self._by_first:
                continue
            longest = self._longest(words, index, first)
            for length, name in longest:
                end = words[index + length - 1][2]
                if end > reached:
                    hits.append(Hit(start, end, name))
            reached = max([reached, *(words[index + length - 1][2] for length, _ in longest)])
        return _heads(hits, text)

    def names(self, text: str) -> list[str]:
        """Return the facts that a plain text is about, each once."""
        return list(dict.fromkeys(hit.name for hit in self.found(text)))

    def _longest(
        self, words: Sequence[tuple[str, int, int]], index: int, first: str
    ) -> list[tuple[int, str]]:
        """Return the longest topics that start at a word: several facts may share one."""
        fitting = [
            (len(topic), name)
            for topic, name in self._by_first[first]
            if topic == tuple(stem for stem, _, _ in words[index : index + len(topic)])
        ]
        most = max((length for length, _ in fitting), default=0)
        return [each for each in dict.fromkeys(fitting) if each[0] == most]


@lru_cache(MOST_PHRASES)
def _stems(text: str) -> tuple[tuple[str, int, int], ...]:
    """Return each word without a plural ending, with its start and end."""
    return tuple(_each_stem(text))


def _each_stem(text: str) -> Iterator[tuple[str, int, int]]:
    for match in WORD.finditer(text):
        word = match[0]
        if word == "s" and text[match.start() - 1 : match.start()] == "'":
            word = "is"
        elif len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
            word = word[:-2]
        elif len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
            word = word[:-1]
        yield word, *match.span()


def _heads(hits: list[Hit], text: str) -> list[Hit]:
    """Return the hits without the first of two that stand side by side; three stay, as a list."""
    kept: list[Hit] = []
    for run in _runs(hits, text):
        starts = sorted({hit.start for hit in run})
        kept += run if len(starts) != 2 else [hit for hit in run if hit.start == starts[1]]
    return kept


def _runs(hits: list[Hit], text: str) -> Iterator[list[Hit]]:
    run: list[Hit] = []
    for hit in hits:
        if run and hit.start != run[-1].start and text[run[-1].end : hit.start] != " ":
            yield run
            run = []
        run.append(hit)
    if run:
        yield run


def named(
    values: Sequence[Stated], written: str, words: str, facts: Topics, names: Topics
) -> list[str]:
    """Return the name that a text gives each of its values: "a fee of $6.95"; empty for none.

    Args:
        values: The values, in the order of the text.
        written: The text as written.
        words: The same in plain spelling.
        facts: Facts whose topics lead to a value: "your zip code is 04112".
        names: Other names of values, which stand before or after one: "a $6.95 fee".
    """
    leading, near = Places(facts.found(words)), Places(names.found(words))
    found: list[str] = []
    reached = 0
    for value in values:
        spelled = fold(written[value.start : value.end])
        start = words.find(spelled, reached)
        if start < 0:
            found.append("")
            continue
        reached = start + len(spelled)
        if value.kind == "percent":
            found.append("")
            continue
        name = near.before(start, words, LEADS) or near.after(start, reached, words)
        found.append(name or leading.before(start, words, IS))
    return found


class Places:
    """Where names stand in a text."""

    def __init__(self, hits: list[Hit]) -> None:
        """Note the hits, in the order of the text."""
        self._hits = hits

    def before(self, start: int, text: str, between: re.Pattern[str]) -> str:
        """Return the name that leads to the value that starts there; empty for none."""
        index = bisect_right(self._hits, start, key=lambda hit: hit.end) - 1
        if index < 0 or not between.fullmatch(text, self._hits[index].end, start):
            return ""
        return self._hits[index].name

    def after(self, start: int, end: int, text: str) -> str:
        """Return the name right after a value, or inside it, as in "no fee"; empty for none."""
        index = bisect_right(self._hits, start, key=lambda hit: hit.end)
        if index == len(self._hits):
            return ""
        hit = self._hits[index]
        return hit.name if FOLLOWS.fullmatch(text, end, max(end, hit.start)) else ""
