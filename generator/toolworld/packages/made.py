"""Tasks that were made for a package, told from those written by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

CHAINED = re.compile(r"made-\d+")
"""The ids of tasks that were made from chains of calls."""


def made_id(number: int) -> str:
    """Return the id of a task made from a chain, counted from 1."""
    return f"made-{number:04d}"


def is_made(task: Mapping[str, Any]) -> bool:
    """Return whether a task was made, not written by hand."""
    return bool(task.get("scenario")) or bool(CHAINED.fullmatch(str(task.get("id", ""))))


def made_in(text: str) -> str:
    """Return the text of a ``tasks.jsonl`` with the made tasks only."""
    return _lines(text, made=True)


def by_hand(text: str) -> str:
    """Return the text of a ``tasks.jsonl`` without the made tasks."""
    return _lines(text, made=False)


def count_made(text: str) -> int:
    """Return how many made tasks a ``tasks.jsonl`` has."""
    return made_in(text).count("\n")


def _lines(text: str, *, made: bool) -> str:
    lines = (line for line in text.split("\n") if line)
    return "".join(f"{line}\n" for line in lines if is_made(json.loads(line)) == made)
