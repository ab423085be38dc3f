"""A package's file of tasks: made tasks take the place of those made before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from toolworld.artifacts import write_whole
from toolworld.emit.gold import tasks_text
from toolworld.emit.load import find_module
from toolworld.emit.made import by_hand, count_made
from toolworld.errors import ToolworldError


def tasks_path(package: Path) -> Path:
    """Return where a package has its tasks.

    Raises:
        PackageLoadError: The folder holds no package.
    """
    return find_module(package) / "data" / "tasks.jsonl"


def write_made(package: Path, made: Sequence[Mapping[str, Any]]) -> int:
    """Put made tasks in the place of earlier ones; those written by hand stay first.

    Returns:
        How many earlier ones there were. They stay if there are no new ones.

    Raises:
        PackageLoadError: The folder holds no package.
        ToolworldError: The file cannot be read or written; it is as it was.
    """
    path = tasks_path(package)
    try:
        before = path.read_text(encoding="utf-8")
        if made:
            write_whole(path, by_hand(before) + tasks_text(made))
    except (OSError, ValueError) as error:
        raise ToolworldError(f"{path} cannot be rewritten: {error}") from error
    return count_made(before) if made else 0
