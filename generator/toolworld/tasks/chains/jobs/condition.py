"""One of two things, by what a row is: "if it has shipped, return it, otherwise cancel it"."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from toolworld.graph.knowledge import Knowledge
from toolworld.graph.surface import ToolFacts
from toolworld.tasks.chains.chain import Chain
from toolworld.tasks.chains.closure import Closure
from toolworld.tasks.chains.jobs.rows import (
    about,
    own_id,
    reader_of,
    refuses,
    row_of,
    row_with,
    without_other_ids,
    worked_at,
)
from toolworld.tasks.chains.stage import Stage
from toolworld.tasks.chains.wording import ArgumentGuesser
from toolworld.tasks.outline import Condition, Mention, Request
from toolworld.tasks.rows import Place

Json = Any

ROWS_TRIED, CALLS_TRIED = 4, 3


class Conditions:
    """Makes chains in which a row's column decides what is done to it."""

    def __init__(self, stage: Stage, closure: Closure, rng: random.Random) -> None:
        """Take what chains are made from."""
        self._stage, self._closure, self._rng = stage, closure, rng
        self._guesser = ArgumentGuesser(stage, rng)

    def make(self, done: ToolFacts, other: ToolFacts, column: str) -> Chain | None:
        """Return a chain that does one thing where the other cannot be done, or None."""
        values = {column: deciding(self._stage, done, other)[column]}
        for _ in range(ROWS_TRIED):
            place = row_with(self._stage, about(done), values, self._rng)
            chain = self._on(place, (done, other), column) if place else None
            if chain is not None:
                return chain
        return None

    def _on(self, place: Place, tools: tuple[ToolFacts, ToolFacts], column: str) -> Chain | None:
        (done, other), row = tools, row_of(self._stage, place)
        known = self._closure.around(place, row)
        chain = Chain(self._stage)
        values = self._accepted(chain, done, place, known)
        instead = self._guessed(other, place, known)
        if values is None or not refuses(chain, other, instead):
            return None
        tested = self._rng.choice(sorted(worked_at(self._stage, other)[column] - {None}))
        holds = self._rng.random() < 0.5
        reader = reader_of(self._stage, place[0])
        if reader is None or not self._look(chain, reader, place):
            return None
        return self._do(
            chain, done, values, place, column, row[column] if holds else tested, (other, instead)
        )

    def _guessed(self, tool: ToolFacts, place: Place, known: Knowledge) -> dict[str, Json]:
        guessed = without_other_ids(tool, self._guesser.guess(tool, known))
        return {**guessed, own_id(tool)[0]: place[1]}  # type: ignore[index]

    def _accepted(
        self, chain: Chain, tool: ToolFacts, place: Place, known: Knowledge
    ) -> dict[str, Json] | None:
        for _ in range(CALLS_TRIED):
            values = self._guessed(tool, place, known)
            if not chain.peek(tool, values).is_error:
                return values
        return None

    def _look(self, chain: Chain, reader: ToolFacts, place: Place) -> bool:
        values = {own_id(reader)[0]: place[1]}  # type: ignore[index]
        sources = self._closure.sources(chain, reader, values)
        return sources is not None and chain.call(reader, values, sources) is not None

    def _do(
        self,
        chain: Chain,
        tool: ToolFacts,
        values: Mapping[str, Json],
        place: Place,
        column: str,
        tested: Json,
        other: tuple[ToolFacts, Mapping[str, Json]],
    ) -> Chain | None:
        sources = self._closure.sources(chain, tool, values)
        if sources is None or chain.call(tool, values, sources) is None:
            return None
        # The row is described as for the look that decides, where it could be mistaken.
        shown = chain.first_mention(*place)
        if shown is None:
            return None
        request = chain.request_for(len(chain.steps) - 1, "does")
        condition = Condition(
            mention=shown,
            column=column,
            value=tested,
            holds=shown.row[column] == tested,
            other=self._other(chain, other, shown),
        )
        chain.requests.append(replace(request, condition=condition))
        return chain

    def _other(
        self, chain: Chain, other: tuple[ToolFacts, Mapping[str, Json]], shown: Mention
    ) -> Request:
        tool, values = other
        name = own_id(tool)[0]  # type: ignore[index]
        mention = replace(shown, path=name)
        return Request(len(chain.steps) - 1, tool.name, values, "does", (mention,))


def condition_pairs(stage: Stage) -> list[tuple[ToolFacts, ToolFacts, str]]:
    """Return each two tools that change the same rows, and a column by which one of them does."""
    writers = [tool for tool in stage.tools if not tool.read_only]
    return [
        (one, other, column)
        for one in writers
        for other in writers
        if one is not other and own_id(one) is not None and about(one) == about(other)
        for column in deciding(stage, one, other)
    ]


def deciding(stage: Stage, done: ToolFacts, other: ToolFacts) -> dict[str, set[Json]]:
    """Return the values, by column, with which one tool is known to have worked and not another."""
    first, second = worked_at(stage, done), worked_at(stage, other)
    left = {column: first[column] - second[column] for column in first if column in second}
    return {column: values - {None} for column, values in left.items() if values - {None}}
