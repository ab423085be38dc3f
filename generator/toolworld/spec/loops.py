"""Loops that may never end, because what they loop over grows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

GROWING = frozenset({"append", "extend", "insert", "add", "update", "setdefault"})
LAZY = frozenset({"enumerate", "reversed", "zip"})


def endless_growth(node: ast.For) -> Iterator[tuple[ast.AST, str]]:
    """Return each place in a loop where the collection it loops over gets longer."""
    looped = _looped_names(node.iter)
    for statement in node.body:
        for inner in ast.walk(statement):
            grown = _grown_name(inner)
            if grown in looped:
                yield inner, grown


def _looped_names(node: ast.expr) -> set[str]:
    """Return the names a loop reads from as it goes; copies are left out."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in LAZY:
            return {name for argument in node.args for name in _looped_names(argument)}
        return _looped_names(node.func.value) if isinstance(node.func, ast.Attribute) else set()
    root = _root(node)
    return {root} if root else set()


def _grown_name(node: ast.AST) -> str:
    """Return the name a node adds to in place, or nothing."""
    if isinstance(node, ast.AugAssign):
        return _root(node.target)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _root(node.func.value) if node.func.attr in GROWING else ""
    return ""


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
