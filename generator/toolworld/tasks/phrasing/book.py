"""An outline put into words."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from toolworld.emit import Package
from toolworld.tasks.outline import Json, Outline, Request
from toolworld.tasks.phrasing.asking import asked
from toolworld.tasks.phrasing.catalogue import Catalogue, catalogue_of
from toolworld.tasks.phrasing.conditions import either, if_impossible
from toolworld.tasks.phrasing.english import written
from toolworld.tasks.phrasing.knowledge import (
    first_of,
    known_info,
    mentions_of,
    the_speaker,
    told_rows,
)
from toolworld.tasks.phrasing.naming import Names
from toolworld.tasks.phrasing.requests import Speaker
from toolworld.tasks.phrasing.says import says
from toolworld.tasks.phrasing.views import Lookup
from toolworld.tasks.phrasing.voices import closing, connected, greeted, opening, style_of


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

    @property
    def values(self) -> Mapping[str, tuple[str, ...]]:
        """What people say for free texts, by ``tool.argument``."""
        return self.catalogue.values

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
        lookup = first_of(outline, rows or self._seed_rows)
        names = Names(self.catalogue, style_of(rng), lookup, mentions_of(outline), rng)
        texts = _texts(Speaker(self.catalogue, names, rng), outline)
        text = greeted(opening(persona, clock, rng), " ".join(texts))
        whole = f"{text} {closing(persona, rng)}".strip()
        return Said(written(whole), persona.says, known_info(self.catalogue, outline))


def _texts(speaker: Speaker, outline: Outline) -> list[str]:
    known = [request for request in outline.requests if request.role == "knows"]
    speaker.names.told = told_rows(known, mentions_of(outline))
    speaker.names.speaker = the_speaker(speaker.catalogue, speaker.names.told)
    wishes = [_wish(speaker, request) for request in outline.requests if request.role != "knows"]
    unsaid = [request for request in known if not _is_said(request, " ".join(wishes))]
    return [
        *connected([speaker.say(request) for request in unsaid], False, speaker.rng),
        *connected(wishes, outline.ordered, speaker.rng),
    ]


def _wish(speaker: Speaker, request: Request) -> str:
    if request.condition is not None:
        text = either(speaker, request, request.condition)
    else:
        text = speaker.say(request)
    if request.expect == "rejected":
        text = f"{text} {if_impossible(speaker.rng)}"
    question = asked(speaker.catalogue, request.asks, text, speaker.rng)
    return f"{text} {question}".strip()


def _is_said(request: Request, text: str) -> bool:
    literals = {
        name: value
        for name, value in request.arguments.items()
        if name not in {one.path for one in request.mentions}
    }
    return says(text, literals) and all(
        not one.among and (not one.known_by_key or says(text, one.key)) for one in request.mentions
    )
