"""Checks that a world is searched for broken laws fast enough, and notes what is found."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from tools.bench.rows import BenchRow
from toolworld.laws import LawSearch, LawsReport, prove_laws
from toolworld.packages import Package

SECONDS_A_CALL = 1 / 50_000
SECONDS_OF_A_PROOF = 300.0
SHARE = 5
"""The search for suspects makes this many times fewer calls for each property."""


def searched(package: Package, calls: int) -> Iterator[BenchRow]:
    """Search for broken laws on all cores, then for suspects as well."""
    cores = os.cpu_count() or 1
    report, took = _timed(package, LawSearch(calls, workers=cores))
    note = f"{len(report.content['findings'])} findings, {report.content['laws']} laws"
    yield BenchRow(
        "a call of the search for broken laws", took * cores / calls, SECONDS_A_CALL, 1, note
    )
    search = LawSearch(calls, workers=cores, suspects=calls // SHARE)
    report, took = _timed(package, search)
    meant = sum(one["because"] is not None for one in report.content["suspects"])
    note = f"{len(report.content['suspects'])} suspects, {meant} explained"
    yield BenchRow("laws and suspects of retail", took, SECONDS_OF_A_PROOF, 1, note)


def _timed(package: Package, search: LawSearch) -> tuple[LawsReport, float]:
    began = time.monotonic()
    report = prove_laws(package.path, search)
    return report, time.monotonic() - began
