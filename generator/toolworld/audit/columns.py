"""Describes the values of a column in a few words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

MOST_VALUES, LONGEST = 6, 24


def summary(values: Sequence[Any]) -> str:
    """Return how many values a column has, which ones if there are few, and its bounds."""
    there = [value for value in values if value is not None]
    missing = f", {len(values) - len(there)} null" if len(there) < len(values) else ""
    return f"{_described(there)}{missing}" if there else "always null"


def _described(values: Sequence[Any]) -> str:
    counts = Counter(json.dumps(value, ensure_ascii=False) for value in values)
    few = len(counts) <= MOST_VALUES and all(len(text) <= LONGEST for text in counts)
    if few and len(counts) < len(values):
        return ", ".join(f"{text} x{count}" for text, count in sorted(counts.items()))
    if all(isinstance(value, int | float) for value in values):
        return f"{min(values)} to {max(values)}, {len(counts)} different"
    if all(isinstance(value, str) and value[:4].isdecimal() for value in values):
        return f"{min(values)} to {max(values)}, {len(counts)} different"
    return f"{len(counts)} different"
