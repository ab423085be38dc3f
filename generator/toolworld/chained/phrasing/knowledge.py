"""What a person knows: who they are, the numbers they have at hand, the rows they speak of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolworld.chained.outline import Json, Mention, Place, Request, Row, TaskOutline
from toolworld.chained.phrasing.catalogue import Catalogue
from toolworld.chained.phrasing.says import says
from toolworld.chained.phrasing.views import Lookup

PERSONAL = ("name", "first_name", "last_name", "email", "phone")


def mentions_of(outline: TaskOutline) -> Iterator[Mention]:
    """Yield every row that an outline speaks of."""
    for request in outline.requests:
        yield from request.mentions


def first_of(outline: TaskOutline, rows: Lookup) -> Lookup:
    """Return a look-up that finds the rows of an outline first."""
    own: dict[Place, Row] = {(one.entity, one.key): one.row for one in mentions_of(outline)}
    return lambda entity, key: own.get((entity, key)) or rows(entity, key)


class Acquaintance:
    """The rows around an outline, and which of them its look-ups are about."""

    def __init__(self, catalogue: Catalogue, outline: TaskOutline, lookup: Lookup) -> None:
        """Look at the rows that are mentioned, and at those they refer to."""
        self._catalogue = catalogue
        self._unsure = {(one.entity, one.key) for one in mentions_of(outline) if one.among}
        self._rows: dict[Place, Row] = {}
        self._texts: dict[Place, frozenset[str]] = {}
        for entity, key in self._places(outline, lookup):
            row = lookup(entity, key)
            if row is not None:
                self._rows[entity, key] = row

    def _places(self, outline: TaskOutline, lookup: Lookup) -> Iterator[Place]:
        for mention in mentions_of(outline):
            yield mention.entity, mention.key
            yield from self._references(mention.entity, mention.row)

    def _references(self, shape: str, values: Mapping[str, Json]) -> Iterator[Place]:
        for column, entity in self._catalogue.references[shape].values():
            if isinstance(values.get(column), str):
                yield entity, values[column]

    def identified(self, request: Request) -> Place | None:
        """Return the one row that a look-up finds by what the person knows of it."""
        entity = self._catalogue.surface.tools[request.tool].result
        told = {str(value).casefold() for value in literals(self._catalogue, request).values()}
        rows = [place for place in self._rows if place[0] == entity and place not in self._unsure]
        found = [place for place in rows if told <= self._texts_of(place)] if told else []
        return found[0] if len(found) == 1 else None

    def _texts_of(self, place: Place) -> frozenset[str]:
        if place not in self._texts:
            self._texts[place] = frozenset(_texts(self._rows[place]))
        return self._texts[place]

    def speaker(self, known: list[Request]) -> Place | None:
        """Return the row of the person who speaks, unless it could be more than one.

        It is one that a look-up gives by itself: who searches a list looks for others.
        """
        found = {
            self.identified(request) for request in known if not _lists(self._catalogue, request)
        }
        people = [place for place in found if place and self._catalogue.is_person(place[0])]
        return people[0] if len(people) == 1 else None


def _texts(value: Json) -> Iterator[str]:
    """Yield every text and number in a JSON value, in lower case."""
    if isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
    else:
        yield str(value).casefold()


def literals(catalogue: Catalogue, request: Request) -> dict[str, Json]:
    """Return the arguments of a look-up that are no ids."""
    parameters = catalogue.surface.tools[request.tool].parameters
    return {
        name: value
        for name, value in request.arguments.items()
        if parameters[name].type not in catalogue.entities
    }


def known_info(
    catalogue: Catalogue, outline: TaskOutline, speaker: Row | None, text: str
) -> dict[str, Json]:
    """Return what a person knows and tells when asked, by names in snake case.

    What only narrows a listing is nothing to know once the text says it.
    """
    info: dict[str, Json] = {}
    for request in outline.requests:
        if request.role == "knows":
            listing = _lists(catalogue, request)
            for name, value in literals(catalogue, request).items():
                if not (listing and says(text, value)):
                    info[_free_name(info, name, value)] = value
    if speaker is not None:
        info |= {name: speaker[name] for name in PERSONAL if speaker.get(name)}
    for mention in mentions_of(outline):
        if mention.known_by_key:
            column = catalogue.entities[mention.entity].key
            info[_free_name(info, column, mention.key)] = mention.key
    return info


def _lists(catalogue: Catalogue, request: Request) -> bool:
    paths = catalogue.surface.tools[request.tool].result_ids
    return any(path.startswith("items.") for path in paths)


def _free_name(info: Mapping[str, Json], name: str, value: Json) -> str:
    """Return a name for a value beside others of its kind: ``order_id``, ``order_id_2``."""
    number, free = 1, name
    while info.get(free, value) != value:
        number += 1
        free = f"{name}_{number}"
    return free
