"""A domain folder read into a ``Spec``, or refused with all its problems at once."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from toolworld.errors import Problem, SpecError
from toolworld.spec.areas import Area, Joined, join_files
from toolworld.spec.code import read_code
from toolworld.spec.files import FOLDER, TOOLS, read_files
from toolworld.spec.findings import Findings
from toolworld.spec.lint import lint
from toolworld.spec.model import (
    CaseDraft,
    DomainFile,
    Explanation,
    Phrases,
    Spec,
    TaskDraft,
    Tool,
    ToolsFile,
)
from toolworld.spec.parts import PartT, read_part
from toolworld.spec.reading import Reading
from toolworld.spec.yamltext import read_yaml


def load_spec(folder: Path) -> Spec:
    """Read and check a domain folder.

    Raises:
        SpecError: It breaks rules; the error carries every problem of every file.
    """
    texts, problems = read_files(folder)
    spec, found = check_texts(texts)
    problems += found
    if problems or spec is None:
        raise SpecError(problems)
    return spec


def check_texts(
    texts: dict[str, str], unfinished: Collection[str] = ()
) -> tuple[Spec | None, list[Problem]]:
    """Check the texts of a domain's files, by file name; files may be missing.

    Args:
        texts: The files.
        unfinished: Rules that a domain need not keep while it is being written.

    Returns:
        The spec, or None unless all files are there and sound, and all problems.
    """
    joined, problems = _join_tools(texts)
    if joined is not None:
        texts = {**texts, TOOLS: joined.text}
    reading = Reading(texts, {name: Findings(name) for name in texts})
    reading.domain = _part(DomainFile, "domain.yaml", reading)
    reading.phrases = _part(Phrases, "phrases.yaml", reading)
    reading.tasks = _part(tuple[TaskDraft, ...], "tasks.yaml", reading)
    reading.cases = _part(tuple[CaseDraft, ...], "cases.yaml", reading)
    reading.survivors = _part(tuple[Explanation, ...], "survivors.yaml", reading)
    document = reading.documents.get("domain.yaml")
    reading.code = read_code(texts, reading.domain, document, reading.notes)
    lint(reading)
    for notes in reading.notes.values():
        problems += _placed(notes, joined)
    problems = [problem for problem in problems if problem.rule not in unfinished]
    return (None if problems else _assemble(reading, joined)), problems


def _placed(notes: Findings, joined: Joined | None) -> list[Problem]:
    """Return the problems of a file; those of joined files are led back to where they are."""
    if joined is None or notes.file != TOOLS:
        return notes.problems
    return [joined.placed(problem) for problem in notes.problems]


def _join_tools(texts: dict[str, str]) -> tuple[Joined | None, list[Problem]]:
    files = {name: text for name, text in texts.items() if name.startswith(f"{FOLDER}/")}
    return join_files(files) if files else (None, [])


def _part(kind: type[PartT], name: str, reading: Reading) -> PartT | None:
    if name not in reading.texts:
        return None
    document = read_yaml(reading.texts[name], reading.notes[name])
    if document is None:
        return None
    reading.documents[name] = document
    return read_part(kind, document, reading.notes[name])


def _assemble(reading: Reading, joined: Joined | None) -> Spec | None:
    domain, phrases = reading.domain, reading.phrases
    texts, code = reading.texts, reading.code
    whole = "policy.md" in texts and "seed.py" in texts
    if domain is None or phrases is None or code is None or not whole:
        return None
    return Spec(
        domain=domain,
        tools=code.tools if joined is None else _by_file(code.tools, joined),
        tools_code=texts[TOOLS],
        tools_files=() if joined is None else _files(joined, texts),
        seed_code=texts["seed.py"],
        policy=texts["policy.md"],
        phrases=phrases,
        tasks=reading.tasks or (),
        cases=reading.cases or (),
        survivors=reading.survivors or (),
    )


def _by_file(tools: tuple[Tool, ...], joined: Joined) -> tuple[Tool, ...]:
    """Return tools as their files are named, those of one file as they stand in it."""
    return tuple(sorted(tools, key=lambda tool: joined.place(tool.line)))


def _files(joined: Joined, texts: dict[str, str]) -> tuple[ToolsFile, ...]:
    names = {area.file: area.name for area in joined.areas}
    return tuple(
        ToolsFile(
            name=area.name,
            text=texts[area.file],
            docstring=area.docstring,
            code=area.code,
            uses={names[file]: used for file, used in area.uses.items()},
        )
        for area in sorted(joined.areas, key=_name)
    )


def _name(area: Area) -> str:
    return area.name
