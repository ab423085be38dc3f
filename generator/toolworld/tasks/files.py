"""A package's file of tasks: made tasks take the place of those made before."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from toolworld.emit.gold import tasks_text
from toolworld.emit.load import find_module
from toolworld.errors import ToolworldError

Json = Any

MADE = re.compile(r"made-\d+")
"""The ids of made tasks; all others were written by hand."""


def made_id(number: int) -> str:
    """Return the id of a made task, counted from 1."""
    return f"made-{number:04d}"


def tasks_path(package: Path) -> Path:
    """Return where a package has its tasks.

    Raises:
        PackageLoadError: The folder holds no package.
    """
    return find_module(package) / "data" / "tasks.jsonl"


def write_made(package: Path, made: Iterable[Mapping[str, Json]]) -> None:
    """Put made tasks in the place of earlier ones; those written by hand stay first.

    Raises:
        PackageLoadError: The folder holds no package.
        ToolworldError: The file cannot be read or written; it is as it was.
    """
    path = tasks_path(package)
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
        before = [json.loads(line) for line in lines if line]
        kept = [task for task in before if not MADE.fullmatch(task["id"])]
        _replace(path, tasks_text([*kept, *made]))
    except (OSError, ValueError) as error:
        raise ToolworldError(f"{path} cannot be rewritten: {error}") from error


def _replace(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    handle, name = tempfile.mkstemp(prefix=".tasks.", dir=path.parent)
    new = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        new.chmod(path.stat().st_mode)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
