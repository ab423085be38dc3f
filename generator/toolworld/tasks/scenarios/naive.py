"""Naive agents: experts that leave out what makes them experts.

Each is the scenario's own expert with its checks dropped, or with the first row taken instead of
the one that fits, so a task on which such a check decides must not be earned by it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from toolworld.spec.scenarios import Scenario
from toolworld.tasks.scenarios.code import Branch, ExpertCode, Function, copied

REPLACED = ("only", "maybe")


@dataclass(frozen=True)
class NaiveAgent:
    """An expert with something left out.

    Attributes:
        name: What it does, in a word.
        functions: What takes the place of functions of the scenarios' code.
        decides: The branch whose check it leaves out; None for one that leaves out all.
    """

    name: str
    functions: Mapping[str, Callable[..., Any]]
    decides: Branch | None = None


def naive_agents(code: ExpertCode, scenario: Scenario) -> list[NaiveAgent]:
    """Return the naive agents of a scenario: the first row, obeying, and each check skipped."""
    names = code.callees(scenario.expert)
    guards = [(name, branch) for name in names for branch in guards_of(code, name, scenario)]
    first = {name: code.compiled(without_filters(code.trees[name])) for name in names}
    obeying = {name: code.compiled(without_guards(code, name, scenario)) for name in names}
    agents = [
        NaiveAgent("first row", {**first, **dict.fromkeys(REPLACED, first_of)}),
        NaiveAgent("always obeys", obeying),
    ]
    for name, branch in guards:
        tree = without_guards(code, name, scenario, branch.line)
        agents.append(NaiveAgent("skips the check", {name: code.compiled(tree)}, branch))
    return agents


def guards_of(code: ExpertCode, name: str, scenario: Scenario) -> list[Branch]:
    """Return the branches of a function that end in an outcome which is not simply done."""
    return [
        Branch(name, code.files[name], node.test.lineno, ast.unparse(node.test), way=True)
        for node in ast.walk(code.trees[name])
        if isinstance(node, ast.If) and _is_guard(node, scenario)
    ]


def without_guards(
    code: ExpertCode, name: str, scenario: Scenario, line: int | None = None
) -> Function:
    """Return a function with its guards never met, or with the one at a line never met."""
    tree = copied(code.trees[name])
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and _is_guard(node, scenario):
            if line is None or node.test.lineno == line:
                node.test = _both(node.test, ast.Constant(False))
    return ast.fix_missing_locations(tree)


def without_filters(function: Function) -> Function:
    """Return a function in which every row of a listing fits."""
    tree = copied(function)
    for node in ast.walk(tree):
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            for generator in node.generators:
                generator.ifs = []
    return ast.fix_missing_locations(tree)


def first_of(rows: Iterable[Any]) -> Any:
    """Return the first of some rows, or None."""
    return next(iter(rows), None)


def _is_guard(node: ast.If, scenario: Scenario) -> bool:
    last = node.body[-1]
    if not isinstance(last, ast.Return) or not isinstance(last.value, ast.Call):
        return False
    function, places = last.value.func, last.value.args
    if not isinstance(function, ast.Name) or function.id != "outcome" or not places:
        return False
    name = places[0].value if isinstance(places[0], ast.Constant) else ""
    words = scenario.words.outcomes.get(str(name)) if isinstance(name, str) else None
    return words is not None and words.kind != "done"


def _both(one: ast.expr, other: ast.expr) -> ast.expr:
    """Return a condition that is looked at, and then not met: looking may ask the person."""
    return ast.BoolOp(ast.And(), [one, other])
