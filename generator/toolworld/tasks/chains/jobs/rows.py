"""Rows of the seed database by which a job is tried, and calls that name one row."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from typing import Any

from toolworld.graph.surface import ToolFacts
from toolworld.tasks.chains.chain import Chain
from toolworld.tasks.chains.questions import kind_of
from toolworld.tasks.chains.stage import Stage
from toolworld.tasks.rows import Place, Row

Json = Any

MOST_LOOKED_AT = 40
"""How many rows are looked at for one that has what is wanted."""


def own_id(tool: ToolFacts) -> tuple[str, str] | None:
    """Return the one required parameter of a tool that is an id, and its entity.

    None for a tool that needs no row, or several.
    """
    needed = [part for part in tool.parameters.values() if part.required and part.ids]
    if len(needed) != 1 or list(needed[0].ids) != [needed[0].name]:
        return None
    return needed[0].name, needed[0].ids[needed[0].name]


def without_other_ids(tool: ToolFacts, values: Mapping[str, Json]) -> dict[str, Json]:
    """Return a call's arguments without optional rows, which a job cannot know."""
    return {
        name: value
        for name, value in values.items()
        if tool.parameters[name].required or not tool.parameters[name].ids
    }


def some_row(stage: Stage, entity: str, rng: random.Random) -> Place | None:
    """Return any row of an entity, or None if it has none."""
    keys = stage.world.keys[entity]
    return (entity, rng.choice(keys)) if keys else None


def row_of(stage: Stage, place: Place) -> Row:
    """Return a row of the seed database."""
    entity, key = place
    return stage.world.rows[entity][key]


def row_with(
    stage: Stage, entity: str, wanted: Mapping[str, Collection[Json]], rng: random.Random
) -> Place | None:
    """Return any row that has one of the values wanted in each column; None if none is found."""
    for _ in range(MOST_LOOKED_AT):
        place = some_row(stage, entity, rng)
        if place is None or has(row_of(stage, place), wanted):
            return place
    return None


def has(row: Row, wanted: Mapping[str, Collection[Json]]) -> bool:
    """Whether a row has one of the values wanted in each column."""
    return all(row[column] in values for column, values in wanted.items())


def worked_at(stage: Stage, tool: ToolFacts) -> dict[str, set[Json]]:
    """Return the few values that decide about the rows of a tool, where it is known to have worked.

    They are by column: what is not known of any row is left out.
    """
    name, entity = own_id(tool) or ("", "")
    table = stage.world.rows.get(entity, {})
    keys = [str(call.get(name)) for call in stage.accepted[tool.name]]
    rows = [table[key] for key in keys if key in table]
    columns = _looked_at(stage, tool, entity) if rows else ()
    return {column: {row[column] for row in rows} for column in columns}


def _looked_at(stage: Stage, tool: ToolFacts, entity: str) -> list[str]:
    """Return the columns with few values that a tool looks at, and that people can see."""
    reader = reader_of(stage, entity)
    if reader is None:
        return []
    table = stage.surface.entities[entity].table
    return [
        name
        for name, schema in stage.schemas[reader.name]["properties"].items()
        if kind_of(schema) == "enum" and f"{table}.{name}" in tool.reads
    ]


def reader_of(stage: Stage, entity: str) -> ToolFacts | None:
    """Return a tool that shows one row of an entity by its key, if there is one."""
    return next(
        (
            tool
            for tool in stage.finders[entity]
            if tool.result == entity and about(tool) == entity
            if not any(path.startswith("items.") for path in tool.result_ids)
        ),
        None,
    )


def about(tool: ToolFacts) -> str:
    """Return the entity of the one row that a tool needs; empty if there is no such."""
    own = own_id(tool)
    return own[1] if own else ""


def refuses(chain: Chain, tool: ToolFacts, values: Mapping[str, Json]) -> bool:
    """Whether a tool would reject a call for what the rows are."""
    return bool(chain.peek(tool, values).outcome == "rejected")
