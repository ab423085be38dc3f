"""Folders written whole or not at all: made beside their place, then renamed into it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from toolworld.artifacts import clearing
from toolworld.errors import BuildError
from toolworld.system.exchange import exchange
from toolworld.system.temporary import OLD, temporary_beside

MARK = "server.json"
"""A file every package has: a folder with none, and not empty, is not ours to replace."""


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """Yield a new folder to fill; it replaces ``out`` if the block ends well.

    Where ``out`` is a link, the folder that it leads to is replaced and the link stays.

    Raises:
        BuildError: ``out`` holds something that is not a package, or cannot be written.
    """
    out = _followed(out)
    check_replaceable(out)
    apart = temporary_beside(out)
    made, old = apart / "new", apart / OLD
    missing = [folder for folder in out.parents if not folder.exists()]

    def clear() -> None:
        if old.exists() and not out.exists():
            old.rename(out)
        shutil.rmtree(apart, ignore_errors=True)
        for folder in missing:
            with suppress(OSError):
                folder.rmdir()

    with clearing(clear):
        _open(made)
        yield made
        _swap(out, old, made)


def _followed(out: Path) -> Path:
    """Return the target of a link, or the path itself if it is no link.

    Raises:
        BuildError: It leads to itself, or cannot be looked at.
    """
    try:
        return out.resolve() if out.is_symlink() else out
    except RuntimeError as error:  # what pathlib raises for a link that leads to itself
        raise BuildError(
            f"{out} is a link that leads to itself; choose another --out folder."
        ) from error
    except OSError as error:
        raise BuildError(_unusable(error)) from error


def _unusable(error: OSError) -> str:
    return f"The --out folder cannot be used: {error.strerror}. Choose another one."


def _open(made: Path) -> None:
    """Make a new folder, and those it lies in.

    Raises:
        BuildError: There is no room for it.
    """
    parent = made.parent.parent
    try:
        made.mkdir(parents=True)
    except OSError as error:
        raise BuildError(f"{parent} cannot be written: {error.strerror}.") from error


def _swap(out: Path, old: Path, made: Path) -> None:
    """Put a new folder in the place of an old one.

    Raises:
        BuildError: The place cannot be had.
    """
    try:
        if not out.exists():
            made.rename(out)
        elif not exchange(made, out):
            out.rename(old)
            made.rename(out)
    except OSError as error:
        raise BuildError(
            f"{out} cannot be replaced: {error.strerror}. Choose another --out folder."
        ) from error


def check_replaceable(out: Path) -> None:
    """Make sure that ``out`` is free, empty, or holds a package.

    Raises:
        BuildError: It is something else.
    """
    try:
        taken = out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file()
        is_file = out.exists() and not out.is_dir()
    except OSError as error:
        raise BuildError(_unusable(error)) from error
    if taken:
        raise BuildError(f"{out} is in use and holds no package; choose another --out folder.")
    if is_file:
        raise BuildError(f"{out} is a file; choose a folder for --out.")


def write_files(folder: Path, files: dict[str, str]) -> None:
    """Write texts under a folder by their relative paths."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def read_files(folder: Path) -> dict[str, str]:
    """Return the texts under a folder by their relative paths, caches left out."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not _is_cache(path.relative_to(folder))
    }


def _is_cache(path: Path) -> bool:
    return any(
        part == "__pycache__" or (part.startswith(".") and part.endswith("_cache"))
        for part in path.parts
    )
