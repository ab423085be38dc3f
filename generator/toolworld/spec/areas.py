"""A module in several files: joined into one text, and its lines led back to the files.

The files of one folder share one namespace, so all that is checked of a module is checked of the
joined text. What is checked of a file by itself is its syntax, its size and its docstring; what
is checked between files is that no use comes back to where it started.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Protocol

from toolworld.errors import Problem
from toolworld.spec.findings import FileFindings
from toolworld.spec.source import Source, parse_source
from toolworld.spec.tree_walk import walk

MOST_LINES = 400
MOST_DOCSTRING = 90


class JoinedFile(Protocol):
    """A file whose code was joined with that of others."""

    @property
    def file(self) -> str:
        """Its path in the domain folder."""

    @property
    def code(self) -> str:
        """Its text with the docstring blanked out, so that lines stay."""


@dataclass(frozen=True)
class AreaFile:
    """One file of a module in several files.

    Attributes:
        file: Its path in the domain folder, such as ``tools/orders.py``.
        docstring: What it says of itself.
        code: Its text with the docstring blanked out, so that lines stay.
        source: The same, parsed.
        uses: The names it uses of each other file.
    """

    file: str
    docstring: str
    code: str
    source: Source
    uses: Mapping[str, tuple[str, ...]]

    @property
    def name(self) -> str:
        """What the area is called."""
        return PurePosixPath(self.file).stem


@dataclass(frozen=True)
class Joined:
    """The files of a folder as one module.

    Attributes:
        areas: The files, those that others use first.
        text: Their code, one after the other.
    """

    areas: tuple[AreaFile, ...]

    @property
    def text(self) -> str:
        """The code of all files, each at the lines that ``place`` knows."""
        return "\n".join(area.code for area in self.areas)

    def place(self, line: int) -> tuple[str, int]:
        """Return the file and line of a line of the joined text; line 0 means the whole folder."""
        if line == 0:
            return str(PurePosixPath(self.areas[0].file).parent), 0
        return place_in(self.areas, line)

    def placed(self, problem: Problem) -> Problem:
        """Return a problem of the joined text with the file and line it is at."""
        file, line = self.place(problem.line)
        return replace(problem, file=file, line=line)


def place_in(files: Sequence[JoinedFile], line: int) -> tuple[str, int]:
    """Return the file and line of a line of joined code."""
    starts = [0]
    for file in files[:-1]:
        starts.append(starts[-1] + file.code.count("\n") + 1)
    number = bisect_right(starts, line - 1) - 1
    return files[number].file, line - starts[number]


def join_files(texts: Mapping[str, str]) -> tuple[Joined | None, list[Problem]]:
    """Join the files of a folder.

    Args:
        texts: The text of each file, by its path in the domain folder.

    Returns:
        The files as one module, or None if one of them cannot be read; and all problems.
    """
    notes = {file: FileFindings(file) for file in sorted(texts)}
    sources = {file: parse_source(texts[file], findings) for file, findings in notes.items()}
    found = {file: source for file, source in sources.items() if source is not None}
    for file, source in found.items():
        _check_file(source, notes[file])
    if len(found) == len(texts):
        _check_names(found, notes)
    joined = _joined(found, notes) if len(found) == len(texts) else None
    return joined, [problem for one in notes.values() for problem in one.told()]


# What is checked of a file by itself


def _check_file(source: Source, findings: FileFindings) -> None:
    lines = source.text.rstrip("\n").count("\n") + 1
    if lines > MOST_LINES:
        findings.add(
            MOST_LINES + 1, "too-many-lines", f"The file has {lines} lines.",
            f"Keep it to {MOST_LINES}: move what belongs together into a file of its own.",
        )  # fmt: skip
    first = _docstring_of(source)
    if first is None:
        findings.add(
            1, "no-docstring", "The file does not say what its area is.",
            'Open it with one line in quotes, such as """Orders, from placing to delivery.""".',
        )  # fmt: skip
    elif not _is_one_line(first, source):
        findings.add(
            first, "summary", "The file's docstring is no short sentence on a line of its own.",
            f"Keep it to {MOST_DOCSTRING} characters on one line, and end it in a full stop.",
        )  # fmt: skip


def _docstring_of(source: Source) -> ast.Expr | None:
    first = source.tree.body[0] if source.tree.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return first if isinstance(first.value.value, str) else None
    return None


def _is_one_line(docstring: ast.Expr, source: Source) -> bool:
    text = _said(docstring)
    alone = [node for node in source.tree.body if node.lineno == docstring.lineno] == [docstring]
    short = 0 < len(text) <= MOST_DOCSTRING and "\n" not in text and text.isprintable()
    return alone and short and docstring.end_lineno == docstring.lineno and text[-1] in ".?!"


def _said(docstring: ast.Expr | None) -> str:
    value = docstring.value if docstring is not None else None
    return str(value.value).strip() if isinstance(value, ast.Constant) else ""


def _without(docstring: ast.Expr | None, text: str) -> str:
    """Return a file's text with its docstring blanked out, and anything that shares its lines."""
    lines = text.split("\n")
    if docstring is not None:
        for number in range(docstring.lineno - 1, docstring.end_lineno or docstring.lineno):
            lines[number] = ""
    return "\n".join(lines)


