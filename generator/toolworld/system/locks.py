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

_held: set[Path] = set()


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Hold a folder, which is made if it is not there, for a block.

    The system lets go of it when the process ends, however it ends.

    Raises:
        ToolworldError: Another process holds it, or it cannot be written.
    """
    path = folder / LOCK
    is_new = not folder.exists()
    with _locked(path) as file:
        try:
            _held.add(path)
            _sign(file)
            yield
        finally:
            # While it is held: whoever comes now finds another file, or none.
            path.unlink(missing_ok=True)
            _held.discard(path)
            if is_new:
                _remove_if_empty(folder)


def remove_held() -> None:
    """Remove the lock files of this process, which must be about to end."""
    for path in [*_held]:
        path.unlink(missing_ok=True)


def _locked(path: Path) -> TextIO:
    """Return a folder's lock file, opened and locked.

    Raises:
        ToolworldError: Another process holds it, or it cannot be written.
    """
    while True:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("a+", encoding="utf-8")
        except OSError as error:
            raise ToolworldError(f"{path.parent} cannot be used: {error.strerror}.") from error
        if not _lock(file):
            with file:
                raise _refusal(path.parent, file)
        if _is_at(path, file):
            return file
        # Whoever held it has let go and removed it since it was opened here.
        file.close()


def _refusal(folder: Path, file: TextIO) -> ToolworldError:
    file.seek(0)
    holder = file.read(200).strip() or "another process"
    return ToolworldError(
        f"{folder} is in use by {holder}. Wait for it, end it, or choose another folder."
    )


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _lock(file: TextIO) -> bool:
    """Lock a file; return false if another process has. Where there are no locks, go on."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _is_at(path: Path, file: TextIO) -> bool:
    """Return whether a lock file still exists after its last holder let go."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _sign(file: TextIO) -> None:
    since = datetime.now().astimezone().isoformat(" ", "seconds")
    file.truncate(0)
    file.write(f"process {os.getpid()} since {since}\n")
    file.flush()
