"""The names in tools and helpers that can hold an argument of the call."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from toolworld.spec.tree_walk import walk

Function = ast.FunctionDef


def root_name(node: ast.expr) -> str:
    """Return the name that an attribute or item chain starts from, or an empty text."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def given_names(functions: Mapping[str, Function]) -> dict[str, set[str]]:
    """Return, for each function, the names that can hold an argument of the call."""
    given: dict[str, set[str]] = {
        name: set() if name.startswith("_") else {arg.arg for arg in node.args.args[1:]}
        for name, node in functions.items()
    }
    parts = {name: _spreading(node) for name, node in functions.items()}
    size = -1
    while size != (size := sum(map(len, given.values()))):
        for name in functions:
            _spread(parts[name], given[name], functions, given)
    return given


def _spreading(node: Function) -> list[ast.AST]:
    """Return the parts of a function that can give another name to what it holds."""
    return [part for part in walk(node) if isinstance(part, ast.For | ast.comprehension | ast.Call)]


def _spread(
    parts: Iterable[ast.AST],
    names: set[str],
    functions: Mapping[str, Function],
    given: dict[str, set[str]],
) -> None:
    for part in parts:
        if isinstance(part, ast.For | ast.comprehension):
            if root_name(part.iter) in names and isinstance(part.target, ast.Name):
                names.add(part.target.id)
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
            if part.func.id in functions:
                parameters = functions[part.func.id].args.args
                for parameter, value in zip(parameters, part.args, strict=False):
                    if root_name(value) in names:
                        given[part.func.id].add(parameter.arg)
