"""YAML that goes on in the files of a folder: ``domain.yaml`` in ``domain/*.yaml``, and so on.

Mappings are joined key by key, lists end to end. A value that is neither may stand only once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from toolworld.errors import Problem
from toolworld.spec.areas import place_in
from toolworld.spec.findings import FileFindings
from toolworld.spec.yamltext import Document, Path, read_yaml


@dataclass(frozen=True)
class YamlFile:
    """One of the files, with its text."""

    file: str
    code: str


@dataclass(frozen=True)
class YamlFiles:
    """A YAML file and those it goes on in, as one text."""

    files: tuple[YamlFile, ...]

    def placed(self, problem: Problem) -> Problem:
        """Return a problem of the joined text with its own file and line."""
        if problem.line == 0:
            return problem
        file, line = place_in(self.files, problem.line)
        return replace(problem, file=file, line=line)


def further_files(name: str, texts: Mapping[str, str]) -> list[str]:
    """Return the files that a YAML file goes on in, by name."""
    folder = f"{PurePosixPath(name).stem}/"
    return sorted(one for one in texts if one.startswith(folder) and one.endswith(".yaml"))


def join_yaml(
    name: str, texts: Mapping[str, str], notes: Mapping[str, FileFindings]
) -> tuple[Document | None, YamlFiles]:
    """Read a YAML file and those it goes on in.

    Args:
        name: The file, which need not be there if others are.
        texts: All files of the domain.
        notes: Take the problems of each file; those of the joined text go to the file's own.

    Returns:
        The joined content, or None if a file cannot be read; and the files.
    """
    names = [one for one in (name, *further_files(name, texts)) if one in texts]
    files = YamlFiles(tuple(YamlFile(one, texts[one]) for one in names))
    documents = [read_yaml(texts[one], notes[one]) for one in names]
    joined, start = None, 0
    for file, document in zip(files.files, documents, strict=True):
        if document is None:
            return None, files
        lines = {path: start + line for path, line in document.lines.items()}
        document = Document(document.value, lines)
        joined = document if joined is None else _joined(joined, document, notes[name])
        start += file.code.count("\n") + 1
    return joined, files


def _joined(one: Document, other: Document, notes: FileFindings) -> Document:
    moved: dict[Path, Path] = {}
    value = _merged(one.value, other.value, (), (), moved, other, notes)
    lines = dict(one.lines)
    for path, line in other.lines.items():
        found = next((n for n in range(len(path), -1, -1) if path[:n] in moved), None)
        if found is not None:
            lines[*moved[path[:found]], *path[found:]] = line
    return Document(value, lines)


def _merged(
    one: Any, other: Any, at: Path, path: Path, moved: dict[Path, Path], source: Document,
    notes: FileFindings,
) -> Any:  # fmt: skip
    """Return two values as one.

    Args:
        one: The value so far.
        other: The value to add.
        at: Where they stand in the joined text.
        path: Where the other stands in its own file.
        moved: Told where parts of the other come to stand.
        source: The other's file.
        notes: Take a problem of a value that stands in both.
    """
    if isinstance(one, dict) and isinstance(other, dict):
        joined = dict(one)
        for key, part in other.items():
            place = (*path, key)
            if key in joined:
                joined[key] = _merged(joined[key], part, (*at, key), place, moved, source, notes)
            else:
                joined[key] = part
                moved[place] = (*at, key)
        return joined
    if isinstance(one, list) and isinstance(other, list):
        moved |= {(*path, number): (*at, len(one) + number) for number in range(len(other))}
        return [*one, *other]
    if other is not None:
        where = ".".join(map(str, at)) or "The content"
        notes.add(
            source.line(path), "said-twice", f"{where} stands in an earlier file, too.",
            "Keep it in one of the files.",
        )  # fmt: skip
    return one
