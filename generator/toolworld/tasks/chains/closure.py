"""Where the ids of a call come from: an earlier result, a look-up put before it, or the person.

An argument that none of these gives cannot be known, and the call is not made.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any

from toolworld.graph.arguments import fits
from toolworld.graph.knowledge import Knowledge
from toolworld.graph.surface import ParameterFacts, ToolFacts
from toolworld.graph.values import holds, placed
from toolworld.tasks.chains.chain import Chain, Reference, Sources
from toolworld.tasks.chains.ledger import Ledger
from toolworld.tasks.chains.stage import Stage
from toolworld.tasks.rows import Place, Row

Json = Any

Way = tuple[int, ToolFacts, Mapping[str, Json]]
"""A look-up that shows a row: how far it is from what people know, its tool and its arguments."""

DEEPEST = 3
MOST_FINDERS = 8
ROWS_NEAR = 16


class Closure:
    """Finds sources for the ids of calls."""

    def __init__(
        self, stage: Stage, ledger: Ledger, rng: random.Random, said_by_key: float
    ) -> None:
        """Take what look-ups are chosen by, and how often a key is said instead."""
        self._stage, self._ledger, self._rng = stage, ledger, rng
        self._said_by_key = said_by_key

    def sources(
        self,
        chain: Chain,
        tool: ToolFacts,
        values: Mapping[str, Json],
        given: Mapping[str, Reference] | None = None,
        depth: int = DEEPEST,
    ) -> Sources | None:
        """Return a source for each id of a call, or None if one cannot be known.

        Look-ups that are needed are made and stand in the chain afterwards.

        Args:
            chain: The calls before it.
            tool: The tool to be called.
            values: Its arguments.
            given: Sources that are settled, by place.
            depth: How many look-ups may need one another.
        """
        mark = chain.mark()
        found: dict[str, Reference | None] = dict(given or {})
        for way, place in self._stage.ids_in(tool, values):
            if way in found:
                continue
            known, source = self._source(chain, place, depth)
            if not known:
                chain.back(mark)
                return None
            found[way] = source
        return found

    def _source(self, chain: Chain, place: Place, depth: int) -> tuple[bool, Reference | None]:
        """Return whether a key can be known, and where it is seen unless the person says it."""
        entity, _ = place
        seen = chain.found(place)
        if seen is not None:
            return True, seen
        if not self._stage.surface.entities[entity].minted:
            return True, None
        said = entity in self._stage.said_by_key and chain.row(place) is not None
        if said and self._rng.random() < self._said_by_key:
            return True, None
        found = self._look_up(chain, place, depth) if depth else None
        return (True, found) if found else (said, None)

    def _look_up(self, chain: Chain, place: Place, depth: int) -> Reference | None:
        """Put look-ups before what comes, the last of which shows a key."""
        row = chain.row(place)
        if row is None:
            return None
        ways: list[Way] = []
        for way in self._ways(chain, place, row):
            ways.append(way)
            if way[0] == 0:
                break  # no other can be nearer
        for _, finder, values in sorted(ways, key=lambda way: way[0]):
            found = self._take(chain, finder, values, place, depth)
            if found is not None:
                return found
        return None

    def _ways(self, chain: Chain, place: Place, row: Row) -> Iterator[Way]:
        known = cache(partial(self.around, place, row))
        for finder in self._finders(place[0]):
            for values in self.calls_for(finder, place, row, known):
                if self._shows(chain, finder, values, place):
                    yield self._width(chain, finder, values), finder, values

    def _width(self, chain: Chain, finder: ToolFacts, values: Mapping[str, Json]) -> int:
        """Return how far a look-up is from what people know: rows it shows, and rows it needs.

        The rows that one has to be told from count in powers of four.
        """
        result = chain.peek(finder, values).structured
        places = [place for _, place in self._stage.ids_in(finder, values)]
        unknown = [place for place in places if chain.found(place) is None]
        return len(result.get("items", "1")).bit_length() // 2 + 2 * len(unknown)

    def _finders(self, entity: str) -> list[ToolFacts]:
        finders = {tool.name: tool for tool in self._stage.finders[entity]}
        left, chosen = [*finders], list[ToolFacts]()
        while left and len(chosen) < MOST_FINDERS:
            name = self._ledger.pick_tool(left, self._rng)
            left.remove(name)
            chosen.append(finders[name])
        return chosen

    def around(self, place: Place, row: Row) -> Knowledge:
        """Return what stands in a row and next to it, the row itself latest."""
        stage = self._stage
        known = Knowledge(stage.world)
        near = []
        if place[1] in stage.world.rows[place[0]]:
            near = stage.world.around_row(self._rng, *place, ROWS_NEAR)
        known.learn_rows(reversed([*near, (place[0], row)]))
        known.learn_rows([(place[0], row)])
        return known

    def calls_for(
        self, finder: ToolFacts, place: Place, row: Row, known: Callable[[], Knowledge]
    ) -> Iterator[Mapping[str, Json]]:
        """Yield arguments that may show a row: those needed, then with rows or values it names.

        What is known around the row is looked for when it is needed: most of it is in the row.
        """
        needed = self._needed(finder, place, row, known)
        if needed is None:
            return
        yield needed
        narrower = dict(needed)
        for part in finder.parameters.values():
            if part.name not in needed and part.ids:
                narrower |= self._ids(part, place, row, known) or {}
        if narrower != needed:
            yield narrower

    def _needed(
        self, finder: ToolFacts, place: Place, row: Row, known: Callable[[], Knowledge]
    ) -> dict[str, Json] | None:
        values: dict[str, Json] = {}
        for part in finder.parameters.values():
            if not part.required:
                continue
            value = (
                self._ids(part, place, row, known) if part.ids else self._plain(finder, part, known)
            )
            if value is None:
                return None
            values |= value
        return values

    def _ids(
        self, part: ParameterFacts, place: Place, row: Row, known: Callable[[], Knowledge]
    ) -> dict[str, Json] | None:
        """Return a parameter with rows that a row names or that are near; never itself."""
        value: Json = None
        named_by_row = self._stage.world.lesson(place[0], row).named
        for path, entity in part.ids.items():
            named = [key for other, key in named_by_row if other == entity]
            keys = named or [key for key in known().ids(entity) if key != place[1]]
            if not keys:
                return None
            parts = path.split(".")[1:]
            value = placed(value, parts, keys[0]) if parts else keys[0]
        return {part.name: value}

    def _plain(
        self, finder: ToolFacts, part: ParameterFacts, known: Callable[[], Knowledge]
    ) -> dict[str, Json] | None:
        schema = finder.schema["properties"][part.name]
        values = [value for value in known().about(part.name) if _fits(value, schema)]
        return {part.name: values[0]} if values else None

    def _shows(
        self, chain: Chain, finder: ToolFacts, values: Mapping[str, Json], place: Place
    ) -> bool:
        if holds(values, place[1]):
            return False
        result = chain.peek(finder, values)
        return not result.is_error and place[1] in result.text

    def _take(
        self,
        chain: Chain,
        finder: ToolFacts,
        values: Mapping[str, Json],
        place: Place,
        depth: int,
    ) -> Reference | None:
        mark = chain.mark()
        sources = self.sources(chain, finder, values, depth=depth - 1)
        step = chain.call(finder, values, sources) if sources is not None else None
        found = chain.found(place) if step else None
        if step is None or found is None:
            chain.back(mark)
            return None
        if says_something(step.tool, values, sources or {}):
            chain.request("knows")
        return found


def says_something(tool: ToolFacts, values: Mapping[str, Json], sources: Sources) -> bool:
    """Whether a call has arguments that only a person can give."""
    given = [part for name, part in tool.parameters.items() if name in values]
    return any(not part.ids for part in given) or None in sources.values()


def _fits(value: Json, schema: Mapping[str, Json]) -> bool:
    arm = schema["anyOf"][0] if "anyOf" in schema else schema
    if "enum" in arm:
        return value in arm["enum"]
    return arm["type"] not in ("array", "object") and fits(value, arm)
