"""Other values than gold's: near-miss rows for ids, neighbouring values for the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any

from toolworld.graph.values import at
from toolworld.tasks.certificate.arguments import Leaf, Schema, without_null
from toolworld.tasks.certificate.facts import Facts
from toolworld.tasks.certificate.track import Step, Track

Json = Any

OTHER_TEXTS = ("Something else entirely", "Nothing of the kind")
MANY = 12


class Others:
    """Other values for the arguments of gold."""

    def __init__(self, track: Track) -> None:
        """Take gold as it ran."""
        self._track = track
        self._facts: Facts = track.facts
        self._patch: Mapping[str, Mapping[str, Json]] = track.task.get("initial", {})

    def rows(self, step: Step, leaf: Leaf, most: int) -> list[str]:
        """Return keys of other rows than the one an id names, the easiest mistaken first."""
        chosen = self.near_rows(step, leaf, most)
        keys = self._facts.keys_of(leaf.entity, self._patch)
        while len(chosen) < min(most, len(keys) - 1):
            stranger = self._track.rng.choice(keys)
            if stranger != leaf.value and stranger not in chosen:
                chosen.append(stranger)
        return chosen

    def near_rows(self, step: Step, leaf: Leaf, most: int) -> list[str]:
        """Return keys of other rows that a look-up listed, or that name what the right one does."""
        near: dict[str, None] = {}
        for found in self._near(step, leaf.entity, leaf.value):
            if len(near) == most:
                break
            if found != leaf.value and self._facts.row_of(leaf.entity, found, self._patch):
                near[found] = None
        return list(near)

    def _near(self, step: Step, entity: str, key: str) -> Iterator[str]:
        yield from self._listed(step, entity)
        yield from self._patch.get(self._facts.surface.entities[entity].table, {})
        row = self._facts.row_of(entity, key, self._patch)
        if row is not None:
            yield from islice(self._facts.siblings(entity, row), MANY)

    def _listed(self, step: Step, entity: str) -> Iterator[str]:
        """Yield the ids of an entity that earlier look-ups gave."""
        for earlier in reversed(self._track.steps[: step.index]):
            for path, named in earlier.tool.result_ids.items():
                if named == entity:
                    yield from islice(at(earlier.result, path), MANY)

    def values(self, leaf: Leaf, most: int) -> list[Json]:
        """Return other values than a plain one."""
        found = [one for one in neighbours(leaf.value, leaf.schema) if one != leaf.value]
        if "enum" in leaf.schema:
            self._track.rng.shuffle(found)
        return found[:most]

    def added(self, step: Step, most: int) -> list[tuple[str, Json]]:
        """Return optional arguments that gold leaves out, each with a value."""
        left_out = [
            name
            for name, part in step.tool.parameters.items()
            if not part.required and name not in step.arguments and not part.ids
        ]
        self._track.rng.shuffle(left_out)
        found = []
        for name in left_out[:most]:
            schema = without_null(step.tool.schema["properties"][name])
            value = self._some(schema)
            if value is not None:
                found.append((name, value))
        return found

    def _some(self, schema: Schema) -> Json:
        """Return a value that is not the default; None where none is at hand."""
        default = schema.get("default")
        if "enum" in schema:
            return self._track.rng.choice(
                [one for one in schema["enum"] if one != default] or [None]
            )
        if schema.get("type") == "boolean":
            return not default
        if schema.get("type") in ("integer", "number"):
            return (default or 0) + 1
        if schema.get("type") != "string":
            return None
        tomorrow = (self._facts.clock + timedelta(days=1)).date().isoformat()
        form = schema.get("format", "")
        return {"date": tomorrow, "date-time": f"{tomorrow}T10:00:00Z"}.get(form, OTHER_TEXTS[0])


def neighbours(value: Json, schema: Schema) -> list[Json]:
    """Return values next to a plain one: one more or less, a day away, another text."""
    if "enum" in schema:
        return list(schema["enum"])
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [round(value + 1, 2), round(value - 1, 2)]
    if not isinstance(value, str):
        return []
    if schema.get("format") == "date":
        day = date.fromisoformat(value)
        return [(day + timedelta(days=away)).isoformat() for away in (1, -1)]
    if schema.get("format") == "date-time":
        moment = datetime.fromisoformat(value)
        days = (moment + timedelta(days=away) for away in (1, -1))
        return [f"{day:%Y-%m-%dT%H:%M:%S}Z" for day in days]
    digits = re.sub(r"\d", lambda found: str((int(found[0]) + 1) % 10), value)
    return [*([digits] if digits != value else []), *OTHER_TEXTS]
