"""What a person would know and no tool takes: the look-ups that a package lacks.

Nothing is run and no name is guessed at: tools and columns are judged by their types, by what
effects say is read, and by which columns are compared by meaning only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from toolworld.graph.strength import leads_to
from toolworld.graph.surface import EntityFacts, ParameterFacts, Surface, ToolFacts
from toolworld.packages import Package

Json = Any
Code = Literal["unique-text", "other-text", "only-by-id", "no-today"]

DAYS = ("date", "datetime")
DAY_FORMATS = ("date", "date-time")


@dataclass(frozen=True)
class Gap:
    """A value that a person knows but no look-up takes.

    Attributes:
        code: ``unique-text``: what names one row finds it nowhere. ``other-text``: rows are
            found by what names one row alone, not by anything else that is known of them.
            ``only-by-id``: tools take ids of rows that none of them finds. ``no-today``: there
            are days, and nothing tells which one it is.
        entity: Whose rows are not found; empty for the whole domain.
        columns: What a person would know them by.
        mend: Which tool is missing.
    """

    code: Code
    says: str
    mend: str
    entity: str = ""
    columns: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Json]:
        """Return it as JSON values."""
        return {
            "code": self.code,
            "entity": self.entity or None,
            "columns": list(self.columns),
            "says": self.says,
            "mend": self.mend,
        }

    def __str__(self) -> str:
        """One line."""
        return f"{self.says} {self.mend}"


def gaps_of(surface: Surface, package: Package) -> list[Gap]:
    """Return the gaps of a package's tools, in the order of its entities, the date last."""
    schemas = package.modules.models.SCHEMAS
    policies = {name: schema.policies or {} for name, schema in schemas.items()}
    search = _Search(surface, policies)
    gaps = [gap for entity in surface.entities.values() for gap in search.gaps(entity)]
    return [*gaps, *_no_today(surface)]


class _Search:
    """The ways to the rows of each entity."""

    def __init__(self, surface: Surface, policies: Mapping[str, Mapping[str, str]]) -> None:
        """Find the entities that look-ups reach from values people know."""
        self._surface = surface
        self._policies = policies
        self._finders = {
            name: [tool for tool in surface.tools.values() if finds(tool, entity)]
            for name, entity in surface.entities.items()
        }
        self._reached = self._reachable()

    def _reachable(self) -> set[str]:
        """Return the entities found by values people know, or through rows found that way."""
        entities = self._surface.entities
        reached = {name for name, entity in entities.items() if not entity.minted}
        while more := {
            name
            for name in entities.keys() - reached
            if any(owners(tool) <= reached for tool in self._finders[name])
        }:
            reached |= more
        return reached

    def gaps(self, entity: EntityFacts) -> Iterator[Gap]:
        """Yield the gaps of one entity.

        In a catalogue whatever is known is found by reading. Rows that are listed for their
        owner are told apart by reading, too, but what names one of them must find it alone.
        """
        name = entity.name
        if name not in self._reached:
            if any(name in part.ids.values() for part in self._parameters()):
                yield _only_by_id(entity, self._known(entity))
            return
        listings = [tool for tool in self._finders[name] if is_listing(tool)]
        is_catalogue = not entity.ids and any(not owners(tool) for tool in listings)
        for column in () if is_catalogue else entity.unique:
            if not self._is_looked_up(entity, column):
                yield _unique_text(entity, column)
        others = () if listings else tuple(self._texts(entity))
        if others and not any(self._is_looked_up(entity, column) for column in others):
            yield _other_text(entity, others)

    def _parameters(self) -> Iterator[ParameterFacts]:
        for tool in self._surface.tools.values():
            yield from tool.parameters.values()

    def _is_looked_up(self, entity: EntityFacts, column: str) -> bool:
        """Whether a way to the rows takes a text and reads a column."""
        return any(
            takes_text(tool) and f"{entity.table}.{column}" in tool.reads
            for tool in self._finders[entity.name]
        )

    def _texts(self, entity: EntityFacts) -> Iterator[str]:
        """Yield the texts of a row that other rows may share, free wording left out."""
        policies = self._policies[entity.table]
        for column, kind in entity.columns.items():
            named = column == entity.key or column in entity.unique
            if kind == "text" and not named and policies.get(column) != "semantic":
                yield column

    def _known(self, entity: EntityFacts) -> tuple[str, ...]:
        days = (column for column, kind in entity.columns.items() if kind in DAYS)
        return (*entity.unique, *self._texts(entity), *days)


