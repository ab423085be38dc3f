"""What a person calls rows: by key, as "that order", or by a description that fits no other."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from toolworld.errors import Unsayable
from toolworld.tasks.outline import Mention, Row
from toolworld.tasks.phrasing.catalogue import Catalogue
from toolworld.tasks.phrasing.english import SOFT, words
from toolworld.tasks.phrasing.lines import Line, NothingToSay
from toolworld.tasks.phrasing.spoken import Style
from toolworld.tasks.phrasing.telling_apart import distinction
from toolworld.tasks.phrasing.views import Keyed, Lookup, Views

Place = tuple[str, str]
"""An entity and a key."""

CANNOT_TELL_APART = "cannot tell rows apart"


class Names:
    """The names of all rows in one task, as they stand when the next request is made."""

    def __init__(
        self, catalogue: Catalogue, style: Style, lookup: Lookup, rng: random.Random
    ) -> None:
        """Start with nothing said."""
        self.catalogue = catalogue
        self.rng = rng
        self.views = Views(catalogue, style, lookup, self)
        self.known: set[Place] = set()
        self.introduced: set[Place] = set()
        self.speaker: Place | None = None
        self._last: dict[str, str] = {}
        self._mentions: Mapping[Place, Mention] = {}
        self._fixed: Mapping[Place, str] = {}
        self._described: dict[Place, str] = {}
        self.named: set[Place] = set()

    def speak_of(self, mentions: Iterable[Mention], fixed: Mapping[Place, str]) -> None:
        """Turn to the rows of a request; some have a name that is fixed for it."""
        self._mentions = {(one.entity, one.key): one for one in mentions}
        self._fixed = fixed
        self.named = set()

    def said(self, places: Iterable[Place]) -> None:
        """Keep in mind which rows have been spoken of."""
        for place in places:
            self.introduced.add(place)
            self._last[place[0]] = place[1]

    def name_of(self, entity: str, key: str) -> str:
        """Return a noun phrase for a row.

        Raises:
            Unsayable: Nothing tells it from the rows it could be taken for.
        """
        place = entity, key
        self.named.add(place)
        if place in self._fixed:
            return f"{SOFT}{self._fixed[place]}"
        if place == self.speaker:
            return f"{SOFT}my account"
        if place in self.introduced and self._last.get(entity) == key:
            return f"{SOFT}that {self.catalogue.noun(entity)}"
        if place in self.known:
            return self._by_key(entity, key)
        mention = self._mentions.get(place)
        if mention is not None and mention.made_by is not None:
            return f"{SOFT}{self.rng.choice(('the new', 'that new'))} {self.catalogue.noun(entity)}"
        if place not in self._described:
            self._described[place] = self._describe(entity, key, mention)
        return self._described[place]

    def _by_key(self, entity: str, key: str) -> str:
        row = self.views.lookup(entity, key) or {}
        known = Keyed(self.views.row(entity, row), self._key(entity), key)
        for line in self.catalogue.rows.get(entity, ()):
            if self._names_key(entity, line):
                try:
                    return line.say({_variable(entity): known})
                except NothingToSay:
                    continue
        return f"{SOFT}{self.catalogue.noun(entity)} {key}"

    def _key(self, entity: str) -> str:
        return self.catalogue.entities[entity].key

    def _names_key(self, entity: str, line: Line) -> bool:
        return (_variable(entity), self._key(entity)) in line.uses

    def _describe(self, entity: str, key: str, mention: Mention | None) -> str:
        row = self.views.lookup(entity, key) if mention is None else mention.row
        if row is None:
            return f"{SOFT}the {self.catalogue.noun(entity)}"
        return self.describe(entity, row, () if mention is None else mention.among)

    def describe(self, entity: str, row: Row, among: Iterable[Row]) -> str:
        """Return a description of a row that fits none of the others.

        Raises:
            Unsayable: Nothing tells it from them.
        """
        others = list(among)
        best, alike = f"{SOFT}the {self.catalogue.noun(entity)}", others
        for number, line in enumerate(self._descriptions(entity)):
            text = self._fill(line, entity, row)
            if text is None:
                continue
            same = [other for other in others if self._fill(line, entity, other) == text]
            if not same:
                return text
            if number == 0 or len(same) < len(alike):
                best, alike = text, same
        if not alike:
            return best
        clause = distinction(self.views, entity, row, alike, self.rng)
        if clause is None:
            raise Unsayable(CANNOT_TELL_APART)
        return f"{best} ({clause})"

    def _descriptions(self, entity: str) -> list[Line]:
        lines = [
            line
            for line in self.catalogue.rows.get(entity, ())
            if not self._names_key(entity, line)
        ]
        self.rng.shuffle(lines)
        return lines

    def _fill(self, line: Line, entity: str, row: Row) -> str | None:
        try:
            return line.say({_variable(entity): self.views.row(entity, row)})
        except NothingToSay:
            return None


def _variable(entity: str) -> str:
    return words(entity).replace(" ", "_")
