"""Rules that span several parts of a domain."""

from __future__ import annotations

from toolworld.spec.code import CodeParts
from toolworld.spec.findings import Findings
from toolworld.spec.model import DomainFile, Phrases, TaskDraft
from toolworld.spec.yamltext import Document


def lint(
    domain: DomainFile | None,
    code: CodeParts | None,
    phrases: Phrases | None,
    tasks: tuple[TaskDraft, ...] | None,
    documents: dict[str, Document],
    texts: dict[str, str],
    notes: dict[str, Findings],
) -> None:
    """Check how the parts of a domain fit together."""
