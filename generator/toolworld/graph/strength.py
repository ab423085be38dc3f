"""Which edges are strong, and which only happen to carry an id.

A person who wants something is led by a look-up to the row that is meant, and from what one
call makes to the next. That the fourth row of some page also names a customer leads nobody
anywhere: such edges exist, but no story goes along them.
"""

from __future__ import annotations

from typing import Literal

from toolworld.graph.candidates import Candidate
from toolworld.graph.surface import EntityFacts, Surface, ToolFacts

Strength = Literal["strong", "incidental"]
STRENGTHS: tuple[Strength, ...] = ("strong", "incidental")


def strength_of(surface: Surface, candidate: Candidate) -> Strength:
    """Return how strong an edge is, once running has confirmed it.

    What enables or shows is strong, since its evidence compares before and after. A value is
    fed strongly by what makes its row, and by what finds its row: a look-up by something else
    than its id, the entity's own listing, or a search whose items stand for no row.
    """
    if candidate.label != "data":
        return "strong"
    source, entity = surface.tools[candidate.source], surface.entities[candidate.entity]
    makes = entity.table in source.creates
    finds = source.read_only and _finds(source, entity, candidate)
    return "strong" if makes or finds else "incidental"


def _finds(source: ToolFacts, entity: EntityFacts, candidate: Candidate) -> bool:
    """Whether a tool that reads is a way to the row, rather than a row that refers to it."""
    if source.shows_rows:
        return _is_own(source, entity, candidate) and leads_to(source, entity)
    return source.paged and any(path.count(".") == 2 for path in candidate.outputs)


def _is_own(source: ToolFacts, entity: EntityFacts, candidate: Candidate) -> bool:
    """Whether the id passed on names the returned row itself, not a row it refers to."""
    name = candidate.column or entity.key
    path = f"items.*.{name}" if source.paged else name
    return source.result == entity.name and path in candidate.outputs


def leads_to(source: ToolFacts, entity: EntityFacts) -> bool:
    """Whether a tool that gives an entity's rows gives those that are meant.

    A page is narrowed by an owner or a filter, unless the rows belong to nobody: then it is
    their catalogue. One row is found by anything but its own id.
    """
    if source.paged:
        return bool(source.narrowing) or not entity.ids
    asked = [part for part in source.narrowing if part.required]
    by_id = any(entity.name in part.ids.values() for part in asked)
    return bool(source.narrowing) and not by_id
