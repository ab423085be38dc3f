"""Whether a finding quotes words that stand in the documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

Json = Any
NO_WORD = re.compile(r"\W+")


def is_promised(promise: str, definition: Mapping[str, Json]) -> bool:
    """Return whether words stand in a tool's definition.

    Only words count: how lines are broken, what marks a list, and capitals do not.
    """
    wanted = _words(promise)
    return any(wanted in _words(text) for text in _texts(definition))


def _texts(value: Json) -> Iterator[str]:
    """Yield the descriptions in a definition."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            if name in ("title", "description") and isinstance(part, str):
                yield part
            else:
                yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)


def _words(text: str) -> str:
    return f" {NO_WORD.sub(' ', text).strip().casefold()} "
