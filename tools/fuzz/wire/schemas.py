"""Random values that fit a JSON schema, at times with optional members."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

Json = Any
DEEPEST = 6
TEXTS = ("", "a", "text", "é", "file:///x", "2025-11-25", "x" * 50)
NUMBERS = (0, 1, -1, 7, 1000)


class SchemaSampler:
    """Makes values of the schemas of one document."""

    def __init__(self, document: Mapping[str, Json], rng: random.Random) -> None:
        """Take the document that references point into."""
        self._document, self._rng = document, rng

    def value(self, schema: Json, depth: int = 0) -> Json:
        """Return a random value that fits a schema."""
        rng = self._rng
        if not isinstance(schema, Mapping):
            return rng.choice(TEXTS)
        if "$ref" in schema:
            return self.value(self._found(schema["$ref"]), depth + 1) if depth < DEEPEST else {}
        for name in ("anyOf", "oneOf", "allOf"):
            if schema.get(name):
                return self.value(rng.choice(schema[name]), depth + 1)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return rng.choice(schema["enum"])
        return self._of_type(schema, depth)

    def _of_type(self, schema: Mapping[str, Json], depth: int) -> Json:
        rng, kind = self._rng, schema.get("type", "object")
        if kind == "object":
            return self._object(schema, depth)
        if kind == "array":
            items = schema.get("items", {"type": "string"})
            return [self.value(items, depth + 1) for _ in range(rng.choice((0, 1, 1, 2)))]
        plain = {
            "string": rng.choice(TEXTS),
            "integer": rng.choice(NUMBERS),
            "number": rng.choice((*NUMBERS, 0.5)),
            "boolean": rng.random() < 0.5,
        }
        return plain.get(kind)

    def _object(self, schema: Mapping[str, Json], depth: int) -> dict[str, Json]:
        rng, required = self._rng, schema.get("required", ())
        chance = 0.5 / (depth + 1)
        made = {
            name: self.value(part, depth + 1)
            for name, part in schema.get("properties", {}).items()
            if name in required or rng.random() < chance
        }
        if schema.get("additionalProperties") and rng.random() < chance:
            made["more"] = rng.choice(TEXTS)
        return made

    def _found(self, reference: str) -> Json:
        found: Json = self._document
        for part in reference.removeprefix("#/").split("/"):
            found = found[part]
        return found