def finds(tool: ToolFacts, entity: EntityFacts) -> bool:
    """Whether a tool gives the rows of an entity that are meant, or an object with their ids."""
    if not tool.read_only:
        return False
    if tool.shows_rows:
        return tool.result == entity.name and leads_to(tool, entity)
    depth = 2 if tool.paged else 0
    given = any(
        name == entity.name and path.count(".") == depth for path, name in tool.result_ids.items()
    )
    return given and entity.name not in owners(tool)


def owners(tool: ToolFacts) -> set[str]:
    """Return the entities whose ids a tool cannot do without."""
    asked = [part for part in tool.parameters.values() if part.required]
    return {name for part in asked for name in part.ids.values()}


def is_listing(tool: ToolFacts) -> bool:
    """Whether a tool lists all rows of an owner or kind, for an agent to pick from."""
    asked = [part for part in tool.narrowing if part.required]
    return tool.shows_rows and all(part.ids for part in asked) and len(owners(tool)) <= 1


def takes_text(tool: ToolFacts) -> bool:
    """Whether a tool is asked with a text that is no id."""
    return any(part.type == "text" and not part.ids for part in tool.narrowing)


def _unique_text(entity: EntityFacts, column: str) -> Gap:
    return Gap(
        "unique-text",
        f"{entity.name}.{column} names one row, but no tool finds the row by it.",
        f"Add a tool that does, such as find_{_snake(entity.name)}_by_{column}.",
        entity.name,
        (column,),
    )


def _other_text(entity: EntityFacts, columns: tuple[str, ...]) -> Gap:
    by = " or ".join(entity.unique) or "its id"
    return Gap(
        "other-text",
        f"{entity.name} is found by {by} only, not by {_listed(columns)}.",
        f"Add a tool that searches what people know, such as search_{entity.table}.",
        entity.name,
        columns,
    )


def _only_by_id(entity: EntityFacts, columns: tuple[str, ...]) -> Gap:
    owner = next(iter(entity.ids.values()), "")
    by = f"those of a {owner}" if owner else "them"
    also = f", or finds one by {_listed(columns)}" if columns else ""
    return Gap(
        "only-by-id",
        f"Tools take the id of a {entity.name}, but none leads to the row that is meant.",
        f"Add a tool that lists {by}{also}, such as list_{entity.table}.",
        entity.name,
        columns,
    )


def _no_today(surface: Surface) -> Iterator[Gap]:
    tools, entities = surface.tools.values(), surface.entities.values()
    kinds = {kind for entity in entities for kind in entity.columns.values()}
    kinds |= {part.type for tool in tools for part in tool.parameters.values()}
    if kinds.intersection(DAYS) and not any(tells_today(tool) for tool in tools):
        yield Gap(
            "no-today",
            "There are days, but no tool tells which day it is.",
            "Add a tool without parameters that returns db.today(), such as get_today.",
        )


def tells_today(tool: ToolFacts) -> bool:
    """Whether a tool asks nothing and always answers with a day, in an object of its own."""
    if tool.parameters or tool.shows_rows or tool.paged:
        return False
    shown = tool.output["properties"].values()
    return any(part.get("format") in DAY_FORMATS for part in shown)


def _listed(columns: tuple[str, ...]) -> str:
    *first, last = columns
    return f"{', '.join(first)} or {last}" if first else last


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
