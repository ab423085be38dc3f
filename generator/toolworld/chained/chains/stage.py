"""A package as task synthesis sees it: its graph, its rows, and how its tools are told apart."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, TypeAlias

from toolworld.chained.chains.actors import actors_of
from toolworld.chained.chains.samples import Samples
from toolworld.chained.episodes import ChainEpisode, Patch
from toolworld.chained.outline import Place
from toolworld.graph import ToolGraph
from toolworld.graph.examples import Explorer
from toolworld.graph.surface import Surface, ToolFacts
from toolworld.graph.values import places
from toolworld.packages import Package
from toolworld.packages.files import read_json

Json: TypeAlias = Any

MOST_ACCEPTED = 12


class ChainStage:
    """What does not change from task to task.

    Attributes:
        world: The rows of the seed database.
        clock: The world's time.
        values: What people say for free texts, by ``tool.argument``.
        accepted: Arguments that each tool is known to have taken.
        actors: The entities whose business a task is, such as customers.
    """

    def __init__(self, package: Package, graph: ToolGraph) -> None:
        """Look through the package once."""
        explorer = Explorer(package, graph.seed)
        self.package, self.graph = package, graph
        self.surface: Surface = explorer.surface
        self.world, self.clock = explorer.world, explorer.clock
        self._phrases = _phrases(package)
        self.values: Mapping[str, list[str]] = self._phrases.get("values", {})
        self.accepted = _accepted(graph)
        self.samples = Samples(self.world.rows.values())
        self.actors = actors_of(package, self.surface)

    def open(self, initial: Patch) -> ChainEpisode:
        """Return an episode that starts with a patch over the seed database."""
        return ChainEpisode(self.package, initial)

    @cached_property
    def edge_keys(self) -> frozenset[tuple[str, str, str]]:
        """What tells each edge of the graph from all others: its ends, and the candidate's key."""
        found = (edge.candidate for edge in self.graph.edges)
        return frozenset((one.source, one.target, one.key) for one in found)

    @cached_property
    def finders(self) -> dict[str, list[ToolFacts]]:
        """The tools that only read and whose results name rows of an entity."""
        return {
            entity: [
                tool for tool in self.tools if tool.read_only and entity in tool.result_ids.values()
            ]
            for entity in self.surface.entities
        }

    @cached_property
    def tools(self) -> list[ToolFacts]:
        """The tools that work: calls of the others are never made."""
        useless = {*self.graph.never, *self.graph.broken}
        return [tool for name, tool in self.surface.tools.items() if name not in useless]

    @cached_property
    def said_by_key(self) -> set[str]:
        """The entities whose keys people use: those they choose, and minted ones they have."""
        known = set(self._phrases.get("known_ids", ()))
        return known | {name for name, entity in self.surface.entities.items() if not entity.minted}

    def ids_in(self, tool: ToolFacts, values: Mapping[str, Json]) -> Iterator[tuple[str, Place]]:
        """Yield each place in a call's arguments where an id stands, and what it names."""
        for parts, entity in tool.id_places:
            for way, key in places(values, parts):
                yield way, (entity, str(key))

    def names_in(self, tool: ToolFacts, values: Mapping[str, Json]) -> Iterator[tuple[str, Place]]:
        """Yield each place in a call's arguments that names a row, by its key or otherwise."""
        for parts, named in tool.name_places:
            for way, value in places(values, parts):
                yield way, (named, str(value))

    def names_out(self, tool: ToolFacts, result: Json) -> Iterator[tuple[str, Place]]:
        """Yield each place in a result that names a row, by its key or otherwise."""
        for path, named in tool.result_names.items():
            for way, value in places(result, path.split(".")):
                yield way, (named, str(value))

    def ids_out(self, tool: ToolFacts, result: Json) -> Iterator[tuple[str, Place]]:
        """Yield each place in a result where an id stands, and what it names."""
        for parts, entity in tool.result_id_places:
            for way, key in places(result, parts):
                yield way, (entity, str(key))


def known_ids(package: Package) -> frozenset[str]:
    """Return the entities whose minted ids people have at hand."""
    return frozenset(_phrases(package).get("known_ids", ()))


def _phrases(package: Package) -> dict[str, Json]:
    path = package.files.phrases
    return dict(read_json(path)) if path.exists() else {}


def _accepted(graph: ToolGraph) -> dict[str, list[Mapping[str, Json]]]:
    accepted: dict[str, list[Mapping[str, Json]]] = {name: [] for name in graph.tools}
    for edge in graph.edges:
        for made in (edge.evidence.source, edge.evidence.target):
            known = accepted[made.tool]
            if len(known) < MOST_ACCEPTED and made.arguments not in known:
                known.append(made.arguments)
    return accepted


def rng_for(*about: object) -> random.Random:
    """Return random numbers that depend on what they are for alone."""
    return random.Random(":".join(map(str, about)))  # noqa: S311 - not for secrets
