"""Rows of the seed database by which a job is tried, and calls that name one row."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from toolworld.graph.surface import ToolFacts
from toolworld.tasks.chains.chain import Chain
from toolworld.tasks.chains.stage import Stage
from toolworld.tasks.rows import Place, Row

Json = Any


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


def refuses(chain: Chain, tool: ToolFacts, values: Mapping[str, Json]) -> bool:
    """Whether a tool would reject a call for what the rows are."""
    return bool(chain.peek(tool, values).outcome == "rejected")
