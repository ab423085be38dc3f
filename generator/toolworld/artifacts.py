"""Files that are written whole or not at all: under a temporary name, then renamed."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolworld.errors import ToolworldError

READABLE = 0o644


def write_whole(path: Path, text: str) -> None:
    """Write a text file; whoever reads it sees the old one or the new one, never half of it.

    A link, a pipe or a terminal is written to as it is: nothing may take its place.

    Raises:
        OSError: It cannot be written; what was there is as it was.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.write_text(text, encoding="utf-8")
        return
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        temporary.chmod(path.stat().st_mode if path.exists() else READABLE)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_report(path: Path, content: Mapping[str, Any]) -> None:
    """Write a report as JSON.

    Raises:
        ToolworldError: It cannot be written.
    """
    try:
        write_whole(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    except OSError as error:
        raise ToolworldError(f"The report cannot be written to {path}: {error}") from error
