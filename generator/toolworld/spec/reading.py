"""The parts of a domain folder that could be read; the others are None."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from toolworld.spec.code import CodeParts
from toolworld.spec.drafts import CaseDraft, Explanation, Phrases, SuspectExplanation, TaskDraft
from toolworld.spec.findings import FileFindings
from toolworld.spec.model import DomainFile
from toolworld.spec.policy import PolicyClause
from toolworld.spec.scenarios import ScenarioWords
from toolworld.spec.source import Source
from toolworld.spec.yamltext import Document, Path

Reads = Callable[[str], None]
"""Told which file is being looked at."""


@dataclass
class Reading:
    """The parts of a domain folder, the lines of its YAML, and the problems so far.

    Attributes:
        conduct: ``conduct.py``, parsed.
        laws: ``laws.py``, parsed.
        situations: The code of all scenarios, joined and parsed.
        words: The words of scenarios, by file.
    """

    texts: dict[str, str]
    notes: dict[str, FileFindings]
    reads: Reads
    documents: dict[str, Document] = field(default_factory=dict)
    domain: DomainFile | None = None
    phrases: Phrases | None = None
    tasks: tuple[TaskDraft, ...] | None = None
    cases: tuple[CaseDraft, ...] | None = None
    survivors: tuple[Explanation, ...] | None = None
    explained: tuple[SuspectExplanation, ...] | None = None
    code: CodeParts | None = None
    clauses: tuple[PolicyClause, ...] = ()
    conduct: Source | None = None
    laws: Source | None = None
    situations: Source | None = None
    words: dict[str, dict[str, ScenarioWords]] = field(default_factory=dict)


@dataclass(frozen=True)
class Notes:
    """Findings of one YAML file, placed by path rather than by line."""

    document: Document
    findings: FileFindings

    def add(self, path: Path, rule: str, message: str, mend: str) -> None:
        """Keep a problem at the line of a part of the file."""
        self.findings.add(self.document.line(path), rule, message, mend)
