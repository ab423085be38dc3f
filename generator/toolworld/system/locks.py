"""A folder held by one process at a time; the lock of a process that is gone holds nobody up."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TextIO

from toolworld.errors import ToolworldError

LOCK = ".toolworld.lock"


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Hold a folder, which is made if it is not there, for a block.

    The system lets go of it when the process ends, however it ends.

    Raises:
        ToolworldError: Another process holds it, or it cannot be written.
    """
    path = folder / LOCK
    try:
        is_new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise ToolworldError(f"{folder} cannot be used: {error.strerror}.") from error
    with file:
        if not (_lock(file) and _is_at(path, file)):
            file.seek(0)
            raise ToolworldError(
                f"{folder} is in use by {file.read(200).strip() or 'another process'}. "
                "Wait for it, end it, or choose another folder."
            )
        _sign(file)
        try:
            yield
        finally:
            # While it is held: whoever comes now finds another file, or none.
            path.unlink(missing_ok=True)
            if is_new:
                _remove_if_empty(folder)


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _lock(file: TextIO) -> bool:
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_at(path: Path, file: TextIO) -> bool:
    """Return whether a file is not yet removed by whoever held it before."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except OSError:
        return False


def _sign(file: TextIO) -> None:
    since = datetime.now().astimezone().isoformat(" ", "seconds")
    file.truncate(0)
    file.write(f"process {os.getpid()} since {since}\n")
    file.flush()
