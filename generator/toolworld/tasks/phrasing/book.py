"""An outline put into words."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from toolworld.emit import Package
from toolworld.tasks.outline import Json, Mention, Outline, Request, Row
from toolworld.tasks.phrasing.asking import asked
from toolworld.tasks.phrasing.catalogue import Catalogue, Persona, catalogue_of
from toolworld.tasks.phrasing.conditions import either, if_impossible
from toolworld.tasks.phrasing.english import written
from toolworld.tasks.phrasing.naming import Names
from toolworld.tasks.phrasing.requests import Speaker
from toolworld.tasks.phrasing.says import says
from toolworld.tasks.phrasing.views import Lookup
from toolworld.tasks.phrasing.voices import closing, connected, greeted, opening, style_of

PERSONAL = ("name", "first_name", "last_name", "email", "phone")


@dataclass(frozen=True)
class Said:
    """A task's words.

    Attributes:
        instruction: What the person says.
        persona: How they speak.
        known_info: What they know and tell when asked.
    """

    instruction: str
    persona: str
    known_info: Mapping[str, Json] = field(default_factory=dict)


class Phrasebook:
    """How people speak of a package's rows and tools."""

    def __init__(self, catalogue: Catalogue, seed_rows: Lookup) -> None:
        """Keep what a package says; ``seed_rows`` finds rows of its seed data."""
        self.catalogue = catalogue
        self._seed_rows = seed_rows

    @classmethod
    def load(cls, package: Package) -> Phrasebook:
        """Read a package's phrases.

        Raises:
            PackageLoadError: It was built before packages had them.
        """
        catalogue = catalogue_of(package)
        tables = {name: entity.table for name, entity in catalogue.entities.items()}

        @cache
        def state() -> dict[str, dict[str, Any]]:
            found: dict[str, dict[str, Any]] = package.environment().state()
            return found

        return cls(catalogue, lambda entity, key: state()[tables[entity]].get(key))

    def compose(
        self,
        outline: Outline,
        rng: random.Random,
        clock: datetime,
        rows: Lookup | None = None,
    ) -> Said:
        """Put an outline into words; the same outline and state of ``rng`` give the same words.

        Args:
            outline: What the person asks for.
            rng: Chooses persona and wording.
            clock: The world's time.
            rows: Finds rows that references lead to, by entity and key; the package's seed
                data unless given.

        Raises:
            Unsayable: It cannot be said which row is meant, or no phrase fits.
        """
        persona = rng.choice(self.catalogue.personas)
        lookup = _first_of(outline, rows or self._seed_rows)
        names = Names(self.catalogue, style_of(rng), lookup, rng)
        names.known |= {(one.entity, one.key) for one in mentions_of(outline) if one.known_by_key}
        texts = self._texts(outline, names, rng)
        text = greeted(opening(persona, clock, rng), " ".join(texts))
        whole = f"{text} {closing(persona, rng)}".strip()
        return Said(written(whole), persona.says, self._known_info(outline))

    def _texts(self, outline: Outline, names: Names, rng: random.Random) -> list[str]:
        speaker = Speaker(self.catalogue, names, rng)
        known = [request for request in outline.requests if request.role == "knows"]
        for request in known:
            _introduce(request, outline, names)
        people = [place for place in names.introduced if self.catalogue.is_person(place[0])]
        names.speaker = people[0] if len(people) == 1 else None
        wishes = [
            _wish(speaker, request) for request in outline.requests if request.role != "knows"
        ]
        said = " ".join(wishes)
        unsaid = [request for request in known if not _is_said(request, said)]
        return [
            *connected([speaker.say(request) for request in unsaid], False, rng),
            *connected(wishes, outline.ordered, rng),
        ]

    def _known_info(self, outline: Outline) -> dict[str, Json]:
        info: dict[str, Json] = {}
        for request in outline.requests:
            if request.role == "knows":
                info |= {
                    name: value
                    for name, value in request.arguments.items()
                    if not self._is_id(request.tool, name)
                }
            for mention in request.mentions:
                info |= self._known_of(mention, info)
        return info

    def _is_id(self, tool: str, name: str) -> bool:
        parameters = self.catalogue.surface.tools[tool].parameters
        return parameters[name].type in self.catalogue.entities

    def _known_of(self, mention: Mention, info: Mapping[str, Json]) -> dict[str, Json]:
        if mention.known_by_key:
            return {self.catalogue.entities[mention.entity].key: mention.key}
        own = {mention.row.get(name) for name in PERSONAL} & set(_texts_of(info))
        if not own:
            return {}
        return {name: mention.row[name] for name in PERSONAL if mention.row.get(name)}


def _wish(speaker: Speaker, request: Request) -> str:
    if request.condition is not None:
        text = either(speaker, request, request.condition)
    else:
        text = speaker.say(request)
    if request.expect == "rejected":
        text = f"{text} {if_impossible(speaker.rng)}"
    question = asked(speaker.catalogue, request.asks, text, speaker.rng)
    return f"{text} {question}".strip()


def mentions_of(outline: Outline) -> Iterator[Mention]:
    """Yield every row that an outline speaks of."""
    for request in outline.requests:
        yield from request.mentions
        if request.condition is not None:
            yield request.condition.mention
            yield from request.condition.other.mentions


def _first_of(outline: Outline, rows: Lookup) -> Lookup:
    """Return a look-up that knows the rows of an outline itself."""
    own: dict[tuple[str, str], Row] = {
        (one.entity, one.key): one.row for one in mentions_of(outline)
    }
    return lambda entity, key: own.get((entity, key)) or rows(entity, key)


def _introduce(request: Request, outline: Outline, names: Names) -> None:
    """Count rows as spoken of that a person makes known by what they say of themselves."""
    told = set(_texts_of(request.arguments))
    for mention in mentions_of(outline):
        if told & set(_texts_of(mention.row)) and not mention.among:
            names.introduced.add((mention.entity, mention.key))


def _texts_of(values: Mapping[str, Json]) -> Iterator[str]:
    for value in values.values():
        if isinstance(value, str):
            yield value


def _is_said(request: Request, text: str) -> bool:
    literals = {
        name: value
        for name, value in request.arguments.items()
        if name not in {one.path for one in request.mentions}
    }
    return says(text, literals) and all(
        not one.among and (not one.known_by_key or says(text, one.key)) for one in request.mentions
    )
