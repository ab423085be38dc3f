"""Whether a person's words tell one row from another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from toolworld.prove.facts import leaves
from toolworld.tasks.certificate.facts import Facts
from toolworld.tasks.certificate.words import Said

Json = Any
Pairs = set[tuple[str, Json]]
Values = Mapping[str, Sequence[Json]]
"""The values of a row by the names they stand under."""

TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
SPEAKER = re.compile(r"\b(?:I'm|I am|this is|it is|name is|my name|here)\b", re.IGNORECASE)
RANKING = re.compile(
    r"\b(?:first|last|least|most|next|best|worst|recent(?:ly)?|[a-z]{3,}est)\b(?! (?:digits|name))",
    re.IGNORECASE,
)
CONNECTING = re.compile(r"^(?:first|next|last of all|in the last place|at last)\b", re.IGNORECASE)
OF_ALL = re.compile(r"\b(?:among|over all of) them\b", re.IGNORECASE)
NUMBERS = (int, float)
DAY = len("2026-03-01")
NO_RANKING = frozenset(
    "forest guest honest interest invest modest protest request rest suggest test west".split()
)


class Told:
    """What is said of a row and of those it names, found out as far as it is asked for."""

    def __init__(self, said: Said, meant: Sequence[Values], near: Sequence[Values]) -> None:
        """Take what the person says, the row, and the rows it names."""
        self._said, self._meant, self._near = said, meant, near

    @cached_property
    def mine(self) -> Pairs:
        """What is said of the row."""
        return self._of(self._meant)

    @cached_property
    def near(self) -> Pairs:
        """What is said of the rows that it names."""
        return self._of(self._near)

    def _of(self, rows: Iterable[Values]) -> Pairs:
        found = ((name, value) for row in rows for name, values in row.items() for value in values)
        pairs = ((name, _as_day(value)) for name, value in found)
        return {pair for pair in pairs if self._said.tells(pair[1])}


class Telling:
    """What each sentence of an instruction says of rows."""

    def __init__(self, facts: Facts, said: Said, task: Mapping[str, Json]) -> None:
        """Take the texts of a task as a whole, to be looked at one by one where need be."""
        self._facts, self._said = facts, said
        self._known = [str(value) for _, value in leaves(task.get("known_info", {}))]
        self._instruction = SENTENCE_END.split(task["instruction"])

    @cached_property
    def _sentences(self) -> list[Said]:
        return [Said(self._facts, text, {}) for text in (*self._instruction, *self._known)]

    @cached_property
    def ranks(self) -> bool:
        """Whether a row is picked as the first, latest, cheapest or the like."""
        return any(self._ranking(False))

    @cached_property
    def ranks_columns(self) -> bool:
        """Whether the highest or lowest of all values is asked for."""
        return any(self._ranking(True))

    def _ranking(self, of_all: bool) -> Iterator[bool]:
        for sentence in (*self._instruction, *self._known):
            if of_all or not OF_ALL.search(sentence):
                yield _ranks(CONNECTING.sub("", sentence))

    def told(self, meant: Sequence[Values], near: Sequence[Values]) -> Told:
        """Return what is said of a row.

        Args:
            meant: The row; of an item that is no row, also the rows it is made of.
            near: The rows it names.
        """
        return Told(self._said, meant, near)

    def apart(self, told: Told, others: Sequence[Values]) -> bool:
        """Whether anything that is said of a row does not hold of another.

        What is said of the rows that a row names counts where it is said together with something
        of the row, or by the speaker of themselves.

        Args:
            told: What is said of the row.
            others: The other row, and the rows that names.
        """
        if _lacking(told.mine, others):
            return True
        beside = _lacking(told.near, others)
        weighty = {pair for pair in told.mine if not isinstance(pair[1], NUMBERS)}
        if not weighty or not beside:
            return bool(beside)
        return any(
            _says_any(sentence, beside)
            and (_says_any(sentence, weighty) or SPEAKER.search(sentence.whole) is not None)
            for sentence in self._sentences
        )


def by_name(row: Mapping[str, Json]) -> Values:
    """Return the values of a row by the names they stand under."""
    values: dict[str, list[Json]] = {}
    for name, value in leaves(row):
        values.setdefault(name, []).append(value)
    return values


def _lacking(pairs: Pairs, rows: Iterable[Values]) -> Pairs:
    """Return the values that rows do not have under the same name."""
    for row in rows:
        if not pairs:
            break
        there = [pair for pair in pairs if pair[0] in row and _holds(row[pair[0]], pair[1])]
        pairs = pairs.difference(there) if there else pairs
    return pairs


def _holds(values: Sequence[Json], wanted: Json) -> bool:
    return any(_as_day(value) == wanted for value in values)


def _as_day(value: Json) -> Json:
    """Return a value, of a time its day, which people say."""
    if isinstance(value, str) and value[DAY : DAY + 1] == "T" and TIME.match(value):
        return value[:DAY]
    return value


def _ranks(sentence: str) -> bool:
    return any(word.lower() not in NO_RANKING for word in RANKING.findall(sentence))


def _says_any(sentence: Said, pairs: Pairs) -> bool:
    return any(sentence.tells(value) for _, value in pairs)
