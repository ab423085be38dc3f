"""Certifying every task of a package again, and comparing with the certificates they carry."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolworld.emit import load_package
from toolworld.errors import ToolworldError
from toolworld.harness import Transport
from toolworld.harness.connect import TRANSPORTS
from toolworld.tasks.certificate.certifier import Certifier
from toolworld.tasks.certificate.reasons import Reason
from toolworld.tasks.certificate.report import CertifyReport, Row
from toolworld.tasks.certificate.tiers import Agreement, certify_tiers
from toolworld.tasks.certificate.verdict import Task, Verdict

Json = Any


def certify_package(
    path: Path,
    transports: Sequence[Transport] = TRANSPORTS,
    on_progress: Callable[[str], None] = lambda _: None,
) -> CertifyReport:
    """Certify every task of a package again.

    Args:
        path: The package's folder.
        transports: Over which to run the gold of the tasks that are certified.
        on_progress: Told what is being done.

    Raises:
        PackageLoadError: The folder holds no package, or an old one without effects.
        ToolworldError: The package has no tasks.
        LaunchError: A server cannot be started, or is lost.
    """
    began = time.perf_counter()
    package = load_package(path)
    certifier, tasks = Certifier(package), package.tasks()
    if not tasks:
        raise ToolworldError(f"{path} has no tasks. Make some: toolworld tasks {path}")
    rows = []
    for task in tasks:
        on_progress(f"Certifying {task['id']}")
        rows.append(_row(task, certifier.certify(task)))
    on_progress(f"Running gold over {', '.join(transports)}")
    sound = {row.task for row in rows if row.passed}
    golds = (certifier.reference(task) for task in tasks if task["id"] in sound)
    agreements = certify_tiers(package, golds, transports)
    return CertifyReport(
        package=package.name,
        rows=tuple(_with_tiers(row, agreements.get(row.task)) for row in rows),
        sequences=certifier.sequences,
        calls=certifier.calls,
        transports=tuple(transports),
        seconds=time.perf_counter() - began,
    )


def _row(task: Task, verdict: Verdict) -> Row:
    """Return a row of the report: a certificate that is not the stored one any more fails."""
    stored = task.get("certificate") or {}
    if verdict.certificate is None:
        mend = verdict.mend.says if verdict.mend is not None else ""
        return Row(verdict.task, None, verdict.reason, verdict.detail, mend)
    differing = _differing(stored, verdict.certificate) if "digest" in stored else []
    if differing:
        return Row(verdict.task, None, Reason.OUTDATED, "; ".join(differing))
    return Row(verdict.task, verdict.certificate, compared="digest" in stored)


def _differing(stored: Mapping[str, Json], found: Mapping[str, Json]) -> list[str]:
    """Return the figures that are others now; over which transports gold was run may vary."""
    names = {name: None for name in (*stored, *found) if name != "tiers"}
    return [
        f"{name} was {stored.get(name)}, is {found.get(name)}"
        for name in names
        if stored.get(name) != found.get(name)
    ]


def _with_tiers(row: Row, agreement: Agreement | None) -> Row:
    if agreement is None or row.certificate is None:
        return row
    if agreement.mismatch:
        return replace(row, certificate=None, reason=Reason.TIERS, detail=agreement.mismatch)
    return replace(row, certificate={**row.certificate, "tiers": [*agreement.digests]})
