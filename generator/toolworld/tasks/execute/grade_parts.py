"""Parts of a grade that are asked for alone, by the package's own judgement: each is quicker."""

from __future__ import annotations

from typing import Any

from toolworld.packages import Package


def broken_clauses(package: Package, environment: Any) -> frozenset[str]:
    """Return the numbers of the clauses that an episode of a package has broken so far."""
    judge = package.modules.judging.judge
    found = judge(environment.task, environment.trace, environment._database)
    return frozenset(clause.number for clause, _ in found.broken)


def state_passes(package: Package, environment: Any) -> bool:
    """Return whether an episode's changes are exactly those that its task wants."""
    grading = package.modules.grading
    unjudged, schemas = grading.GradePart(True), package.modules.models.SCHEMAS
    grade = grading.grade(environment.task.goal, environment.diff(), (), unjudged, schemas)
    return bool(grade.state.passed)
