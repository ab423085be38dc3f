"""The files of a domain folder: read with suspicion, written whole or not at all."""

from __future__ import annotations

import keyword
import os
import re
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from toolworld.errors import Problem, SpecError
from toolworld.system.temporary import temporary_beside

LARGEST = {
    "domain.yaml": 1_000_000,
    "tools.py": 400_000,
    "seed.py": 400_000,
    "policy.md": 200_000,
    "conduct.py": 200_000,
    "laws.py": 200_000,
    "phrases.yaml": 1_000_000,
    "tasks.yaml": 4_000_000,
    "cases.yaml": 4_000_000,
    "survivors.yaml": 1_000_000,
    "explained.yaml": 1_000_000,
}
OPTIONAL = (
    "conduct.py", "laws.py", "phrases.yaml", "tasks.yaml", "cases.yaml", "survivors.yaml",
    "explained.yaml",
)  # fmt: skip
FILES = tuple(LARGEST)

TOOLS, FOLDER = "tools.py", "tools"
"""Where the tools stand: in one file, or in the files of a folder."""
MODULES = (FOLDER, "seed", "conduct", "laws")
"""What stands in one file of code, or in the files of a folder."""
SCENARIOS = "scenarios"
"""Where scenarios stand: a file of code and one of words for each area."""
YAML = ("domain", "phrases", "cases")
"""The YAML files that may go on in the files of a folder of the same name."""
MOST_FILES = 80
LARGEST_OF_FOLDER = 100_000
OF_FOLDER = {
    **dict.fromkeys(MODULES, re.compile(r"[a-z][a-z0-9_]{0,39}\.py")),
    **dict.fromkeys(YAML, re.compile(r"[a-z][a-z0-9_]{0,39}\.yaml")),
    SCENARIOS: re.compile(r"[a-z][a-z0-9_]{0,39}\.(py|yaml)"),
}
CACHE = "__pycache__"


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
    names, problems = _names(folder)
    for name in names:
        found = _read(folder, name)
        if isinstance(found, Problem):
            problems.append(found)
        else:
            texts[name] = found
    return texts, problems


def _names(folder: Path) -> tuple[list[str], list[Problem]]:
    """Return the files to read, and problems with the folders of code."""
    there = {name for name in OPTIONAL if os.path.lexists(folder / name)}
    names = [name for name in FILES if name in there or name not in OPTIONAL]
    problems: list[Problem] = []
    for module in MODULES:
        if os.path.lexists(folder / module):
            names, found = _names_of_module(folder, module, names)
            problems += found
    for inner in (*YAML, SCENARIOS):
        if os.path.lexists(folder / inner):
            more, found = _names_of_folder(folder, inner)
            names, problems = names + more, problems + found
    return names, problems


def _names_of_module(
    folder: Path, module: str, names: Sequence[str]
) -> tuple[list[str], list[Problem]]:
    """Return the files of a module that is a folder, and problems with the folder."""
    file = f"{module}.py"
    others = [name for name in names if name != file]
    if os.path.lexists(folder / file):
        two = Problem(
            file, 0, "two-places", f"There is {file}, and a folder {module}, too.",
            f"Put the {module} into one of them, and remove the other.",
        )  # fmt: skip
        return others, [two]
    of_folder, problems = _names_of_folder(folder, module)
    return others + of_folder, problems


