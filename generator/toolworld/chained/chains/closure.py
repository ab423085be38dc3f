"""Where the ids of a call come from: an earlier result, a look-up put before it, or the person.

An argument that none of these gives cannot be known, and the call is not made.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from heapq import heappop, heappush
from typing import Any, TypeAlias

from toolworld.chained.chains.chain import Chain, ResultPlace, Sources
from toolworld.chained.chains.ledger import UseLedger
from toolworld.chained.chains.stage import ChainStage
from toolworld.chained.outline import Place, Row
from toolworld.graph.arguments import fits
from toolworld.graph.knowledge import Knowledge
from toolworld.graph.surface import ParameterFacts, ToolFacts
from toolworld.graph.values import holds, placed

Json: TypeAlias = Any

Way = tuple[ToolFacts, Mapping[str, Json]]
"""A look-up that may show a row: its tool and its arguments."""

DEEPEST = 3
MOST_FINDERS = 8
ROWS_NEAR = 16


class Closure:
    """Finds sources for the ids of calls."""

    def __init__(
        self, stage: ChainStage, ledger: UseLedger, rng: random.Random, said_by_key: float
    ) -> None:
        """Take what look-ups are chosen by, and how often a key is said instead."""
        self._stage, self._ledger, self._rng = stage, ledger, rng
        self._said_by_key = said_by_key

    def sources(
        self,
        chain: Chain,
        tool: ToolFacts,
        values: Mapping[str, Json],
        given: Mapping[str, ResultPlace] | None = None,
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
        found: dict[str, ResultPlace | None] = dict(given or {})
        for way, place in self._stage.ids_in(tool, values):
            if way in found:
                continue
            known, source = self._source(chain, place, depth)
            if not known:
                chain.back(mark)
                return None
            found[way] = source
        return found

    def _source(self, chain: Chain, place: Place, depth: int) -> tuple[bool, ResultPlace | None]:
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

    def _look_up(self, chain: Chain, place: Place, depth: int) -> ResultPlace | None:
        """Put look-ups before what comes, the last of which shows a key."""
        row = chain.row(place)
        if row is None:
            return None
        for finder, values in self._nearest_first(chain, place, row):
            found = self._take(chain, finder, values, place, depth)
            if found is not None:
                return found
        return None

    def _nearest_first(self, chain: Chain, place: Place, row: Row) -> Iterator[Way]:
        """Yield the look-ups that show a row, those nearest to what people know first.

        How far one is depends on the rows it needs, and on those it shows: what needs rows is
        only tried when nothing nearer is left.
        """
        left: list[tuple[int, int, bool, Way]] = []
        for number, way in enumerate(self._ways(place, row)):
            far = self._needs(chain, way)
            if far == 0:
                shown = self._shows(chain, way, place)
                if shown is not None:
                    heappush(left, (shown, number, True, way))
                if shown == 0:
                    break  # no other can be nearer
            else:
                heappush(left, (far, number, False, way))
        while left:
            far, number, tried, way = heappop(left)
            if tried:
                yield way
            elif (shown := self._shows(chain, way, place)) is not None:
                heappush(left, (far + shown, number, True, way))

    def _ways(self, place: Place, row: Row) -> Iterator[Way]:
        known = cache(partial(self.around, place, row))
        for finder in self._finders(place[0]):
            for values in self.calls_for(finder, place, row, known):
                if not holds(values, place[1]):
                    yield finder, values

    def _needs(self, chain: Chain, way: Way) -> int:
        """Return how far a look-up is from what people know for the rows it needs."""
        needed = [chain.found(place) for _, place in self._stage.ids_in(*way)]
        return 2 * needed.count(None)

    def _shows(self, chain: Chain, way: Way, place: Place) -> int | None:
        """Return how far a row is in what a look-up shows, or None if it is not there.

        The rows that one has to be told from count in powers of four.
        """
        result = chain.peek(*way)
        if result.is_error or place[1] not in result.text:
            return None
        return len(result.structured.get("items", "1")).bit_length() // 2

    def _finders(self, entity: str) -> Iterator[ToolFacts]:
        finders = {tool.name: tool for tool in self._stage.finders[entity]}
        for _ in range(min(MOST_FINDERS, len(finders))):
            yield finders.pop(self._ledger.pick_tool([*finders], self._rng))

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

    def _take(
        self,
        chain: Chain,
        finder: ToolFacts,
        values: Mapping[str, Json],
        place: Place,
        depth: int,
    ) -> ResultPlace | None:
        mark = chain.mark()
        sources = self.sources(chain, finder, values, depth=depth - 1)
        step = chain.call(finder, values, sources) if sources is not None else None
        found = chain.found(place) if step else None
        if step is None or found is None:
            chain.back(mark)
            return None
        return found


def _fits(value: Json, schema: Mapping[str, Json]) -> bool:
    arm = schema["anyOf"][0] if "anyOf" in schema else schema
    if "enum" in arm:
        return value in arm["enum"]
    return arm["type"] not in ("array", "object") and fits(value, arm)
