"""What a person knows: who they are, the numbers they have at hand, the rows they speak of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from toolworld.tasks.outline import Json, Mention, Outline, Request, Row
from toolworld.tasks.phrasing.catalogue import Catalogue
from toolworld.tasks.phrasing.naming import Place
from toolworld.tasks.phrasing.views import Lookup

PERSONAL = ("name", "first_name", "last_name", "email", "phone")


def mentions_of(outline: Outline) -> Iterator[Mention]:
    """Yield every row that an outline speaks of."""
    for request in outline.requests:
        yield from request.mentions
        if request.condition is not None:
            yield request.condition.mention
            yield from request.condition.other.mentions


def first_of(outline: Outline, rows: Lookup) -> Lookup:
    """Return a look-up that finds the rows of an outline first."""
    own: dict[Place, Row] = {(one.entity, one.key): one.row for one in mentions_of(outline)}
    return lambda entity, key: own.get((entity, key)) or rows(entity, key)


def told_rows(known: Iterable[Request], mentions: Iterable[Mention]) -> set[Place]:
    """Return the rows that a person makes known by what they say first."""
    told = {text for request in known for text in _texts(request.arguments)}
    return {
        (one.entity, one.key) for one in mentions if told & set(_texts(one.row)) and not one.among
    }


def the_speaker(catalogue: Catalogue, told: Collection[Place]) -> Place | None:
    """Return the row of the person who speaks, unless it could be more than one."""
    people = [place for place in told if catalogue.is_person(place[0])]
    return people[0] if len(people) == 1 else None


def known_info(catalogue: Catalogue, outline: Outline) -> dict[str, Json]:
    """Return what a person knows and tells when asked, by names in snake case."""
    info: dict[str, Json] = {}
    for request in outline.requests:
        if request.role == "knows":
            info |= _literals(catalogue, request)
    told = set(_texts(info))
    for mention in mentions_of(outline):
        if mention.known_by_key:
            info[_free_name(info, catalogue.entities[mention.entity].key, mention.key)] = (
                mention.key
            )
        elif told & {str(mention.row.get(name)) for name in PERSONAL}:
            info |= {name: mention.row[name] for name in PERSONAL if mention.row.get(name)}
    return info


def _literals(catalogue: Catalogue, request: Request) -> dict[str, Json]:
    parameters = catalogue.surface.tools[request.tool].parameters
    return {
        name: value
        for name, value in request.arguments.items()
        if parameters[name].type not in catalogue.entities
    }


def _free_name(info: Mapping[str, Json], name: str, value: Json) -> str:
    """Return a name for a value beside others of its kind: ``order_id``, ``order_id_2``."""
    number, free = 1, name
    while info.get(free, value) != value:
        number += 1
        free = f"{name}_{number}"
    return free


def _texts(values: Mapping[str, Json]) -> Iterator[str]:
    for value in values.values():
        if isinstance(value, str):
            yield value
