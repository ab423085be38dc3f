"""All that a package knows of how people speak, and of what they speak of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from toolworld.chained.phrasing.english import row_name, words
from toolworld.chained.phrasing.lines import PhraseLine, line_of
from toolworld.graph.surface import EntityFacts, Surface, surface_of
from toolworld.packages import Package
from toolworld.packages.files import read_json

LIST = "list of "


@dataclass(frozen=True)
class SpokenPersona:
    """Somebody who speaks in their own way."""

    name: str
    says: str
    opens: tuple[str, ...]
    closes: tuple[str, ...]


@dataclass(frozen=True)
class Catalogue:
    """Phrases, and the types of what is said in them.

    Attributes:
        rows: Noun phrases for rows, by entity.
        shapes: The type and unit of each column, by entity or object.
    """

    personas: tuple[SpokenPersona, ...]
    tools: Mapping[str, tuple[PhraseLine, ...]]
    rows: Mapping[str, tuple[PhraseLine, ...]]
    values: Mapping[str, tuple[str, ...]]
    shapes: Mapping[str, Mapping[str, Mapping[str, str]]]
    enums: frozenset[str]
    surface: Surface

    @property
    def entities(self) -> Mapping[str, EntityFacts]:
        """The kinds of rows."""
        return self.surface.entities

    def noun(self, entity: str) -> str:
        """Return the word for a kind of row: as people say it with a number, if they do."""
        for line in self.rows.get(entity, ()):
            said = re.match(rf"([a-z ]+) {{{{ \w+\.{self.entities[entity].key} }}}}", line.source)
            if said:
                return said[1]
        return words(entity)

    def is_person(self, entity: str) -> bool:
        """Return whether rows are people, who may be the one who speaks."""
        return "email" in self.shapes[entity]

    def type_of(self, shape: str, column: str) -> str:
        """Return a column's type."""
        return self.shapes[shape][column]["type"]

    @cached_property
    def references(self) -> Mapping[str, Mapping[str, tuple[str, str]]]:
        """The column and entity of each reference, by shape and what the row behind is called."""
        return {
            shape: {
                row_name(column, found["type"]): (column, found["type"])
                for column, found in columns.items()
                if found["type"] in self.entities
            }
            for shape, columns in self.shapes.items()
        }


def catalogue_of(package: Package) -> Catalogue:
    """Read a package's phrases.

    Raises:
        PackageLoadError: It was built before packages had them.
    """
    said = read_json(package.files.phrases)
    return Catalogue(
        personas=tuple(_persona(persona) for persona in said["personas"]),
        tools=_lines(said["tools"]),
        rows=_lines(said["rows"]),
        values={name: tuple(texts) for name, texts in said["values"].items()},
        shapes=said["shapes"],
        enums=frozenset(said["enums"]),
        surface=surface_of(package),
    )


def _persona(said: Mapping[str, Any]) -> SpokenPersona:
    return SpokenPersona(said["name"], said["says"], tuple(said["opens"]), tuple(said["closes"]))


def _lines(said: Mapping[str, Any]) -> dict[str, tuple[PhraseLine, ...]]:
    return {name: tuple(line_of(text) for text in texts) for name, texts in said.items()}
