"""The bike shop's texts, changed here and there, and what the checker says of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from toolworld.errors import Problem
from toolworld.spec.load import check_texts

STARTER = Path(__file__).parents[2] / "templates" / "starter"
FILES = (
    "domain.yaml", "tools.py", "seed.py", "policy.md", "conduct.py", "laws.py", "tasks.yaml",
    "scenarios/rentals.py", "scenarios/rentals.yaml",
)  # fmt: skip


class Found(NamedTuple):
    """A problem, and the text of the line that it names."""

    problem: Problem
    line: str


def texts() -> dict[str, str]:
    """Return the bike shop's files."""
    return dict(_texts())


@cache
def _texts() -> dict[str, str]:
    return {name: (STARTER / name).read_text(encoding="utf-8") for name in FILES}


def findings_after(file: str, old: str, new: str) -> list[Found]:
    """Replace a text in one file, and return the problems of all files with their lines."""
    parts = texts()
    assert old in parts[file], old
    parts[file] = parts[file].replace(old, new)
    return found_in(parts)


def found_in(parts: Mapping[str, str]) -> list[Found]:
    """Return the problems of a domain's texts with their lines."""
    problems = check_texts(dict(parts))[1]
    return [
        Found(problem, parts[problem.file].split("\n")[(problem.line or 1) - 1])
        for problem in problems
    ]


def rules_of(problems: Iterable[Problem]) -> set[str]:
    """Return the rules that problems are about."""
    return {problem.rule for problem in problems}
