"""Certifying every task of a package again, and comparing with the certificates they carry."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from toolworld.errors import ToolworldError
from toolworld.jsonvalues import JsonObject
from toolworld.packages import load_package
from toolworld.tasks.verify.certify import Certifier, TaskVerdict
from toolworld.tasks.verify.flaw import Flaw
from toolworld.tasks.verify.report import CertifyReport, RecheckedTask

CALLS = "calls"
"""What a certificate always has; those of hand-written tasks are of another kind."""


def certify_package(
    path: Path, on_progress: Callable[[str], None] = lambda _: None
) -> CertifyReport:
    """Certify every task of a package again.

    Args:
        path: The package's folder.
        on_progress: Told what is being done.

    Raises:
        PackageLoadError: The folder holds no package, or an old one.
        ToolworldError: The package has no tasks.
    """
    began = time.perf_counter()
    package = load_package(path)
    certifier, tasks = Certifier(package), package.tasks()
    if not tasks:
        raise ToolworldError(f"{path} has no tasks. Make some: toolworld tasks {path}")
    rechecked = []
    for task in tasks:
        on_progress(f"Certifying {task['id']}")
        rechecked.append(_rechecked(task["certificate"], certifier.certify(task)))
    return CertifyReport(
        package=package.name,
        tasks=tuple(rechecked),
        calls=certifier.calls,
        seconds=time.perf_counter() - began,
    )


def _rechecked(stored: JsonObject, verdict: TaskVerdict) -> RecheckedTask:
    """Return a task of the report: a certificate that is not the stored one any more fails."""
    found = verdict.certificate
    if found is None or CALLS not in stored:
        return RecheckedTask(verdict.task, verdict.flaws, found, compared=False)
    differing = "; ".join(_differing(stored, found))
    if not differing:
        return RecheckedTask(verdict.task, (), found, compared=True)
    mend = "Make the tasks again; the package is not the one they were certified on."
    flaw = Flaw("outdated_certificate", f"The certificate is another now: {differing}.", mend)
    return RecheckedTask(verdict.task, (flaw,), None, compared=True)


def _differing(stored: Mapping[str, object], found: Mapping[str, object]) -> list[str]:
    """Return the figures that have changed."""
    return [
        f"{name} was {stored.get(name)}, is {found.get(name)}"
        for name in dict.fromkeys((*stored, *found))
        if stored.get(name) != found.get(name)
    ]
