"""The call that a package's README shows: one that works, since it is made before it is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolworld.emit.limited import Doing
from toolworld.packages import Package
from toolworld.spec import Spec, Tool
from toolworld.spec.model import Parameter

Json = Any

ROWS = 20
"""How many rows of each table are asked about before a tool is given up."""
NOTHING: dict[str, Json] = {"integer": 1, "number": 1, "money": 1, "boolean": False}


@dataclass(frozen=True)
class WorkingCall:
    """A call that succeeds, at a task's start or, without one, at the seed data."""

    tool: str
    arguments: Mapping[str, Json]
    task: str = ""


def choose_sample(
    spec: Spec, package: Package, base: Any, tasks: Sequence[Mapping[str, Json]], doing: Doing
) -> WorkingCall | None:
    """Return the first call of the first task whose gold begins well, else one that was tried.

    Args:
        spec: The domain.
        package: The package emitted from it.
        base: The database that episodes start from.
        tasks: The package's tasks.
        doing: Told what is being run.

    Returns:
        None if no tool that only reads can be asked with what rows hold.
    """
    for task in tasks:
        first = task["gold"][0]
        if first["expect"] == "ok":
            return WorkingCall(first["tool"], first["arguments"], task["id"])
    environment = package.modules.environment.Environment(base=base)
    for tool in spec.tools:
        if tool.effects.read_only:
            doing("tools.py", f"{tool.name}, for the README,")
            for arguments in _guesses(spec, tool, base):
                if _works(environment, tool, arguments):
                    return WorkingCall(tool.name, arguments)
    return None


def _works(environment: Any, tool: Tool, arguments: Mapping[str, Json]) -> bool:
    """Whether a call succeeds and shows anything."""
    try:
        result = environment.call(tool.name, arguments)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a tool that raises is no sample; others may be
        return False
    return not result.is_error and result.structured.get("items") != []


def _guesses(spec: Spec, tool: Tool, base: Any) -> Iterator[dict[str, Json]]:
    """Yield arguments from the first rows, only the required; none if some cannot be guessed."""
    required = [parameter for parameter in tool.parameters if parameter.required]
    looked_up = dict(text.split(": ") for text in tool.effects.looks_up)
    values = [_values(spec, parameter, looked_up, base) for parameter in required]
    for row in zip(*values, strict=False) if required else [()]:
        yield {parameter.name: value for parameter, value in zip(required, row, strict=True)}


def _values(
    spec: Spec, parameter: Parameter, looked_up: Mapping[str, str], base: Any
) -> list[Json]:
    """Return values to try for a parameter, of as many rows as are asked about."""
    kind = parameter.type
    entity, _, column = looked_up.get(parameter.name, kind).partition(".")
    if entity in spec.domain.entities:
        found = spec.domain.entities[entity]
        rows = list(base.tables[found.table].rows.values())[:ROWS]
        return [getattr(row, column or found.key) for row in rows]
    if kind in spec.domain.enums:
        return [spec.domain.enums[kind].values[0]] * ROWS
    if kind == "date":
        return [spec.clock.date().isoformat()] * ROWS
    return [NOTHING[kind]] * ROWS if kind in NOTHING else []
