"""The same for every row that a listing shows: "cancel all my pending orders"."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

from toolworld.graph.surface import ToolFacts
from toolworld.tasks.chains.chain import Chain, Reference
from toolworld.tasks.chains.closure import Closure
from toolworld.tasks.chains.jobs.rows import (
    has,
    own_id,
    row_of,
    row_with,
    without_other_ids,
    worked_at,
)
from toolworld.tasks.chains.stage import Stage
from toolworld.tasks.chains.wording import ArgumentGuesser
from toolworld.tasks.outline import Every
from toolworld.tasks.rows import Place

Json = Any

FEWEST, MOST = 2, 5
ROWS_TRIED, CALLS_TRIED = 4, 4


class Loops:
    """Makes chains that do one thing to several rows."""

    def __init__(self, stage: Stage, closure: Closure, rng: random.Random) -> None:
        """Take what chains are made from."""
        self._stage, self._closure, self._rng = stage, closure, rng
        self._guesser = ArgumentGuesser(stage, rng)
        self._start = stage.episodes.open()

    def make(self, listing: ToolFacts, tool: ToolFacts) -> Chain | None:
        """Return a chain in which a tool is used on all rows of a listing, or None."""
        own, likely = own_id(tool), worked_at(self._stage, tool)
        for _ in range(ROWS_TRIED if own else 0):
            place = row_with(self._stage, own[1], likely, self._rng) if own else None
            if place is not None and (chain := self._around(place, listing, tool, likely)):
                return chain
        return None

    def _around(
        self, place: Place, listing: ToolFacts, tool: ToolFacts, likely: Mapping[str, set[Json]]
    ) -> Chain | None:
        """Return a chain on a listing near a row that shows none where the tool will not work."""
        rows = self._stage.world.rows[place[0]]
        for values in self._listings(listing, place):
            keys = self._keys(listing, values, place[0])
            if keys and all(has(rows[key], likely) for key in keys):
                chain = self._on_all(listing, values, tool, place, keys)
                if chain is not None:
                    return chain
        return None

    def _listings(self, listing: ToolFacts, place: Place) -> Iterator[Mapping[str, Json]]:
        """Yield listings near a row: by what it names, with and without one of its values."""
        row = row_of(self._stage, place)
        known = cache(partial(self._closure.around, place, row))
        for values in self._closure.calls_for(listing, place, row, known):
            filters = [name for name in _filters(listing) if row.get(name) is not None]
            self._rng.shuffle(filters)
            for name in filters:
                yield {**values, name: row[name]}
            yield values

    def _on_all(
        self,
        listing: ToolFacts,
        values: Mapping[str, Json],
        tool: ToolFacts,
        place: Place,
        keys: list[str],
    ) -> Chain | None:
        arguments = self._arguments(tool, place, keys)
        if arguments is None:
            return None
        chain = Chain(self._stage)
        sources = self._closure.sources(chain, listing, values)
        if sources is None or chain.call(listing, values, sources) is None:
            return None
        if None in sources.values():
            chain.request("knows")
        every = Every(place[0], values, len(keys))
        return chain if self._do(chain, tool, arguments, every) else None

    def _keys(self, listing: ToolFacts, values: Mapping[str, Json], entity: str) -> list[str]:
        """Return the keys a listing shows, if it is short and shows all; else none."""
        result = self._start.peek(listing.name, values)
        if result.is_error:
            return []
        page, key = result.structured, self._stage.surface.entities[entity].key
        whole = page["next_cursor"] is None and FEWEST <= len(page["items"]) <= MOST
        return [item[key] for item in page["items"]] if whole else []

    def _arguments(self, tool: ToolFacts, place: Place, keys: list[str]) -> dict[str, Json] | None:
        """Return arguments with which a tool succeeds on all rows, but for the row itself."""
        own = own_id(tool)
        if own is None:
            return None
        known = self._closure.around(place, row_of(self._stage, place))
        for _ in range(CALLS_TRIED):
            guessed = without_other_ids(tool, self._guesser.guess(tool, known))
            if self._succeeds(tool, [{**guessed, own[0]: key} for key in keys]):
                return guessed
        return None

    def _succeeds(self, tool: ToolFacts, calls: list[dict[str, Json]]) -> bool:
        """Whether a tool does something each time."""
        episode = self._stage.episodes.open()
        for values in calls:
            before = episode.now()
            if episode.call(tool.name, values).is_error or episode.is_as_at(before):
                return False
        return True

    def _do(self, chain: Chain, tool: ToolFacts, values: dict[str, Json], every: Every) -> bool:
        own = own_id(tool)
        listed = len(chain.steps) - 1
        key = self._stage.surface.entities[every.entity].key
        items = chain.steps[listed].result["items"]
        for index, item in enumerate(items if own else ()):
            name = own[0] if own else ""
            sources = {name: Reference(listed, f"items.{index}.{key}")}
            if chain.call(tool, {**values, name: item[key]}, sources) is None:
                return False
        first = chain.request_for(listed + 1, "does")
        chain.requests.append(replace(first, every=every))
        return True


def loop_pairs(stage: Stage) -> list[tuple[ToolFacts, ToolFacts]]:
    """Return each listing with each tool that changes one of its rows."""
    return [
        (listing, tool)
        for tool in stage.tools
        if not tool.read_only and (own := own_id(tool)) is not None
        for listing in stage.finders[own[1]]
        if _lists(listing, own[1])
    ]


def _lists(listing: ToolFacts, entity: str) -> bool:
    return listing.result == entity and any(path.startswith("items") for path in listing.result_ids)


def _filters(listing: ToolFacts) -> list[str]:
    """Return the optional parameters of a listing that take one of a few values."""
    return [
        name
        for name, part in listing.parameters.items()
        if not part.required
        and any("enum" in arm for arm in listing.schema["properties"][name].get("anyOf", ()))
    ]
