"""Rules for ``laws.py``: each law has a sentence and a signature, and reads its subject."""

from __future__ import annotations

import ast
from collections.abc import Collection

from toolworld.spec.findings import FileFindings, suggest
from toolworld.spec.lint_policy import SIGNATURE
from toolworld.spec.policy import NAMED_CLAUSE
from toolworld.spec.source import Source
from toolworld.spec.tree_walk import walk

STATE = ("db", "Database")
MEND = (
    "Write `def name(db: Database) -> bool:`, `def name(db: Database, row: Entity) -> bool:` or "
    "`def name(db: Database, past: Past, event: Event) -> bool:`; helpers begin with an underscore."
)


def lint_laws(
    laws: Source, entities: Collection[str], clauses: Collection[str], findings: FileFindings
) -> None:
    """Check that each function of ``laws.py`` is a law.

    Args:
        laws: The module.
        entities: The entities of the domain.
        clauses: The numbers of the clauses of its policy.
        findings: Where problems go.
    """
    for function in laws.functions:
        if not function.name.startswith("_"):
            _lint_law(function, entities, clauses, findings)


def _lint_law(
    law: ast.FunctionDef,
    entities: Collection[str],
    clauses: Collection[str],
    findings: FileFindings,
) -> None:
    if not _is_law(law, entities):
        findings.add(law, "law", f"{law.name} is no law.", MEND)
    elif not _reads(law):
        findings.add(
            law, "idle-law", f"{law.name} reads nothing.", "Look at rows, or remove the law."
        )
    sentence = ast.get_docstring(law) or ""
    if not sentence:
        findings.add(
            law, "no-docstring", f"{law.name} does not say what holds.",
            "Say it in the first line of a docstring.",
        )  # fmt: skip
    for number in NAMED_CLAUSE.findall(sentence):
        if number not in clauses:
            findings.add(
                law, "unknown-clause", f"The policy has no clause {number}.",
                suggest(number, clauses, "There are"),
            )  # fmt: skip


def _is_law(law: ast.FunctionDef, entities: Collection[str]) -> bool:
    """Return whether a function has one of the three signatures of laws."""
    found = tuple(
        (argument.arg, ast.unparse(argument.annotation) if argument.annotation else "")
        for argument in law.args.args
    )
    if law.returns is None or ast.unparse(law.returns) != "bool" or found[:1] != (STATE,):
        return False
    of_row = len(found) == 2 and found[1][1] in entities
    return of_row or found in ((STATE,), SIGNATURE)


def _reads(law: ast.FunctionDef) -> bool:
    """Return whether a law looks at anything that it is given."""
    given = {argument.arg for argument in law.args.args}
    nodes = (node for statement in law.body for node in walk(statement))
    return any(isinstance(node, ast.Name) and node.id in given for node in nodes)
