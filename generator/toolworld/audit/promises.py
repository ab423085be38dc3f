"""Checks whether a finding quotes words of the documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

Json = Any
NO_WORD = re.compile(r"\W+")


def is_promised(promise: str, definition: Mapping[str, Json]) -> bool:
    """Return whether a tool's definition has the words of a promise.

    Only words count: line breaks, list marks and capitals do not.
    """
    wanted = _words(promise)
    return any(wanted in _words(text) for text in _texts(definition))


def _texts(value: Json) -> Iterator[str]:
    """Yield the titles and descriptions in a definition."""
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
