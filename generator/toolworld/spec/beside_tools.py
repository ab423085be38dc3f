"""The code of a domain beside its tools: conduct, laws, situations and experts."""

from __future__ import annotations

import ast

from toolworld.spec.code import read_source
from toolworld.spec.findings import FileFindings
from toolworld.spec.methods import WRITE_METHODS
from toolworld.spec.reading import Reading
from toolworld.spec.source import Source
from toolworld.spec.subset import Vocabulary
from toolworld.spec.tree_walk import walk

CONDUCT_FILE, LAWS_FILE, SCENARIOS_FILE = "conduct.py", "laws.py", "scenarios.py"


def read_beside_tools(reading: Reading) -> None:
    """Read conduct, laws and scenarios as far as there are any; all their problems are findings."""
    words = Vocabulary.of(reading.domain)
    texts, notes = reading.texts, reading.notes
    tools = reading.code.source if reading.code is not None else None
    words = words.with_names(values_of_rejections(tools)) if tools is not None else words
    reading.conduct = read_source(CONDUCT_FILE, texts, notes, words)
    if reading.conduct is not None:
        refuse_writes(reading.conduct, notes[CONDUCT_FILE])
    reading.laws = read_source(LAWS_FILE, texts, notes, words)
    if reading.laws is not None:
        refuse_writes(reading.laws, notes[LAWS_FILE])
    reading.situations = read_source(SCENARIOS_FILE, texts, notes, words)


def refuse_writes(predicates: Source, findings: FileFindings) -> None:
    """Refuse calls that change a table: conduct and laws only look."""
    for node in walk(predicates.tree):
        function = node.func if isinstance(node, ast.Call) else None
        table = function.value if isinstance(function, ast.Attribute) else None
        if (
            isinstance(function, ast.Attribute)
            and isinstance(table, ast.Attribute)
            and isinstance(table.value, ast.Name)
            and table.value.id == "db"
            and function.attr in WRITE_METHODS
        ):
            findings.add(
                node, "write-in-predicate", f"A predicate cannot call {function.attr}.",
                "A predicate only looks.",
            )  # fmt: skip


def values_of_rejections(tools: Source) -> frozenset[str]:
    """Return the names of the values that rejections of the tools carry."""
    calls = (node for node in walk(tools.tree) if isinstance(node, ast.Call))
    return frozenset(
        word.arg
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == "Rejected"
        for word in call.keywords
        if word.arg
    )
