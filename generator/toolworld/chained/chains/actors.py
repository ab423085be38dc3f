"""Whose business a row is: a task should be about one customer, not about several by chance.

An **actor** is an entity that stands on its own, is known by something unique such as an e-mail
address, and that many other rows name: a shop's customers, a hotel's guests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from toolworld.chained.outline import Place, Row
from toolworld.graph.knowledge import LinkedRows
from toolworld.graph.surface import Surface
from toolworld.packages import Package

Json: TypeAlias = Any

HOPS = 2
FEWEST = 2
"""An actor is named by at least so many other entities."""


def actors_of(package: Package, surface: Surface) -> frozenset[str]:
    """Return the entities that are actors; none in a domain without any."""
    schemas: Mapping[str, Any] = package.modules.models.SCHEMAS
    naming = Counter(
        other for entity in surface.entities.values() for other in {*entity.ids.values()}
    )
    return frozenset(
        name
        for name, entity in surface.entities.items()
        if not entity.ids and schemas[entity.table].unique and naming[name] >= FEWEST
    )


def owners_of(
    places: Iterable[Place],
    world: LinkedRows,
    actors: frozenset[str],
    row_of: Callable[[Place], Row | None],
) -> set[Place]:
    """Return the actors whose business some rows are, by up to two references."""
    owners: set[Place] = set()
    seen: set[Place] = set()
    edge = {place for place in places if place[0] in world.rows}
    for _ in range(HOPS):
        owners |= {place for place in edge if place[0] in actors}
        seen |= edge
        left = [place for place in edge if place[0] not in actors]
        rows = [(place[0], row) for place in left if (row := row_of(place)) is not None]
        edge = {named for name, row in rows for named in world.lesson(name, row).named} - seen
    return owners | {place for place in edge if place[0] in actors}
