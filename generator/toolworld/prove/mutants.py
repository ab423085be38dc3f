"""Mutants: the tools' code with one small mistake each."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from toolworld.prove.code import Code, Position, names_in
from toolworld.spec.tree_walk import children, walk

OPPOSITE: dict[type[ast.AST], type[Any]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE,
    ast.LtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add,
    ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
}  # fmt: skip
BOUNDARY: dict[type[ast.AST], type[Any]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
SYMBOLS: dict[type[ast.AST], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">", ast.LtE: "<=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not", ast.And: "and",
    ast.Or: "or", ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//",
    ast.Mod: "%",
}  # fmt: skip

SYMMETRIC = ("max", "min")
"""Functions that do not care for the order of their arguments."""

Edit = Callable[[Any], None]
Top = ast.FunctionDef | ast.Assign | ast.AnnAssign


@dataclass(frozen=True)
class Mutant:
    """One mistake.

    Attributes:
        function: The tool, helper or module constant it is in.
        kind: What sort of mistake.
        change: What was changed, in words.
        tree: The whole function or assignment with the mistake.
        statements: Where the statements stand that a call must run to meet it.
    """

    function: str
    kind: str
    change: str
    line: int
    tree: Top
    statements: frozenset[Position]

    def as_json(self, code: Code) -> dict[str, object]:
        """Return the words of a report for a survivor."""
        file, line = code.place(self.line)
        return {
            "function": self.function,
            "file": file,
            "line": line,
            "source": code.lines[self.line - 1].strip(),
            "kind": self.kind,
            "change": self.change,
        }


def mutants_of(code: Code, name: str) -> list[Mutant]:
    """Return every mutant of a function or module constant, in a fixed order."""
    top: Top = code.functions[name] if name in code.functions else code.constants[name]
    used = frozenset() if name in code.functions else users_of(code, name)
    places = statements_of(top) if isinstance(top, ast.FunctionDef) else {}
    found = []
    for index, node in enumerate(walk(top)):
        if isinstance(top, ast.FunctionDef) and index not in places:
            continue
        for kind, change, edit in edits_of(node):
            tree = copy.deepcopy(top)
            edit(list(walk(tree))[index])
            statements = frozenset({places[index]}) if places else used
            line: int = node.lineno  # type: ignore[attr-defined]
            found.append(Mutant(name, kind, change, line, tree, statements))
    return found


def users_of(code: Code, constant: str) -> frozenset[Position]:
    """Return the lines of the statements that use a constant, directly or not."""
    names = {constant}
    for name, node in code.constants.items():
        if names & names_in(node):
            names.add(name)
    found: set[Position] = set()
    for function in code.functions.values():
        places = statements_of(function)
        for index, part in enumerate(walk(function)):
            if isinstance(part, ast.Name) and part.id in names and index in places:
                found.add(places[index])
    return frozenset(found)


def statements_of(function: ast.FunctionDef) -> dict[int, Position]:
    """Return where the statement around each node stands, by the node's place in a walk.

    Left out is what no mutant should touch: signature, docstring and rejection messages.
    """
    around: dict[ast.AST, Position] = {}

    def visit(node: ast.AST, position: Position) -> None:
        if isinstance(node, ast.Raise):
            return
        if isinstance(node, ast.stmt):
            position = (node.lineno, node.col_offset)
        around[node] = position
        for part in children(node):
            visit(part, position)

    first = ast.get_docstring(function) is not None
    for node in function.body[first:]:
        visit(node, (0, 0))
    return {index: around[node] for index, node in enumerate(walk(function)) if node in around}


def edits_of(node: ast.AST) -> Iterator[tuple[str, str, Edit]]:
    """Yield each mistake that can be made at a node: kind, change and how to make it."""
    if isinstance(node, ast.Compare):
        yield from _comparisons(node)
    elif isinstance(node, ast.BoolOp | ast.BinOp | ast.AugAssign):
        yield from _operators(node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "boolean operator", f"{_text(node)} without not", _double_not
    elif isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.If) and isinstance(node.body[0], ast.Raise):
        yield "dropped check", f"if {_text(node.test)}: raise ...", _never
    elif isinstance(node, ast.Expr):
        yield "dropped statement", _text(node), _nothing
    elif isinstance(node, ast.Call):
        yield from _swaps(node)


def _comparisons(node: ast.Compare) -> Iterator[tuple[str, str, Edit]]:
    for index, operator in enumerate(node.ops):
        for kind, table in (("comparison", OPPOSITE), ("boundary", BOUNDARY)):
            if type(operator) in table:
                other = table[type(operator)]
                yield kind, _became(node, type(operator), other), _set_operator(index, other)


def _set_operator(index: int, other: type[ast.cmpop]) -> Edit:
    def edit(node: ast.Compare) -> None:
        node.ops[index] = other()

    return edit


def _operators(node: ast.BoolOp | ast.BinOp | ast.AugAssign) -> Iterator[tuple[str, str, Edit]]:
    if type(node.op) in OPPOSITE and not _joins_text(node):
        other = OPPOSITE[type(node.op)]
        kind = "boolean operator" if isinstance(node, ast.BoolOp) else "arithmetic"

        def edit(found: ast.BoolOp) -> None:
            found.op = other()

        yield kind, _became(node, type(node.op), other), edit


def _joins_text(node: ast.AST) -> bool:
    return any(
        isinstance(part, ast.JoinedStr)
        or (isinstance(part, ast.Constant) and isinstance(part.value, str))
        for part in children(node)
    )


def _constants(node: ast.Constant) -> Iterator[tuple[str, str, Edit]]:
    value = node.value
    other: object
    if isinstance(value, bool):
        other = not value
    elif isinstance(value, int | float):
        other = value + 1
    elif isinstance(value, str):
        other = _other_text(value)
    else:
        return

    def edit(found: ast.Constant) -> None:
        found.value = other

    yield "constant", f"{value!r} became {other!r}", edit


def _other_text(value: str) -> str:
    try:
        return str(float(value) + 1)
    except ValueError:
        return f"{value}-" if value else "-"


def _swaps(node: ast.Call) -> Iterator[tuple[str, str, Edit]]:
    if isinstance(node.func, ast.Name) and node.func.id in SYMMETRIC:
        return
    for index in range(len(node.args) - 1):
        first, second = node.args[index : index + 2]
        plain = not isinstance(first, ast.Starred | ast.GeneratorExp)
        if plain and not isinstance(second, ast.Starred) and _text(first) != _text(second):
            yield "swapped arguments", _text(node), _swap(index)


def _swap(index: int) -> Edit:
    def edit(node: ast.Call) -> None:
        node.args[index], node.args[index + 1] = node.args[index + 1], node.args[index]

    return edit


def _double_not(node: ast.UnaryOp) -> None:
    node.operand = ast.copy_location(ast.UnaryOp(ast.Not(), node.operand), node)


def _never(node: ast.If) -> None:
    node.test = ast.copy_location(ast.Constant(False), node.test)


def _nothing(node: ast.Expr) -> None:
    node.value = ast.copy_location(ast.Constant(None), node.value)


def _became(node: ast.AST, old: type[ast.AST], new: type[ast.AST]) -> str:
    return f"{SYMBOLS[old]} became {SYMBOLS[new]} in: {_text(node)}"


def _text(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else f"{text[:87]}..."
