"""Arguments for a tool from what other tools gave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toolworld.graph.surface import ToolFacts
from toolworld.graph.values import at, places
from toolworld.tasks.growth.links import Sample

Json = Any

MOST_KEPT = 4
"""How many ids of an entity, and rows of a listing, are kept: people look at the first."""


Lesson = Mapping[str, list[str]]
"""The ids that a call gave, by entity, as far as they are kept."""


def lesson(tool: ToolFacts, result: Json) -> Lesson:
    """Return the ids in what a tool gave; of a listing, those in its first rows."""
    if "items" in result:
        result = {**result, "items": result["items"][:MOST_KEPT]}
    found: dict[str, list[str]] = {}
    for path, entity in tool.result_ids.items():
        fresh = at(result, path)
        if fresh:
            found[entity] = _latest(fresh, found.get(entity))
    return found


def first_rows(tool: ToolFacts, arguments: Json) -> Json:
    """Return arguments that ask for no more rows of a listing than are kept."""
    is_listing = tool.read_only and "limit" in tool.parameters
    return {**arguments, "limit": MOST_KEPT} if is_listing else arguments


class Pool:
    """The ids that tools gave, by entity, the latest first."""

    def __init__(self) -> None:
        """Start with none."""
        self.ids: dict[str, list[str]] = {}

    def learn(self, learned: Lesson) -> None:
        """Take in what a call gave."""
        for entity, fresh in learned.items():
            self.ids[entity] = _latest(fresh, self.ids.get(entity))


def _latest(fresh: list[str], known: list[str] | None) -> list[str]:
    """Return the ids that are kept of new ones and of those that were known."""
    return list(dict.fromkeys([*fresh, *(known or ())]))[:MOST_KEPT]


def fed(tool: ToolFacts, samples: list[Sample], pool: Pool, tries: int) -> Iterator[Json]:
    """Yield arguments like those of calls that succeeded, with the ids that are in a pool.

    Args:
        tool: The tool.
        samples: Its calls that succeeded.
        pool: Where ids come from; ids of other entities stay as they were.
        tries: How many to yield at most: each takes the next sample and the next ids.
    """
    for turn in range(tries if samples else 0):
        sample = samples[turn % len(samples)]
        arguments = first_rows(tool, sample.arguments)
        for parameter in tool.parameters.values():
            for path, entity in parameter.ids.items():
                ids = pool.ids.get(entity)
                if ids:
                    arguments = _put(arguments, path, ids[turn % len(ids)])
        yield arguments


def _put(arguments: Mapping[str, Json], path: str, value: str) -> Mapping[str, Json]:
    """Return arguments with a value wherever something stands at a path."""
    if arguments.get(path) is not None:  # most paths, at once
        return {**arguments, path: value}
    for way, _ in list(places(arguments, path.split("."))):
        arguments = _replaced(arguments, way.split("."), value)
    return arguments


def _replaced(value: Json, way: list[str], new: Json) -> Json:
    if not way:
        return new
    if isinstance(value, list):
        number = int(way[0])
        return [*value[:number], _replaced(value[number], way[1:], new), *value[number + 1 :]]
    return {**value, way[0]: _replaced(value[way[0]], way[1:], new)}