# What is checked between files


def _check_names(sources: Mapping[str, Source], notes: Mapping[str, FileFindings]) -> None:
    """A file and a function of one name would be one attribute of the emitted package."""
    functions = {node.name for source in sources.values() for node in source.functions}
    for file in sources:
        name = PurePosixPath(file).stem
        if name in functions:
            notes[file].add(
                0, "reserved-name", f"The file is called {name}, and so is a function.",
                "Call the file by what it is about, such as orders.py.",
            )  # fmt: skip


def _joined(sources: Mapping[str, Source], notes: Mapping[str, FileFindings]) -> Joined:
    areas: dict[str, AreaFile] = {}
    owners: dict[str, str] = {}
    for file, source in sources.items():
        for name in source.names:
            owners.setdefault(name, file)
    uses = {file: _uses(file, source, owners) for file, source in sources.items()}
    for file in _in_order(uses, notes):
        source = sources[file]
        first = _docstring_of(source)
        code = _without(first, source.text)
        used = {other: tuple(sorted(names)) for other, names in sorted(uses[file].items())}
        areas[file] = AreaFile(file, _said(first), code, source, used)
    return Joined(tuple(areas.values()))


def _uses(file: str, source: Source, owners: Mapping[str, str]) -> dict[str, dict[str, ast.Name]]:
    """Return the names that a file uses from each other file, with the line of first use."""
    found: dict[str, dict[str, ast.Name]] = {}
    for node in walk(source.tree):
        if isinstance(node, ast.Name) and node.id not in source.names:
            owner = owners.get(node.id, file)
            if owner != file:
                first = found.setdefault(owner, {}).setdefault(node.id, node)
                if node.lineno < first.lineno:
                    found[owner][node.id] = node
    return found


def _in_order(
    uses: Mapping[str, Mapping[str, Mapping[str, ast.Name]]], notes: Mapping[str, FileFindings]
) -> list[str]:
    """Return files in order of use; a cycle of files is a finding."""
    done: list[str] = []

    def visit(file: str, path: tuple[str, ...]) -> None:
        for other in sorted(uses[file]):
            if other in path:
                way = path[path.index(other) + 1 :]
                _refuse_cycle(file, other, way[:-1], uses[file][other], notes[file])
            elif other not in done:
                visit(other, (*path, other))
        done.append(file)

    for file in sorted(uses):
        if file not in done:
            visit(file, (file,))
    return done


def _refuse_cycle(
    file: str,
    other: str,
    between: Iterable[str],
    names: Mapping[str, ast.Name],
    findings: FileFindings,
) -> None:
    name, node = min(names.items(), key=lambda item: (item[1].lineno, item[0]))
    way = "".join(f" by way of {one}" for one in between)
    findings.add(
        node, "import-cycle", f"{name} of {other} is used here, but {other} uses {file}{way}.",
        "Move what both use into the file that uses nothing of the other, or into a third.",
    )  # fmt: skip
