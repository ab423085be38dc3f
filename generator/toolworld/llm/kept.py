"""Keeps the answers of an audit or an extension, to resume from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from toolworld.errors import ModelError
from toolworld.llm.journal import FILE, Journal
from toolworld.system.temporary import temporary_folder


@contextmanager
def journal_of(work: str, asked: Any, folder: Path | None, resume: bool) -> Iterator[Journal]:
    """Give a journal for the answers of some work.

    Args:
        work: The kind of work, such as ``audit``.
        asked: What it is about, as JSON values; kept answers must be about the same.
        folder: Where the journal is kept; None for a temporary folder.
        resume: Go on with the answers in the folder.

    Raises:
        ModelError: The folder is in use, holds other work, or has no work to go on with.
    """
    if folder is None:
        if resume:
            raise ModelError(f"Say with --out where the {work} to go on with is kept.")
        with temporary_folder() as name:
            yield Journal(name / FILE)
        return
    file = folder / f"{work}.json"
    if resume:
        _check_same(file, work, asked)
    else:
        _start(file, asked)
    yield Journal(folder / FILE)


def _check_same(file: Path, work: str, asked: Any) -> None:
    if not file.is_file():
        raise ModelError(f"{file.parent} holds no {work} to go on with; leave out --resume.")
    try:
        before = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{file} is broken ({error}); start in another folder.") from error
    if before != asked:
        raise ModelError(
            f"{file.parent} holds an {work} of something else, of this as it was before, or with "
            "other options; choose another folder."
        )


def _start(file: Path, asked: Any) -> None:
    folder = file.parent
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ModelError(f"{folder} is in use; choose another, or go on with --resume.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(asked) + "\n", encoding="utf-8")
    except OSError as error:
        raise ModelError(f"{folder} cannot be used: {error.strerror}.") from error
