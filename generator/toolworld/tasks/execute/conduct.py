"""The conduct of an episode, by the package's own judgement."""

from __future__ import annotations

from typing import Any

from toolworld.emit import Package


def broken_clauses(package: Package, environment: Any) -> frozenset[str]:
    """Return the numbers of the clauses that an episode of a package has broken so far."""
    judge = package.module("judging").judge
    found = judge(environment.task, environment.trace, environment._database, None)
    return frozenset(clause.number for clause, _ in found.broken)
