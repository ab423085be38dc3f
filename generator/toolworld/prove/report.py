"""What a proof found: the data, its JSON form, and how people see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType

from toolworld.prove.bench import Bench
from toolworld.prove.code import Kind
from toolworld.prove.explanations import explained, explanations_of, stale
from toolworld.prove.shown import render
from toolworld.prove.study import ProofFindings
from toolworld.reports import JsonReport


@dataclass(frozen=True)
class ProofReport(JsonReport):
    """What a proof found. Printing it with rich shows a table.

    Attributes:
        content: The report as JSON values: ``tools``, ``branches``, ``branches_covered``,
            ``rejections``, ``rejections_reached``, ``mutants``, ``killed``, ``explained``,
            ``survivors``, ``stale_explanations`` (of no survivor), ``uncovered``, ``failures``,
            ``doubts`` (failures in states that rows allow but no known calls lead to) and
            ``by_tool``.
    """

    @property
    def failed(self) -> int:
        """How many kinds of unexpected failures there are."""
        return len(self.content["failures"])

    def __rich__(self) -> RenderableType:
        """Show the report as people read it."""
        return render(self.content)


def content_of(bench: Bench, findings: ProofFindings) -> dict[str, Any]:
    """Return a report's content as JSON values."""
    seen = {number for corpus in findings.corpora.values() for number in corpus.sites}
    seen |= {n for one in findings.killed.values() for run in one.runs for n in run.sites}
    explanations = explanations_of(bench.package, findings.mutants)
    survivors = explained(_survivors(bench, findings), explanations)
    alone = bench.code.alone(findings.corpora)
    known = Counter(one["function"] for one in survivors if one["because"] is not None)
    rows = [
        {
            **_row(bench, findings, seen, name),
            "explained": known[name],
            **({"with_helpers": _mutants(findings, alone[name])} if name in alone else {}),
        }
        for name in findings.mutants
    ]
    totals = {name: sum(row[name] for row in rows) for name in rows[0] if name not in TEXTS}
    return {
        "tools": len(findings.corpora),
        **totals,
        "survivors": survivors,
        "stale_explanations": stale(survivors, explanations),
        "uncovered": _uncovered(bench, seen, findings.mutants),
        "failures": [one.as_json() for one in findings.failures if not one.arranged],
        "doubts": [one.as_json() for one in findings.failures if one.arranged],
        "by_tool": [row for row in rows if row["mutants"] or row["branches"] or row["cases"]],
    }


TEXTS = ("name", "kind", "ends", "with_helpers")
"""What a row has besides numbers that add up."""


def _row(bench: Bench, findings: ProofFindings, seen: set[int], name: str) -> dict[str, Any]:
    """Return the figures of one tool, helper or constant."""
    corpus = findings.corpora.get(name)
    kind = "constant" if name in bench.code.constants else "helper"
    row = {
        "name": name,
        "kind": "tool" if corpus is not None else kind,
        "cases": len(corpus.runs) if corpus is not None else 0,
        "ends": dict(sorted(corpus.ends.items())) if corpus is not None else {},
    }
    of_kind: tuple[tuple[str, str, Kind], ...] = (
        ("branches", "branches_covered", "branch"),
        ("rejections", "rejections_reached", "rejection"),
    )
    for all_name, seen_name, site_kind in of_kind:
        numbers = _numbers(bench, name, site_kind)
        row[all_name], row[seen_name] = len(numbers), len(numbers & seen)
    return {**row, **_mutants(findings, [name])}


def _mutants(findings: ProofFindings, names: Iterable[str]) -> dict[str, int]:
    """Return how many mutants some functions and constants have, and how many of them died."""
    every = [name for name in names if name in findings.mutants]
    mutants = sum(len(findings.mutants[name]) for name in every)
    alive = sum(len(findings.killed[name].alive) for name in every)
    return {"mutants": mutants, "killed": mutants - alive}


def _numbers(bench: Bench, function: str, kind: Kind) -> set[int]:
    return {
        number
        for number, site in enumerate(bench.probes.sites)
        if site.function == function and site.kind == kind
    }


def _survivors(bench: Bench, findings: ProofFindings) -> list[dict[str, Any]]:
    return [
        findings.mutants[name][number].as_json(bench.code)
        for name, killed in findings.killed.items()
        for number in killed.alive
    ]


def _uncovered(bench: Bench, seen: set[int], functions: Collection[str]) -> list[dict[str, Any]]:
    return [
        {
            "function": site.function,
            **dict(zip(("file", "line"), bench.code.place(site.line), strict=True)),
            "kind": site.kind,
            "what": site.does,
        }
        for number, site in enumerate(bench.probes.sites)
        if number not in seen
        and site.kind in ("branch", "rejection")
        and site.function in functions
    ]
