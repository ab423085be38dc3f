"""What a person calls rows: by key, as "that order", or by a description that fits no other."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from toolworld.chained.outline import Json, Mention, Place, Row
from toolworld.chained.phrasing.catalogue import Catalogue
from toolworld.chained.phrasing.english import SOFT, variable
from toolworld.chained.phrasing.lines import NothingToSay, PhraseLine
from toolworld.chained.phrasing.says import says
from toolworld.chained.phrasing.spoken import Style
from toolworld.chained.phrasing.telling_apart import distinction
from toolworld.chained.phrasing.views import Keyed, Lookup, Views
from toolworld.errors import Unsayable

CANNOT_TELL_APART = "cannot tell rows apart"
CHANGED = "a row has changed before it is spoken of"


class Names:
    """The names of all rows in one task, as they stand when the next request is made.

    Attributes:
        must_say: What the person knows of rows, and had best tell them by.
        spoken: The rows that have been spoken of.
        named: The rows named since ``turn_to``.
        speaker: The row that is the person who speaks, if there is one.
        now: The rows of the request that earlier ones have changed, as they are then.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        style: Style,
        lookup: Lookup,
        mentions: Iterable[Mention],
        rng: random.Random,
    ) -> None:
        """Start with nothing said, but with all rows in mind that will be spoken of."""
        self.catalogue = catalogue
        self.rng = rng
        self._style, self._lookup = style, lookup
        self.must_say: dict[Place, Mapping[str, Json]] = {}
        self.spoken: set[Place] = set()
        self.named: set[Place] = set()
        self.speaker: Place | None = None
        self.now: Mapping[Place, Row] = {}
        self._known: set[Place] = set()
        self._new: set[Place] = set()
        self._among: dict[Place, dict[str, Row]] = {}
        self._last: dict[str, str] = {}
        self._described: dict[Place, str] = {}
        for mention in mentions:
            self._bear_in_mind(mention)

    @property
    def views(self) -> Views:
        """What shows rows by the names they have here."""
        # Not kept: the two would hold each other, and the task, until garbage is looked for.
        return Views(self.catalogue, self._style, self._lookup, self)

    def _bear_in_mind(self, mention: Mention) -> None:
        place = mention.entity, mention.key
        if mention.known_by_key:
            self._known.add(place)
        if mention.is_new:
            self._new.add(place)
        key = self._key(mention.entity)
        others = {row[key]: row for row in mention.among if row[key] != mention.key}
        self._among.setdefault(place, {}).update(others)

    def turn_to(self, now: Mapping[Place, Row]) -> None:
        """Turn to the next request, before which some rows were changed."""
        self.now = now
        self.named = set()

    def said(self, places: Iterable[Place]) -> None:
        """Keep in mind which rows have just been spoken of."""
        self._last = {}
        twice: set[str] = set()
        for entity, key in set(places):
            self.spoken.add((entity, key))
            if self._last.setdefault(entity, key) != key:
                twice.add(entity)
        for entity in twice:
            del self._last[entity]

    def name_of(self, entity: str, key: str) -> str:
        """Return a noun phrase for a row.

        Raises:
            Unsayable: Nothing tells it from the rows it could be taken for.
        """
        place = entity, key
        self.named.add(place)
        if place in self._known and place not in self.spoken:
            return self._by_key(entity, key)
        if place == self.speaker:
            return f"{SOFT}my account"
        if self._last.get(entity) == key:
            return f"{SOFT}that {self.catalogue.noun(entity)}"
        if place in self._known:
            return self._by_key(entity, key)
        if place in self._new:
            if self._among[place]:
                raise Unsayable(CANNOT_TELL_APART)
            return f"{SOFT}the new {self.catalogue.noun(entity)}"
        if place not in self._described:
            self._described[place] = self._describe(entity, key)
        text = self._described[place]
        if self._is_stale(place, text):
            raise Unsayable(CHANGED)
        return text

    def _is_stale(self, place: Place, text: str) -> bool:
        """Whether a description says what is no longer so."""
        now = self.now.get(place)
        row = None if now is None else self._lookup(*place)
        if row is None or now is None:
            return False
        changed = (row[name] for name in row if row[name] != now.get(name) and row[name])
        return any(says(text, value) for value in changed if not isinstance(value, bool))

    def _by_key(self, entity: str, key: str) -> str:
        row = self.views.lookup(entity, key) or {}
        known = Keyed(self.views.row(entity, row), self._key(entity), key)
        for line in self.catalogue.rows.get(entity, ()):
            if self._names_key(entity, line):
                try:
                    return line.say({variable(entity): known})
                except NothingToSay:
                    continue
        return f"{SOFT}{self.catalogue.noun(entity)} {key}"

    def _key(self, entity: str) -> str:
        return self.catalogue.entities[entity].key

    def _names_key(self, entity: str, line: PhraseLine) -> bool:
        return (variable(entity), self._key(entity)) in line.uses

    def _describe(self, entity: str, key: str) -> str:
        row = self.views.lookup(entity, key)
        if row is None:
            return f"{SOFT}the {self.catalogue.noun(entity)}"
        text = self.describe(entity, row, self._among.get((entity, key), {}).values())
        if self.belongs(entity, row) and text.startswith(f"{SOFT}the "):
            return f"{SOFT}my {text.removeprefix(f'{SOFT}the ')}"
        return text

    def belongs(self, entity: str, row: Row) -> bool:
        """Return whether a row is one of the person who speaks."""
        return any(
            (target, row.get(column)) == self.speaker
            for column, target in self.catalogue.references[entity].values()
        )

    def can_be_told(self, place: Place) -> bool:
        """Return whether a description of a row says what the person knows of it."""
        row = self.views.lookup(*place)
        return row is not None and any(
            self._tells(line, place, row) for line in self._descriptions(place[0], row)
        )

    def _tells(self, line: PhraseLine, place: Place, row: Row) -> bool:
        text = self._fill(line, place[0], row)
        return text is not None and says(text, self.must_say.get(place, {}))

    def describe(self, entity: str, row: Row, among: Iterable[Row]) -> str:
        """Return a description of a row that fits none of the others.

        Raises:
            Unsayable: Nothing tells it from them.
        """
        others = list(among)
        best, alike = f"{SOFT}the {self.catalogue.noun(entity)}", others
        for number, line in enumerate(self._descriptions(entity, row)):
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

    def _descriptions(self, entity: str, row: Row) -> list[PhraseLine]:
        """Return the lines that describe a row, those that say what is known of it first."""
        lines = [
            line for line in self.catalogue.rows.get(entity, ()) if self._fits(entity, row, line)
        ]
        self.rng.shuffle(lines)
        place = entity, row[self._key(entity)]
        if place in self.must_say:
            lines.sort(key=lambda line: not self._tells(line, place, row))
        return lines

    def _fits(self, entity: str, row: Row, line: PhraseLine) -> bool:
        """Return whether a line describes a row without its key, and not by who speaks."""
        if self._names_key(entity, line):
            return False
        leads = self.catalogue.references[entity]
        return not any(
            path[:1] == (variable(entity),)
            and len(path) > 2
            and path[1] in leads
            and (leads[path[1]][1], row.get(leads[path[1]][0])) == self.speaker
            for path in line.uses
        )

    def _fill(self, line: PhraseLine, entity: str, row: Row) -> str | None:
        try:
            return line.say({variable(entity): self.views.row(entity, row)})
        except NothingToSay:
            return None
