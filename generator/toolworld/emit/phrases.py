"""How people speak of a package's rows and tools, as package data: ``phrases.json``.

With the phrases go the types of all columns, fields and enums, so that values can be said in
words: a day as a day, money with its cents.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolworld.spec.drafts import Phrases
from toolworld.spec.model import ObjectField
from toolworld.spec.spec import Spec

Json = dict[str, Any]


def phrases_json(spec: Spec, phrases: Phrases) -> Json:
    """Return the phrases of people, and the types of the values in them."""
    domain = spec.domain
    shapes: dict[str, Mapping[str, ObjectField]] = {
        **{name: entity.columns for name, entity in domain.entities.items()},
        **{name: found.fields for name, found in domain.objects.items()},
    }
    return {
        **phrases.model_dump(mode="json"),
        "shapes": {
            name: {key: _field(field) for key, field in fields.items()}
            for name, fields in shapes.items()
        },
        "enums": {name: list(enum.values) for name, enum in domain.enums.items()},
    }


def _field(field: ObjectField) -> Json:
    return {"type": field.type, "unit": field.unit} if field.unit else {"type": field.type}
