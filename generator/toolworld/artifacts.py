"""Files that are written whole or not at all: under a temporary name, then renamed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from toolworld.errors import ToolworldError
from toolworld.system.temporary import temporary_beside

READABLE = 0o644


def write_whole(path: Path, text: str) -> None:
    """Write a text file; a reader sees the old one or the new one, never half of it.

    A link, a pipe or a terminal is written to as it is: nothing may take its place.

    Raises:
        OSError: It cannot be written; what was there is as it was.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.write_text(text, encoding="utf-8")
        return
    temporary = temporary_beside(path)
    with clearing(lambda: temporary.unlink(missing_ok=True)):
        temporary.touch(0o600, exist_ok=False)
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.chmod(path.stat().st_mode if path.exists() else READABLE)
        temporary.replace(path)


@contextmanager
def clearing(clear: Callable[[], object]) -> Iterator[None]:
    """Clear up after a block, also if Ctrl-C comes while clearing up.

    Args:
        clear: Clears all that the block may have left; where there is nothing, it does nothing.
    """
    try:
        try:
            yield
        finally:
            clear()
    finally:
        clear()


def write_report(path: Path, content: Mapping[str, Any]) -> None:
    """Write a report as JSON.

    Raises:
        ToolworldError: It cannot be written.
    """
    try:
        write_whole(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    except OSError as error:
        raise ToolworldError(f"The report cannot be written to {path}: {error}") from error
