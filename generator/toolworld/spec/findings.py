"""Collecting problems of one file, so that all of them can be told at once."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from difflib import get_close_matches
from heapq import nsmallest

from toolworld.errors import Problem

MOST_NAMES_LISTED = 12
MOST_COMPARED = 400
"""Among how many names the nearest is looked for: each look takes time."""
MOST_PROBLEMS = 200
"""How many problems of a file are told; of the others only how many there are."""
MOST_KEPT = 20_000
"""How many are kept while a file is checked, which takes memory."""
ECHOES = {
    "attribute": ("unknown-column", "unknown-field"),
    "unknown-attribute": ("attribute", "underscore", "method-value"),
    "unknown-method": ("attribute",),
    "unknown-type": ("annotation",),
    "no-result": ("syntax",),
    "no-value": ("wrong-type", "text-arithmetic", "mixed-money", "literal"),
    "no-condition": ("constant-rule",),
}
"""For a rule, the rules that say the same of a line in better words."""


class FileFindings:
    """The problems found in one file so far."""

    def __init__(self, file: str) -> None:
        """Start with none."""
        self.file = file
        self.problems: list[Problem] = []
        self._seen: set[int] = set()

    def add(self, where: ast.AST | int, rule: str, message: str, mend: str) -> None:
        """Keep a problem at a line, or at a node of a syntax tree; the same one only once."""
        line = where if isinstance(where, int) else getattr(where, "lineno", 0)
        problem = Problem(self.file, line, rule, message, mend)
        if hash(problem) not in self._seen:
            self._seen.add(hash(problem))
            if len(self._seen) <= MOST_KEPT:
                self.problems.append(problem)

    def told(self) -> list[Problem]:
        """Return the first problems, and how many there are beside them."""
        left_out = max(0, len(self._seen) - MOST_KEPT)
        more = len(self.problems) + left_out - MOST_PROBLEMS
        if more <= 0:
            return self.problems
        first = sorted(self.problems)[:MOST_PROBLEMS]
        return [
            *first,
            Problem(
                self.file, first[-1].line, "more-problems",
                f"There are {more} more problems in this file.", "Mend those above first.",
            ),
        ]  # fmt: skip

    def drop_echoes(self) -> None:
        """Keep one of two problems that two checks see in the same place."""
        told = {(problem.line, problem.rule) for problem in self.problems}
        self.problems = [
            problem
            for problem in self.problems
            if not any((problem.line, rule) in told for rule in ECHOES.get(problem.rule, ()))
        ]


def suggest(name: str, known: Iterable[str], what: str = "It has") -> str:
    """Return a mend for an unknown name: the nearest known name, or all known ones."""
    names = set(known)
    near = get_close_matches(name, sorted(names), 1) if len(names) <= MOST_COMPARED else []
    if near:
        return f'Did you mean "{near[0]}"?'
    if not names:
        return "There is none to choose from."
    more = ", ..." if len(names) > MOST_NAMES_LISTED else ""
    return f"{what}: {', '.join(nsmallest(MOST_NAMES_LISTED, names))}{more}."
