"""Mutants of experts: one small mistake each, to see whether some task tells them apart."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from toolworld.spec.scenarios import Scenario
from toolworld.tasks.scenarios.code import ExpertCode, Function
from toolworld.tasks.scenarios.naive import REPLACED, first_of

FLIPPED: dict[type[ast.AST], type[Any]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
Edit = Callable[[Any], None]


@dataclass(frozen=True)
class ExpertMutant:
    """One mistake in an expert or a helper of it.

    Attributes:
        function: Where it is.
        change: What was changed, in words.
        functions: What takes the place of functions of the scenarios' code.
    """

    function: str
    line: int
    change: str
    functions: dict[str, Callable[..., Any]]


def mutants_of(code: ExpertCode, scenario: Scenario) -> list[ExpertMutant]:
    """Return the mutants of a scenario's expert, in a fixed order."""
    found = []
    for name in code.callees(scenario.expert):
        tree = code.trees[name]
        for index, node in enumerate(ast.walk(tree)):
            for change, edit in _edits(node):
                changed = copy.deepcopy(tree)
                edit(list(ast.walk(changed))[index])
                function = code.compiled(ast.fix_missing_locations(changed))
                line = getattr(node, "lineno", tree.lineno)
                found.append(ExpertMutant(name, line, change, {name: function}))
        if _uses(tree, REPLACED):
            first = dict.fromkeys(REPLACED, first_of)
            found.append(ExpertMutant(name, tree.lineno, "the first row that fits", first))
    return found


def _edits(node: ast.AST) -> Iterator[tuple[str, Edit]]:
    if isinstance(node, ast.If | ast.IfExp):
        yield f"`{ast.unparse(node.test)}` never holds", _holds(False)
        yield f"`{ast.unparse(node.test)}` always holds", _holds(True)
    if isinstance(node, ast.Compare) and type(node.ops[0]) in FLIPPED:
        yield f"`{ast.unparse(node)}` with its bound moved", _flip
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        yield from _unfiltered(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in ("min", "max"):
            yield f"`{node.func.id}` the other way", _other_end


def _holds(value: bool) -> Edit:
    def edit(node: ast.If | ast.IfExp) -> None:
        operator = ast.Or() if value else ast.And()
        node.test = ast.BoolOp(operator, [node.test, ast.Constant(value)])

    return edit


def _flip(node: ast.Compare) -> None:
    node.ops[0] = FLIPPED[type(node.ops[0])]()


def _other_end(node: ast.Call) -> None:
    name = node.func
    if isinstance(name, ast.Name):
        name.id = "max" if name.id == "min" else "min"


def _unfiltered(node: ast.GeneratorExp | ast.ListComp) -> Iterator[tuple[str, Edit]]:
    """Yield edits that drop one part of what rows have to fit."""
    for number, generator in enumerate(node.generators):
        for place, condition in enumerate(generator.ifs):
            parts = condition.values if isinstance(condition, ast.BoolOp) else [condition]
            for part, one in enumerate(parts):
                yield f"without `{ast.unparse(one)}`", _drop(number, place, part)


def _drop(number: int, place: int, part: int) -> Edit:
    def edit(node: ast.GeneratorExp | ast.ListComp) -> None:
        conditions = node.generators[number].ifs
        condition = conditions[place]
        if isinstance(condition, ast.BoolOp):
            condition.values[part] = ast.Constant(isinstance(condition.op, ast.And))
        else:
            conditions[place] = ast.Constant(True)

    return edit


def _uses(tree: Function, names: tuple[str, ...]) -> bool:
    return any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(tree))
