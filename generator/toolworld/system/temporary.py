"""Temporary names that tell their process, so that leftovers of killed ones can be removed."""

from __future__ import annotations

import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from toolworld.system.makers import Maker

OURS = "toolworld"
NAME = re.compile(rf"\.(.+)\.{OURS}-([0-9a-f]{{8}}-[0-9]+-[0-9]+)-[0-9a-f]{{16}}")
OLD = "old"
"""In a temporary folder, what stood in the place of which it has the name."""
SECONDS_ELSEWHERE = 86_400.0
"""After how long what a process of another machine left is taken to be left for good."""

_swept: set[Path] = set()


def temporary_beside(path: Path) -> Path:
    """Return a free hidden name in the same folder; nothing is created.

    What killed processes left there is removed, the first time that a folder is asked about.
    """
    if path.parent not in _swept:
        _swept.add(path.parent)
        sweep(path.parent)
    return path.parent / f".{path.name}.{_unique()}"


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Give a new folder among the system's temporary ones; it is gone afterwards."""
    folder = temporary_beside(Path(tempfile.gettempdir()) / OURS)
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        # Again, if Ctrl-C comes while it is being removed.
        try:
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Remove leftovers of killed processes from a folder, recognized by their names.

    What one of them moved out of the way, and put nothing in the place of, goes back there.
    """
    for path in _inside(folder):
        if is_left(path):
            _put_back(path)
            _remove(path)


def remove_own() -> None:
    """Remove leftovers of this process and of those it ended; its threads must be finished."""
    here = Maker.here()
    for folder in {*_swept, Path(tempfile.gettempdir())}:
        for path in _inside(folder):
            if _maker(path) == here or is_left(path):
                _put_back(path)
                _remove(path)


def is_left(path: Path) -> bool:
    """Return whether a path has a temporary name of a process that is gone."""
    maker = _maker(path)
    if maker is None:
        return False
    if maker.is_of_this_machine:
        return not maker.runs
    with suppress(OSError):
        # Only the clock can tell: the time of a file is the clock's, too.
        return time.time() - path.lstat().st_mtime > SECONDS_ELSEWHERE
    return False


def _unique() -> str:
    return f"{OURS}-{Maker.here()}-{secrets.token_hex(8)}"


def _maker(path: Path) -> Maker | None:
    found = NAME.fullmatch(path.name)
    return Maker.read(found[2]) if found else None


def _inside(folder: Path) -> list[Path]:
    try:
        return [*folder.iterdir()]
    except OSError:
        return []


def _put_back(path: Path) -> None:
    found = NAME.fullmatch(path.name)
    # If another process puts something there meanwhile, the system refuses.
    with suppress(OSError):
        if found and (path / OLD).exists() and not (path.parent / found[1]).exists():
            (path / OLD).rename(path.parent / found[1])


def _remove(path: Path) -> None:
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()
