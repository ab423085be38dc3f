"""Runs an audit, from its evidence to its report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio

from toolworld.audit.apart import Subject
from toolworld.audit.report import AuditReport
from toolworld.audit.reproduce import Reproducer
from toolworld.audit.sheet import Sheet
from toolworld.audit.topics import topics_of
from toolworld.errors import first_of
from toolworld.llm import Backend, ModelLimits
from toolworld.llm.desk import Desk
from toolworld.llm.kept import journal_of

ABOUT = ("title", "summary", "now")
Say = Callable[[str], None]


@dataclass(frozen=True)
class AuditSettings:
    """How a package is audited.

    Attributes:
        seed: Varies which runs, rows and tasks are shown.
        limits: When to stop.
        folder: Where answers are kept; None to keep none.
        resume: Whether to go on with the answers in the folder.
    """

    seed: int = 0
    limits: ModelLimits = ModelLimits()
    folder: Path | None = None
    resume: bool = False


def audit(
    path: Path, backend: Backend, settings: AuditSettings | None = None, say: Say | None = None
) -> AuditReport:
    """Ask a model for faults in a package, and run what it claims.

    Args:
        path: The package's folder.
        backend: The model.
        settings: How to audit.
        say: Called with each line of progress.

    Raises:
        PackageLoadError: The folder holds no package.
        ModelError: There is no answer, or no budget; the answers so far are kept.
        ToolworldError: The package cannot be run.
    """
    settings, say, subject = settings or AuditSettings(), say or _silent, Subject(path)
    audited = {"package": subject.digest, "seed": settings.seed}
    with journal_of("audit", audited, settings.folder, settings.resume) as journal:
        desk = Desk(backend, journal, settings.limits, say)
        say("Running the tools ...")
        evidence = subject.evidence(settings.seed)
        sheets = [
            Sheet(topic, str(number), group)
            for topic in topics_of(evidence)
            for number, group in enumerate(topic.groups(), 1)
        ]
        _fill(sheets, desk, Reproducer(subject, evidence), evidence)
    name = subject.path.resolve().name
    return AuditReport.of(name, backend.name, settings.seed, sheets, desk.ledger.as_json())


def _fill(sheets: Sequence[Sheet], desk: Desk, reproducer: Reproducer, evidence: Any) -> None:
    """Ask all questions, several at once.

    Raises:
        ToolworldError: No answer comes, or the package cannot be run.
    """
    about = {name: evidence[name] for name in ABOUT}

    async def ask() -> None:
        async with anyio.create_task_group() as group:
            for sheet in sheets:
                group.start_soon(sheet.fill, desk, about, reproducer)

    try:
        anyio.run(ask)
    except BaseExceptionGroup as errors:
        raise first_of(errors) from errors


def _silent(_: str) -> None:
    return
