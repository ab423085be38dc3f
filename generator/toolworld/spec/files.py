"""The files of a domain folder: read with suspicion, written whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from toolworld.errors import Problem, SpecError

LARGEST = {
    "domain.yaml": 1_000_000,
    "tools.py": 400_000,
    "seed.py": 400_000,
    "policy.md": 200_000,
    "phrases.yaml": 1_000_000,
    "tasks.yaml": 4_000_000,
    "cases.yaml": 4_000_000,
    "survivors.yaml": 1_000_000,
}
OPTIONAL = ("tasks.yaml", "cases.yaml", "survivors.yaml")
FILES = tuple(LARGEST)


def read_files(folder: Path) -> tuple[dict[str, str], list[Problem]]:
    """Read the files of a domain folder.

    Returns:
        The text of each file that can be read, and a problem for each that cannot.

    Raises:
        SpecError: There is no such folder.
    """
    if not folder.is_dir():
        raise SpecError(
            [
                Problem(
                    str(folder),
                    0,
                    "no-folder",
                    "There is no such folder.",
                    "Give the path of a domain folder.",
                )
            ]
        )
    texts: dict[str, str] = {}
    problems: list[Problem] = []
    for name in FILES:
        if name in OPTIONAL and not os.path.lexists(folder / name):
            continue
        found = _read(folder, name)
        if isinstance(found, Problem):
            problems.append(found)
        else:
            texts[name] = found
    return texts, problems


def _read(folder: Path, name: str) -> str | Problem:
    path = folder / name
    try:
        refusal = _refusal(folder, path, name)
        if refusal is not None:
            return refusal
        content = path.read_bytes()
    except OSError as error:
        reason = error.strerror or "the system refuses"
        return Problem(name, 0, "unreadable", f"It cannot be read: {reason}.", "Check the file.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return Problem(name, line, "encoding", "It is not UTF-8.", "Save the file as UTF-8.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _refusal(folder: Path, path: Path, name: str) -> Problem | None:
    if not path.exists() and not path.is_symlink():
        return Problem(name, 0, "missing-file", "The file is missing.", "Add it to the folder.")
    if not path.resolve().is_relative_to(folder.resolve()):
        return Problem(
            name, 0, "outside", "It is a link out of the folder.", "Put the file itself here."
        )
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        return Problem(name, 0, "not-a-file", "It is no file.", "Put a file here.")
    if status.st_size > LARGEST[name]:
        return Problem(
            name, 0, "too-large", f"It has {status.st_size} bytes.",
            f"Keep it under {LARGEST[name]} bytes.",
        )  # fmt: skip
    return None


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files under temporary names, then rename all of them into place."""
    folder.mkdir(parents=True, exist_ok=True)
    waiting: list[tuple[Path, Path]] = []
    try:
        for name, text in texts.items():
            temporary = folder / f".{name}.{os.getpid()}.tmp"
            waiting.append((temporary, folder / name))
            temporary.write_bytes(text.encode("utf-8"))
        while waiting:
            temporary, final = waiting[0]
            temporary.replace(final)
            waiting.pop(0)
    finally:
        for temporary, _ in waiting:
            temporary.unlink(missing_ok=True)
