"""A domain folder read into a ``Spec``, or refused with all its problems at once."""

from __future__ import annotations

from pathlib import Path

from toolworld.errors import Problem, SpecError
from toolworld.spec.code import CodeParts, read_code
from toolworld.spec.files import read_files
from toolworld.spec.findings import Findings
from toolworld.spec.lint import lint
from toolworld.spec.model import DomainFile, Phrases, Spec, TaskDraft
from toolworld.spec.parts import PartT, read_part
from toolworld.spec.yamltext import Document, read_yaml


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


def check_texts(texts: dict[str, str]) -> tuple[Spec | None, list[Problem]]:
    """Check the texts of a domain's files, by file name; files may be missing.

    Returns:
        The spec, or None unless all files are there and sound, and all problems.
    """
    notes = {name: Findings(name) for name in texts}
    documents: dict[str, Document] = {}
    domain = _part(DomainFile, "domain.yaml", texts, notes, documents)
    phrases = _part(Phrases, "phrases.yaml", texts, notes, documents)
    tasks = _part(tuple[TaskDraft, ...], "tasks.yaml", texts, notes, documents)
    code = read_code(texts, domain, documents.get("domain.yaml"), notes)
    lint(domain, code, phrases, tasks, documents, texts, notes)
    problems = [problem for findings in notes.values() for problem in findings.problems]
    if problems or domain is None or phrases is None or tasks is None or code is None:
        return None, problems
    return _assemble(domain, phrases, tasks, code, texts), []


def _part(
    kind: type[PartT],
    name: str,
    texts: dict[str, str],
    notes: dict[str, Findings],
    documents: dict[str, Document],
) -> PartT | None:
    if name not in texts:
        return None
    document = read_yaml(texts[name], notes[name])
    if document is None:
        return None
    documents[name] = document
    return read_part(kind, document, notes[name])


def _assemble(
    domain: DomainFile,
    phrases: Phrases,
    tasks: tuple[TaskDraft, ...],
    code: CodeParts,
    texts: dict[str, str],
) -> Spec:
    return Spec(
        domain=domain,
        tools=code.tools,
        tools_code=texts["tools.py"],
        seed_code=texts["seed.py"],
        policy=texts["policy.md"],
        phrases=phrases,
        tasks=tasks,
    )
