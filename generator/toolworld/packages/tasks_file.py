"""A package's file of tasks, one a line: made tasks take the place of those made before."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from toolworld.artifacts import write_whole
from toolworld.errors import PackageLoadError, ToolworldError
from toolworld.packages.files import MEND
from toolworld.packages.made import by_hand, count_made


def read_tasks(path: Path) -> list[dict[str, Any]]:
    """Return the tasks of a file, without checking their content.

    Raises:
        PackageLoadError: The file cannot be read, or a line is no JSON object.
    """
    return [_object(line, where) for where, line in _lines(path)]


def checked_tasks(path: Path, task_type: Any) -> list[dict[str, Any]]:
    """Return the tasks of a file as JSON values, in file order.

    Args:
        path: The file.
        task_type: The package's own model of a task.

    Raises:
        PackageLoadError: The file cannot be read, or a line of it is no task.
    """
    return [_checked(line, where, task_type) for where, line in _lines(path)]


def tasks_text(tasks: Iterable[Mapping[str, Any]]) -> str:
    """Return tasks as the text of the file."""
    return "".join(f"{json.dumps(task, ensure_ascii=False)}\n" for task in tasks)


def write_made(path: Path, made: Sequence[Mapping[str, Any]]) -> int:
    """Put made tasks in the place of earlier ones; those written by hand stay first.

    Args:
        path: The file.
        made: The tasks.

    Returns:
        How many earlier ones there were. They stay if there are no new ones.

    Raises:
        ToolworldError: The file cannot be read or written; it is as it was.
    """
    try:
        before = path.read_text(encoding="utf-8")
        if made:
            write_whole(path, by_hand(before) + tasks_text(made))
    except (OSError, ValueError) as error:
        raise ToolworldError(f"{path} cannot be rewritten: {error}") from error
    return count_made(before) if made else 0


def _lines(path: Path) -> list[tuple[str, str]]:
    """Return each line that is not empty, with its place."""
    try:
        # Not splitlines(): that splits at characters that JSON texts may hold.
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as error:
        raise PackageLoadError(f"{path} cannot be read: {error}. {MEND}") from error
    return [(f"{path}:{number}", line) for number, line in enumerate(lines, 1) if line]


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        task = json.loads(line)
    except json.JSONDecodeError as error:
        raise PackageLoadError(f"{where}:{error.colno}: this is no JSON: {error.msg}.") from error
    if not isinstance(task, dict):
        raise PackageLoadError(f"{where}: a task is a JSON object.")
    return task


def _checked(line: str, where: str, task_type: Any) -> dict[str, Any]:
    try:
        read: dict[str, Any] = task_type.model_validate_json(line).model_dump(mode="json")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise PackageLoadError(
            f"{where}: this is no task: {place + ': ' if place else ''}{first['msg']}. Correct "
            "the line, or build the package again: toolworld build DOMAIN --out DIR"
        ) from error
    return read
