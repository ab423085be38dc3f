"""The look-ups that lead from what a person knows to the rows that some tools take.

A look-up leads to an entity if it only reads, gives rows of that entity, and takes what people
know or ids that other such look-ups give.
"""

from __future__ import annotations

from collections.abc import Iterable

from toolworld.graph import ToolGraph
from toolworld.graph.surface import Surface
from toolworld.tasks.context.links import Links, ToolSet, numbers


class LeadingLookUps:
    """The look-ups of a package, found once."""

    def __init__(self, graph: ToolGraph, surface: Surface, links: Links) -> None:
        """Find which look-ups lead to each entity."""
        places = {name: place for place, name in enumerate(links.order)}
        self._named: list[set[str]] = [set() for _ in links.order]
        self._needed: list[set[str]] = [set() for _ in links.order]
        for argument in graph.arguments:
            if argument.entity:
                tool = places[argument.tool]
                self._named[tool].add(argument.entity)
                if argument.required and not argument.known:
                    self._needed[tool].add(argument.entity)
        self._finders: dict[str, list[int]] = {entity: [] for entity in surface.entities}
        for tool in numbers(links.readers & links.all):
            shown = surface.tools[links.order[tool]].result
            if shown in self._finders:
                self._finders[shown].append(tool)
        self._drop_what_leads_from_nowhere()

    def _drop_what_leads_from_nowhere(self) -> None:
        """Keep the look-ups whose arguments come from people or from other look-ups."""
        reached: set[str] = set()
        while more := {
            entity
            for entity, found in self._finders.items()
            if entity not in reached and any(self._needed[one] <= reached for one in found)
        }:
            reached |= more
        for entity, found in self._finders.items():
            found[:] = [one for one in found if self._needed[one] <= reached | {entity}]

    def leading_to(self, tools: Iterable[int]) -> ToolSet:
        """Return the look-ups that lead to rows that some tools take."""
        found = 0
        wanted = [entity for tool in tools for entity in self._named[tool]]
        seen: set[str] = set()
        while wanted:
            entity = wanted.pop()
            if entity not in seen:
                seen.add(entity)
                for one in self._finders[entity]:
                    found |= 1 << one
                    wanted += self._named[one]
        return found
