"""Which facts some words are about: each fact has topics, words that an agent may use for it.

A topic is found as a run of words, singular or plural. The longest topic wins where two cover
each other; of two that stand side by side the second says what is meant ("order date").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from .sentences import plain
from .stated import Stated

WORD = re.compile(r"[a-z0-9]+")
LEADS = re.compile(
    r"[\s:=($€£]*(?:(?:is|are|was|will|would|be|of|comes?|amounts?|adds|up|to|for|this|that|the|a|an"
    r"|your|return|order|now|only|just|on|file|at|about|set|number|applies|and|it's|in|total)\b"
    r"[\s:=($€£]*){0,6}"
)
"""What may stand between a name and its value: "the fee for this return is 6.95"."""
FOLLOWS = re.compile(
    r"[\s€£$]*(?:(?:for|in|as|a|the|of|return|extra|one-time|flat|restocking)\s){0,2}"
)
"""What may stand between a value and its name: "a $6.95 return fee"."""


class Hit(NamedTuple):
    """A topic found in a text: where it starts and ends, and the fact it is about."""

    start: int
    end: int
    name: str


class Topics:
    """The topics of some facts, ready to be looked for."""

    def __init__(self, topics: Mapping[str, Sequence[str]]) -> None:
        """Note each topic under its first word."""
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for name, phrases in topics.items():
            for phrase in phrases:
                words = tuple(stem for stem, _, _ in _stems(plain(phrase)))
                if words:
                    self._by_first.setdefault(words[0], []).append((words, name))

    def found(self, text: str) -> list[Hit]:
        """Return the topics in a plain text, in its order; those within longer ones left out."""
        words = list(_stems(text))
        hits: list[Hit] = []
        reached = 0
        for index, (first, start, _) in enumerate(words):
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
            for topic, name in self._by_first.get(first, ())
            if topic == tuple(stem for stem, _, _ in words[index : index + len(topic)])
        ]
        most = max((length for length, _ in fitting), default=0)
        return [each for each in dict.fromkeys(fitting) if each[0] == most]


def _stems(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each word without a plural ending, and where it starts and ends."""
    for match in WORD.finditer(text):
        word = match[0]
        if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
            word = word[:-2]
        elif len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
            word = word[:-1]
        yield word, *match.span()


def _heads(hits: list[Hit], text: str) -> list[Hit]:
    """Return the hits without the first of two that stand side by side; three make a list."""
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
    """Return the name that a text gives each of its values, or none: "a fee of $6.95".

    Args:
        values: The values, in the order of the text.
        written: The text as written.
        words: The same in plain spelling.
        facts: Facts whose topics lead to a value: "your zip code is 04112".
        names: What else a value may be called, before it or after: "a $6.95 fee".
    """
    leading, near = facts.found(words), names.found(words)
    found: list[str] = []
    reached = 0
    for value in values:
        spelled = plain(written[value.start : value.end])
        start = words.find(spelled, reached)
        if start < 0:
            found.append("")
            continue
        reached = start + len(spelled)
        name = _before(start, near, words) or _after(start, reached, near, words)
        found.append(name or _before(start, leading, words))
    return found


def _before(start: int, hits: Sequence[Hit], text: str) -> str:
    nearest = max((hit for hit in hits if hit.end <= start), default=None)
    if nearest is None or not LEADS.fullmatch(text[nearest.end : start]):
        return ""
    return nearest.name


def _after(start: int, end: int, hits: Sequence[Hit], text: str) -> str:
    """Return the name in a phrase such as "no fee", or right behind a value."""
    nearest = min((hit for hit in hits if hit.end > start), default=None)
    if nearest is None or not FOLLOWS.fullmatch(text[end : max(end, nearest.start)]):
        return ""
    return nearest.name
