"""Templates filled with values; the length of the result is bounded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jinja2 import Template

MOST_FILLED = 20_000
"""How many characters a filled template may have."""


class TooMuchText(Exception):
    """A template makes more text than anybody says."""


def filled(template: Template, values: Mapping[str, Any]) -> str:
    """Fill a template.

    Raises:
        TooMuchText: It makes too much; it is stopped as soon as it has.
    """
    parts, size = list[str](), 0
    for part in template.generate(values):
        size += len(part)
        if size > MOST_FILLED:
            raise TooMuchText
        parts.append(part)
    return "".join(parts)
