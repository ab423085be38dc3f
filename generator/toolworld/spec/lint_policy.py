"""Rules for the policy's clauses and ``conduct.py``: each name exists and is used."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Sequence

from toolworld.spec.dialect import TALK
from toolworld.spec.findings import FileFindings, suggest
from toolworld.spec.model import DomainFile
from toolworld.spec.policy import PolicyClause
from toolworld.spec.reading import Notes
from toolworld.spec.source import Source
from toolworld.spec.tree_walk import walk

SIGNATURE = (("db", "Database"), ("past", "Past"), ("event", "Event"))


def lint_clauses(
    clauses: Sequence[PolicyClause],
    codes: Collection[str],
    predicates: Collection[str],
    findings: FileFindings,
) -> None:
    """Check that clauses are numbered once, and that their keepers are there.

    Args:
        clauses: The clauses of the policy.
        codes: The codes of all rejections of the tools.
        predicates: The predicates of ``conduct.py``.
        findings: Where problems go.
    """
    counted = Counter(clause.number for clause in clauses)
    for clause in clauses:
        if counted[clause.number] > 1:
            findings.add(
                clause.line, "duplicate-name", f"There are two clauses {clause.number}.",
                "Number them apart.",
            )  # fmt: skip
        known = codes if clause.kept_by == "tools" else predicates
        for name in clause.names:
            if name not in known:
                what = "rejection has the code" if clause.kept_by == "tools" else "predicate is"
                findings.add(
                    clause.line, "unknown-keeper", f"No {what} {name}.",
                    suggest(name, known, "There are"),
                )  # fmt: skip


def lint_conduct(conduct: Source, clauses: Sequence[PolicyClause], findings: FileFindings) -> None:
    """Check that each predicate of ``conduct.py`` has the signature, and a clause."""
    named = {name for clause in clauses for name in clause.names if clause.kept_by == "conduct"}
    for function in conduct.functions:
        if function.name.startswith("_"):
            continue
        if not _is_predicate(function):
            findings.add(
                function, "predicate", f"{function.name} is no predicate of conduct.",
                "Write `def name(db: Database, past: Past, event: Event) -> bool:`; helpers begin "
                "with an underscore.",
            )  # fmt: skip
        if not ast.get_docstring(function):
            findings.add(
                function, "no-docstring", f"{function.name} does not say what it looks for.",
                "Say it in the first line of a docstring.",
            )  # fmt: skip
        if function.name not in named:
            findings.add(
                function, "unused-predicate", f"No clause of policy.md names {function.name}.",
                f"End a clause in [conduct: {function.name}], or remove it.",
            )  # fmt: skip


def lint_roles(domain: DomainFile, tools: Collection[str], notes: Notes) -> None:
    """Check that the tools that only one role may ask for are there."""
    for name, role in domain.roles.items():
        for place, tool in enumerate(role.tools):
            if tool not in tools:
                notes.add(
                    ("roles", name, "tools", place), "unknown-tool", f"There is no tool {tool}.",
                    suggest(tool, tools),
                )  # fmt: skip


def _is_predicate(function: ast.FunctionDef) -> bool:
    found = tuple(
        (argument.arg, ast.unparse(argument.annotation) if argument.annotation else "")
        for argument in function.args.args
    )
    returns = ast.unparse(function.returns) if function.returns is not None else ""
    return found == SIGNATURE and returns == "bool"


def talking(conduct: Source) -> frozenset[str]:
    """Return the predicates that look at messages, by themselves or through helpers."""
    functions = {function.name: function for function in conduct.functions}
    callers: dict[str, list[str]] = {}
    for name, function in functions.items():
        for called in _called(function):
            callers.setdefault(called, []).append(name)
    talk = set[str]()
    waiting = [name for name, function in functions.items() if _reads_talk(function)]
    while waiting:
        here = waiting.pop()
        if here not in talk:
            talk.add(here)
            waiting += callers.get(here, [])
    return frozenset(talk)


def _reads_talk(function: ast.FunctionDef) -> bool:
    nodes = walk(function)
    return any(isinstance(node, ast.Attribute) and node.attr in TALK for node in nodes)


def _called(function: ast.FunctionDef) -> set[str]:
    return {node.id for node in walk(function) if isinstance(node, ast.Name)}
