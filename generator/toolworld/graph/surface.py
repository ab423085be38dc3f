"""A package's tools as described: their schemas, effects, and places of ids.

Read from ``data/tools.json`` and ``data/effects.json``; the graph knows packages, never specs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from toolworld.errors import PackageLoadError
from toolworld.packages import Package
from toolworld.packages.files import MEND, read_json

Json = Any

PAGING = ("cursor", "limit")


@dataclass(frozen=True)
class EntityFacts:
    """A kind of row.

    Attributes:
        minted: Whether the package makes its keys; else they are names people use.
        ids: The entity of each id in a row, by its path.
        unique: The columns whose text names a row as well as its key does.
        columns: The type of each column.
    """

    name: str
    table: str
    key: str
    minted: bool
    ids: Mapping[str, str]
    unique: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ParameterFacts:
    """One parameter of a tool.

    Attributes:
        ids: The entity of each id in its value, by a path that starts with its name.
        unique: The entity and column, as ``Variant.sku``, of each text that names a row so.
    """

    name: str
    type: str
    required: bool
    ids: Mapping[str, str]
    unique: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def names(self) -> dict[str, str]:
        """What each value that names a row names: an entity, or its unique column."""
        return {**self.ids, **self.unique}

    @cached_property
    def entities(self) -> list[str]:
        """The entities whose rows are named, by ids first."""
        return [name.partition(".")[0] for name in self.names.values()]


@dataclass(frozen=True)
class ToolFacts:
    """One tool.

    Attributes:
        result_ids: The entity of each id in its result, by path.
        result_unique: The entity and column of each unique text in its result, by path.
        codes: The codes of its rejections.
        schema: The JSON schema of its arguments.
        output: The JSON schema of its result.
        shows_rows: Whether it gives rows, not an object made for the purpose.
        paged: Whether it gives a page of them.
    """

    name: str
    title: str
    reads: frozenset[str]
    writes: frozenset[str]
    creates: frozenset[str]
    deletes: frozenset[str]
    rejects: tuple[str, ...]
    parameters: Mapping[str, ParameterFacts]
    result: str
    result_ids: Mapping[str, str]
    schema: Mapping[str, Json]
    result_unique: Mapping[str, str] = field(default_factory=dict)
    codes: tuple[str, ...] = ()
    output: Mapping[str, Json] = field(default_factory=dict)
    shows_rows: bool = False
    paged: bool = False

    @cached_property
    def narrowing(self) -> list[ParameterFacts]:
        """The parameters that select rows: all except those for pages."""
        return [part for part in self.parameters.values() if part.name not in PAGING]

    @cached_property
    def names(self) -> dict[str, str]:
        """What each value in its arguments that names a row names, by path."""
        return {
            path: named for part in self.parameters.values() for path, named in part.names.items()
        }

    @cached_property
    def result_names(self) -> dict[str, str]:
        """What each value of its result that names a row names: an entity, or its column."""
        return {**self.result_ids, **self.result_unique}

    @cached_property
    def id_places(self) -> list[tuple[list[str], str]]:
        """The parts of the path of each id in its arguments, and the entity."""
        return _split(path for part in self.parameters.values() for path in part.ids.items())

    @cached_property
    def name_places(self) -> list[tuple[list[str], str]]:
        """The path of each argument value that names a row, with the entity named."""
        return _split(self.names.items())

    @cached_property
    def result_id_places(self) -> list[tuple[list[str], str]]:
        """The parts of the path of each id in its result, and the entity."""
        return _split(self.result_ids.items())

    @cached_property
    def read_only(self) -> bool:
        """Whether it changes no row."""
        return not (self.writes or self.creates or self.deletes)

    @cached_property
    def read_tables(self) -> frozenset[str]:
        """The tables it looks at."""
        return frozenset(name.partition(".")[0] for name in self.reads)

    @cached_property
    def changed_tables(self) -> frozenset[str]:
        """The tables it changes, adds to or removes from."""
        return frozenset(name.partition(".")[0] for name in self.writes) | (
            self.creates | self.deletes
        )


def _split(paths: Iterable[tuple[str, str]]) -> list[tuple[list[str], str]]:
    return [(path.split("."), named) for path, named in paths]


@dataclass(frozen=True)
class Surface:
    """All tools and entities of a package, in its own order."""

    tools: Mapping[str, ToolFacts]
    entities: Mapping[str, EntityFacts]

    def entity_of_table(self, table: str) -> str:
        """Return the entity whose rows a table holds."""
        return self._entities_of_tables[table]

    @cached_property
    def _entities_of_tables(self) -> dict[str, str]:
        return {entity.table: name for name, entity in self.entities.items()}

    def home(self, tool: ToolFacts) -> str:
        """Return a tool's main entity: the one it returns, else the one it touches."""
        if tool.result in self.entities:
            return tool.result
        named = [entity for part in tool.parameters.values() for entity in part.entities]
        if named:
            return named[0]
        touched = sorted(tool.changed_tables or tool.read_tables)
        return self.entity_of_table(touched[0]) if touched else next(iter(self.entities))


def surface_of(package: Package) -> Surface:
    """Read the definitions and effects of a package's tools.

    Raises:
        PackageLoadError: It was built before packages said so.
    """
    files = package.files
    effects, definitions = read_json(files.effects), read_json(files.tools)
    schemas = {one["name"]: one for one in definitions}
    try:
        tools = {name: _tool(name, said, schemas[name]) for name, said in effects["tools"].items()}
        entities = {name: _entity(name, said) for name, said in effects["entities"].items()}
    except KeyError as error:
        raise PackageLoadError(f"{files.effects} lacks {error}. {MEND}") from error
    return Surface(tools, entities)


def _entity(name: str, said: Json) -> EntityFacts:
    return EntityFacts(
        name,
        said["table"],
        said["key"],
        said["minted"],
        said["ids"],
        tuple(said["unique"]),
        said["columns"],
    )


def _tool(name: str, said: Json, definition: Json) -> ToolFacts:
    return ToolFacts(
        name=name,
        title=definition["title"],
        reads=frozenset(said["reads"]),
        writes=frozenset(said["writes"]),
        creates=frozenset(said["creates"]),
        deletes=frozenset(said["deletes"]),
        rejects=tuple(said["rejects"]),
        parameters={
            key: ParameterFacts(key, part["type"], part["required"], part["ids"], part["unique"])
            for key, part in said["parameters"].items()
        },
        result=said["result"]["type"],
        result_ids=said["result"]["ids"],
        result_unique=said["result"]["unique"],
        schema=definition["inputSchema"],
        codes=tuple(said.get("codes", ())),
        output=definition["outputSchema"],
        shows_rows=said["result"]["entity"] is not None,
        paged=said["result"]["paged"],
    )
