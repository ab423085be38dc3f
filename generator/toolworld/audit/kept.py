"""Where an audit's answers are kept, to go on from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from toolworld.draft.journal import FILE, Journal
from toolworld.errors import DraftError

AUDITED = "audited.json"


@contextmanager
def journal_of(audited: Any, folder: Path | None, resume: bool) -> Iterator[Journal]:
    """Give a journal for the answers of an audit.

    Args:
        audited: What is looked at, as JSON values: answers about anything else are no use.
        folder: Where it is kept; None for a folder that is gone afterwards.
        resume: Go on with the answers in the folder.

    Raises:
        DraftError: The folder is in use, or holds another audit, or none to go on with.
    """
    if folder is None:
        if resume:
            raise DraftError("Say with --out where the audit to go on with is kept.")
        with TemporaryDirectory(prefix="toolworld-audit-") as name:
            yield Journal(Path(name) / FILE)
        return
    if resume:
        _check_same(folder, audited)
    else:
        _start(folder, audited)
    yield Journal(folder / FILE)


def _check_same(folder: Path, audited: Any) -> None:
    file = folder / AUDITED
    if not file.is_file():
        raise DraftError(f"{folder} holds no audit to go on with; leave out --resume.")
    if json.loads(file.read_text("utf-8")) != audited:
        raise DraftError(
            f"{folder} holds an audit of another package, of this one as it was before, or with "
            "another seed; choose another folder."
        )


def _start(folder: Path, audited: Any) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise DraftError(f"{folder} is in use; choose another, or go on with --resume.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / AUDITED).write_text(json.dumps(audited) + "\n", encoding="utf-8")
    except OSError as error:
        raise DraftError(f"{folder} cannot be used: {error.strerror}.") from error
