"""The laws of a package: each holds at every moment, whatever was called before."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from toolworld.packages import Package
from toolworld.prove.code import Code
from toolworld.spec.policy import NAMED_CLAUSE

Kind = Literal["state", "row", "event"]
KINDS: dict[int, Kind] = {1: "state", 2: "row", 3: "event"}
"""The kind of a law, by how many parameters it has."""


@dataclass(frozen=True)
class Law:
    """One law.

    Attributes:
        sentence: What holds, in words.
        clause: The number of the clause that it stands for; empty if it names none.
        line: Where it begins in ``laws.py`` of the package; 0 for a rule of rows.
        kind: What it is asked about: the whole state, one row, or a call that changed something.
        table: The table of that row; empty for the other kinds.
        reads: The tables that decide whether a law of a row or of the state is kept.
        names: The texts in it and its helpers: it is asked about rejections with a code among
            them, and about calls of a tool among them that only looks.
        holds: What says whether it is kept.
    """

    name: str
    sentence: str
    clause: str
    line: int
    kind: Kind
    table: str
    reads: frozenset[str]
    names: frozenset[str]
    holds: Callable[..., Any]


def laws_of(package: Package) -> list[Law]:
    """Return the laws of a package, then the rules of its rows.

    The store asks a rule when its own row is written; as a law it is asked of the rows that a
    changed one refers to as well.
    """
    return [*_written_laws(package), *_rules(package)]


def _written_laws(package: Package) -> list[Law]:
    """Return the laws of ``laws.py``, in file order."""
    file = package.files.laws
    if not file.is_file():
        return []
    module, code = package.modules.laws, Code({file.name: file.read_text("utf-8")})
    schemas = package.modules.models.SCHEMAS
    tables = {schema.row.__name__: name for name, schema in schemas.items()}
    found = [
        _law(name, value, tables, code)
        for name, value in vars(module).items()
        if inspect.isfunction(value)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    ]
    return sorted(found, key=lambda law: law.line)


def _rules(package: Package) -> list[Law]:
    """Return the rules of the rows of every table."""
    rules = package.modules.invariants.INVARIANTS
    return [
        Law(
            name=f"{table}.{rule.name}",
            sentence=rule.says,
            clause="",
            line=0,
            kind="row",
            table=table,
            reads=rule.tables | {table},
            names=frozenset(),
            holds=rule.holds,
        )
        for table, found in rules.items()
        for rule in found
    ]


def _law(name: str, function: Callable[..., Any], tables: dict[str, str], code: Code) -> Law:
    parameters = list(inspect.signature(function).parameters.values())
    sentence = (inspect.getdoc(function) or name).split("\n\n", maxsplit=1)[0]
    clause = NAMED_CLAUSE.search(sentence)
    kind = KINDS[len(parameters)]
    table = tables[str(parameters[1].annotation)] if kind == "row" else ""
    return Law(
        name=name,
        sentence=NAMED_CLAUSE.sub("", " ".join(sentence.split())),
        clause=clause.group(1) if clause else "",
        line=function.__code__.co_firstlineno,
        kind=kind,
        table=table,
        reads=frozenset((_attributes(code, name) & {*tables.values()} | {table}) - {""}),
        names=frozenset(_texts(code, name)) if kind == "event" else frozenset(),
        holds=function,
    )


def _attributes(code: Code, name: str) -> set[str]:
    """Return every attribute that a function and its helpers look at, tables among them."""
    return {node.attr for node in _nodes(code, name) if isinstance(node, ast.Attribute)}


def _texts(code: Code, name: str) -> set[str]:
    """Return every text literal of a function and its helpers."""
    values = (node.value for node in _nodes(code, name) if isinstance(node, ast.Constant))
    return {value for value in values if isinstance(value, str)}


def _nodes(code: Code, name: str) -> Iterator[ast.AST]:
    for one in code.helpers_of(name):
        yield from ast.walk(code.functions[one])
