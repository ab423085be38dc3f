"""An outline put into words."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from toolworld.chained.outline import Json, TaskOutline
from toolworld.chained.phrasing.catalogue import Catalogue, catalogue_of
from toolworld.chained.phrasing.english import written
from toolworld.chained.phrasing.knowledge import Acquaintance, first_of, known_info, mentions_of
from toolworld.chained.phrasing.naming import Names
from toolworld.chained.phrasing.requests import Speaker
from toolworld.chained.phrasing.story import Story
from toolworld.chained.phrasing.views import Lookup
from toolworld.chained.phrasing.voices import closing, greeted, opening, style_of
from toolworld.packages import Package


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
        outline: TaskOutline,
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
        acquaintance = Acquaintance(self.catalogue, outline, lookup)
        story = Story(Speaker(self.catalogue, names, rng), outline, acquaintance)
        text = greeted(opening(persona, clock, rng), " ".join(story.told()))
        whole = f"{text} {closing(persona, rng)}".strip()
        speaker = None if names.speaker is None else lookup(*names.speaker)
        text = written(whole)
        return Said(text, persona.says, known_info(self.catalogue, outline, speaker, text))
