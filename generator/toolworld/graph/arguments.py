"""Arguments for a tool, made from its schema and from known values."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from toolworld.graph.knowledge import Known, LinkedRows
from toolworld.graph.surface import PAGING as PAGING
from toolworld.graph.surface import ParameterFacts, ToolFacts

Json = Any
Schema = Mapping[str, Json]

DAYS = (-30, -7, -1, 0, 0, 1, 1, 2, 3, 5, 7, 14, 30, 90, 365)
INTEGERS = (0, 1, 1, 1, 2, 2, 3, 4, 5, 10, 20, 50)
AMOUNTS = (1, 5, 9.99, 20, 50, 100, 250.5)
TEXTS = ("As agreed by phone.", "e", "12345", "new.name@example.com", "+1 555 010 0199")

GIVEN, LIKE_BEFORE, KNOWN, STRANGER, FRESH = 0.35, 0.7, 0.8, 0.05, 0.25


class ArgumentMaker:
    """Makes arguments, deterministically for a generator of random numbers."""

    def __init__(self, world: LinkedRows, clock: datetime, rng: random.Random) -> None:
        """Take the sources of unknown ids and of days."""
        self._world = world
        self._clock = clock
        self._rng = rng

    def make(
        self, tool: ToolFacts, known: Known, before: Sequence[Mapping[str, Json]] = ()
    ) -> dict[str, Json]:
        """Return arguments for a tool.

        Args:
            tool: The tool.
            known: What they are made from.
            before: Arguments the tool took; at times values are taken over, but of ids only
                those of entities that nothing is known of.
        """
        rng = self._rng
        like = rng.choice(before) if before and rng.random() < 0.7 else {}
        made: dict[str, Json] = {}
        for name, part in tool.parameters.items():
            schema = tool.schema["properties"][name]
            if name in PAGING and not part.required:
                if name == "limit" and rng.random() < GIVEN:
                    made[name] = schema.get("maximum", 50)
            elif name in like and unknown(part, known) and rng.random() < LIKE_BEFORE:
                made[name] = like[name]
            elif part.required or rng.random() < GIVEN:
                made[name] = self._value(schema, name, name, part.names, known)
        return made

    def _value(
        self, schema: Schema, path: str, name: str, names: Mapping[str, str], known: Known
    ) -> Json:
        if "anyOf" in schema:
            return self._value(schema["anyOf"][0], path, name, names, known)
        if path in names:
            return self._id(names[path], known)
        if "enum" in schema:
            return self._rng.choice(schema["enum"])
        if schema["type"] == "array":
            return self._list(schema, path, name, names, known)
        if schema["type"] == "object":
            return {
                key: self._value(part, f"{path}.{key}", key, names, known)
                for key, part in schema["properties"].items()
            }
        return self._plain(schema, name, known)

    def _list(
        self, schema: Schema, path: str, name: str, names: Mapping[str, str], known: Known
    ) -> list[Json]:
        singular = name.removesuffix("s")
        size = self._rng.choice((1, 1, 1, 2))
        return [
            self._value(schema["items"], f"{path}.*", singular, names, known) for _ in range(size)
        ]

    def _id(self, named: str, known: Known) -> str:
        ids, rng = known.ids(named), self._rng
        if ids and rng.random() > STRANGER:
            return ids[min(int(rng.expovariate(0.6)), len(ids) - 1)]
        everywhere = self._world.keys[named]
        return rng.choice(everywhere) if everywhere else "none"

    def _plain(self, schema: Schema, name: str, known: Known) -> Json:
        rng = self._rng
        fitting = [value for value in known.about(name) if fits(value, schema)]
        if not fitting or rng.random() > KNOWN:
            return self._made_up(schema)
        value = fitting[min(int(rng.expovariate(0.4)), len(fitting) - 1)]
        if schema["type"] == "string" and "format" not in schema and rng.random() < FRESH:
            return re.sub(r"\d", lambda _: str(rng.randrange(10)), value)
        return value

    def _made_up(self, schema: Schema) -> Json:
        rng = self._rng
        if schema["type"] == "string":
            return self._text(schema.get("format"))
        if schema["type"] == "integer":
            return rng.choice(INTEGERS)
        return rng.choice(AMOUNTS) if schema["type"] == "number" else rng.random() < 0.5

    def _text(self, form: str | None) -> str:
        rng = self._rng
        if form is None:
            return rng.choice(TEXTS)
        day = (self._clock + timedelta(days=rng.choice(DAYS))).date().isoformat()
        return day if form == "date" else f"{day}T{rng.choice((9, 10, 14, 18)):02d}:00:00Z"


def unknown(parameter: ParameterFacts, known: Known) -> bool:
    """Whether no id that a parameter could take is known."""
    return not any(known.ids(named) for named in parameter.names.values())


def fits(value: Json, schema: Schema) -> bool:
    """Whether a plain value has a schema's type and, for days and times, its form."""
    kind = schema["type"]
    if isinstance(value, bool) or kind == "boolean":
        return isinstance(value, bool) and kind == "boolean"
    if kind == "string":
        wanted = {"date": 10, "date-time": 20}.get(schema.get("format", ""))
        return isinstance(value, str) and (wanted is None or len(value) == wanted)
    return isinstance(value, int if kind == "integer" else int | float)
