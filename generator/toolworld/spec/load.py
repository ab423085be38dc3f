"""A domain folder read into a ``Spec``, or refused with all its problems at once."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from toolworld.errors import Problem, SpecError
from toolworld.spec.code import read_code
from toolworld.spec.files import read_files
from toolworld.spec.findings import Findings
from toolworld.spec.lint import lint
from toolworld.spec.model import (
    CaseDraft,
    DomainFile,
    Explanation,
    Phrases,
    Spec,
    TaskDraft,
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
    reading = Reading(texts, {name: Findings(name) for name in texts})
    reading.domain = _part(DomainFile, "domain.yaml", reading)
    reading.phrases = _part(Phrases, "phrases.yaml", reading)
    reading.tasks = _part(tuple[TaskDraft, ...], "tasks.yaml", reading)
    reading.cases = _part(tuple[CaseDraft, ...], "cases.yaml", reading)
    reading.survivors = _part(tuple[Explanation, ...], "survivors.yaml", reading)
    document = reading.documents.get("domain.yaml")
    reading.code = read_code(texts, reading.domain, document, reading.notes)
    lint(reading)
    found = (problem for notes in reading.notes.values() for problem in notes.problems)
    problems = [problem for problem in found if problem.rule not in unfinished]
    return (None if problems else _assemble(reading)), problems


def _part(kind: type[PartT], name: str, reading: Reading) -> PartT | None:
    if name not in reading.texts:
        return None
    document = read_yaml(reading.texts[name], reading.notes[name])
    if document is None:
        return None
    reading.documents[name] = document
    return read_part(kind, document, reading.notes[name])


def _assemble(reading: Reading) -> Spec | None:
    domain, phrases = reading.domain, reading.phrases
    texts, code = reading.texts, reading.code
    whole = "policy.md" in texts and "seed.py" in texts
    if domain is None or phrases is None or code is None or not whole:
        return None
    return Spec(
        domain=domain,
        tools=code.tools,
        tools_code=texts["tools.py"],
        seed_code=texts["seed.py"],
        policy=texts["policy.md"],
        phrases=phrases,
        tasks=reading.tasks or (),
        cases=reading.cases or (),
        survivors=reading.survivors or (),
    )
