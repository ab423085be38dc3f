"""Tasks that were made for a package, told by their ids from those written by hand."""

from __future__ import annotations

import json
import re

MADE = re.compile(r"made-\d+")


def made_id(number: int) -> str:
    """Return the id of a made task, counted from 1."""
    return f"made-{number:04d}"


def is_made(line: str) -> bool:
    """Return whether a line of ``tasks.jsonl`` is a made task."""
    return bool(MADE.fullmatch(str(json.loads(line).get("id", ""))))


def by_hand(text: str) -> str:
    """Return the text of a ``tasks.jsonl`` without the made tasks."""
    lines = [line for line in text.split("\n") if line]
    return "".join(f"{line}\n" for line in lines if not is_made(line))


def count_made(text: str) -> int:
    """Return how many made tasks a ``tasks.jsonl`` has."""
    return sum(is_made(line) for line in text.split("\n") if line)
