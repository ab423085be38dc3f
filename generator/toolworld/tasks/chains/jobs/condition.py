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
from toolworld.tasks.chains.jobs.rows import own_id, refuses, row_of, some_row, without_other_ids
from toolworld.tasks.chains.questions import kind_of
from toolworld.tasks.chains.stage import Stage
from toolworld.tasks.chains.wording import ArgumentGuesser
from toolworld.tasks.outline import Condition, Mention, Request
from toolworld.tasks.rows import Place, Row

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
        for _ in range(ROWS_TRIED):
            place = some_row(self._stage, _about(done), self._rng)
            if place is None or (row := row_of(self._stage, place)).get(column) is None:
                return None
            known = self._closure.around(place, row)
            chain = self._on(place, row, (done, other), column, known)
            if chain is not None:
                return chain
        return None

    def _on(
        self,
        place: Place,
        row: Row,
        tools: tuple[ToolFacts, ToolFacts],
        column: str,
        known: Knowledge,
    ) -> Chain | None:
        done, other = tools
        chain = Chain(self._stage)
        values = self._accepted(chain, done, place, known)
        instead = self._guessed(other, place, known)
        if values is None or not refuses(chain, other, instead):
            return None
        tested = self._tested(other, place, column)
        if tested is None or tested == row[column]:
            return None
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

    def _tested(self, other: ToolFacts, place: Place, column: str) -> Json:
        """Return a value with which the other thing was done to some row, if one is known."""
        name, entity = own_id(other) or ("", place[0])
        rows = [
            self._stage.world.rows[entity].get(str(call[name]))
            for call in self._stage.accepted[other.name]
        ]
        values = sorted({str(row[column]) for row in rows if row is not None})
        return self._rng.choice(values) if values else None

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
    """Return each two tools that change the same rows and look at the same column of them."""
    writers = [tool for tool in stage.tools if not tool.read_only]
    return [
        (one, other, column)
        for one in writers
        for other in writers
        if one is not other and own_id(one) is not None and _about(one) == _about(other)
        for column in _deciding(stage, one, other)
    ]


def _deciding(stage: Stage, one: ToolFacts, other: ToolFacts) -> list[str]:
    entity = _about(one)
    table = stage.surface.entities[entity].table
    reader = reader_of(stage, entity)
    if reader is None:
        return []
    columns = stage.schemas[reader.name]["properties"]
    return [
        name
        for name, schema in columns.items()
        if kind_of(schema) == "enum" and f"{table}.{name}" in one.reads & other.reads
    ]


def reader_of(stage: Stage, entity: str) -> ToolFacts | None:
    """Return a tool that shows one row of an entity by its key, if there is one."""
    return next(
        (
            tool
            for tool in stage.finders[entity]
            if tool.result == entity and _about(tool) == entity
            if not any(path.startswith("items.") for path in tool.result_ids)
        ),
        None,
    )


def _about(tool: ToolFacts) -> str:
    own = own_id(tool)
    return own[1] if own else ""