def _names_of_folder(folder: Path, inner: str) -> tuple[list[str], list[Problem]]:
    """Return the files of a folder of code, and problems with it."""
    if not (folder / inner).is_dir():
        return [], [
            Problem(inner, 0, "not-a-folder", "It is no folder.", "Make it one, or remove it.")
        ]
    if not _is_inside(folder, folder / inner):
        return [], [_outside(inner)]
    try:
        there = sorted(one.name for one in (folder / inner).iterdir() if one.name != CACHE)
    except OSError as error:
        return [], [_unreadable(inner, error)]
    pattern = OF_FOLDER[inner]
    known = [name for name in there if pattern.fullmatch(name) and not _is_reserved(name)]
    strangers = [name for name in there if name not in known]
    problems = [_stranger(inner, name) for name in strangers[:MOST_FILES]]
    if inner not in YAML and not any(name.endswith(".py") for name in known):
        problems.append(
            Problem(inner, 0, "no-code", "The folder holds no code.", f"Add a file of {inner}.")
        )
    if len(known) > MOST_FILES:
        many = f"The folder holds {len(known)} files."
        problems.append(Problem(inner, 0, "too-many-files", many, f"Keep it to {MOST_FILES}."))
    return [f"{inner}/{name}" for name in known[:MOST_FILES]], problems


def _is_reserved(name: str) -> bool:
    return keyword.iskeyword(name.partition(".")[0])


def _stranger(inner: str, name: str) -> Problem:
    return Problem(
        f"{inner}/{name}", 0, "stranger", "Only files of code with plain names stand here.",
        "Name it by what it is about, such as orders.py, or take it away.",
    )  # fmt: skip


def _read(folder: Path, name: str) -> str | Problem:
    path = folder / name
    try:
        refusal = _refusal(folder, path, name)
        if refusal is not None:
            return refusal
        content = path.read_bytes()
    except OSError as error:
        return _unreadable(name, error)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return Problem(name, line, "encoding", "It is not UTF-8.", "Save the file as UTF-8.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _unreadable(name: str, error: OSError) -> Problem:
    reason = error.strerror or "the system refuses"
    return Problem(name, 0, "unreadable", f"It cannot be read: {reason}.", "Check the file.")


def _refusal(folder: Path, path: Path, name: str) -> Problem | None:
    if not path.exists() and not path.is_symlink():
        return Problem(name, 0, "missing-file", "The file is missing.", "Add it to the folder.")
    if not _is_inside(folder, path):
        return _outside(name)
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        return Problem(name, 0, "not-a-file", "It is no file.", "Put a file here.")
    largest = LARGEST.get(name, LARGEST_OF_FOLDER)
    if status.st_size > largest:
        return Problem(
            name, 0, "too-large", f"It has {status.st_size} bytes.",
            f"Keep it under {largest} bytes.",
        )  # fmt: skip
    return None


def _is_inside(folder: Path, path: Path) -> bool:
    """Return whether a path resolves to a file inside a folder; a link to itself does not."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def _outside(name: str) -> Problem:
    return Problem(
        name, 0, "outside", "It is a link out of the folder, or to itself.",
        "Put the file itself here.",
    )  # fmt: skip


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files under temporary names, then rename all of them into place."""
    folder.mkdir(parents=True, exist_ok=True)
    waiting: list[tuple[Path, Path]] = []
    try:
        for name, text in texts.items():
            final = folder / name
            final.parent.mkdir(exist_ok=True)
            temporary = temporary_beside(final)
            waiting.append((temporary, final))
            temporary.write_bytes(text.encode("utf-8"))
        while waiting:
            temporary, final = waiting[0]
            temporary.replace(final)
            waiting.pop(0)
    finally:
        for temporary, _ in waiting:
            temporary.unlink(missing_ok=True)


def remove_other_code(folder: Path, texts: Mapping[str, str]) -> None:
    """Remove files of folders and modules that an earlier save left in a domain folder."""
    inner = [folder / name for name in (*MODULES, SCENARIOS)]
    yaml = [folder / name for name in YAML]
    words = [path for one in (*yaml, folder / SCENARIOS) for path in one.glob("*.yaml")]
    code = [path for one in inner for path in (one.with_suffix(".py"), *one.glob("*.py"))]
    for path in [*code, *words]:
        if path.relative_to(folder).as_posix() not in texts:
            path.unlink(missing_ok=True)
    for one in (*inner, *yaml):
        if one.is_dir() and not any(one.iterdir()):
            one.rmdir()
