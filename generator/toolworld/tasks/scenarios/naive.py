"""Naive agents: experts without one of their skills.

Each is the scenario's own expert with its checks dropped, or with the first row taken instead of
the one that fits, so a task on which such a check decides must not be earned by it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from toolworld.spec.scenarios import Scenario
from toolworld.spec.tree_walk import walk
from toolworld.tasks.scenarios.code import Branch, ExpertCode, Function, copied

REPLACED = ("only", "maybe")
GUARDS = "_is_kept"
"""The name that tells, of a guard's function and line, whether an agent keeps it."""


@dataclass(frozen=True)
class NaiveAgent:
    """An expert with something left out.

    Attributes:
        name: What it does, in a word.
        functions: What takes the place of names in the scenarios' code.
        decides: The branch whose check it leaves out; None for one that leaves out all.
    """

    name: str
    functions: Mapping[str, Callable[..., Any]]
    decides: Branch | None = None


def naive_agents(code: ExpertCode, scenario: Scenario) -> list[NaiveAgent]:
    """Return the naive agents of a scenario: the first row, obeying, and each check skipped."""
    names = code.callees(scenario.expert)
    guards = [branch for name in names for branch in guards_of(code, name, scenario)]
    first = {name: code.compiled(without_filters(code.trees[name])) for name in names}
    guarded = {name: code.compiled(with_guards_left_out(code, name, scenario)) for name in names}
    return [
        NaiveAgent("first row", {**first, **dict.fromkeys(REPLACED, first_of)}),
        NaiveAgent("always obeys", {**guarded, GUARDS: lambda _name, _line: False}),
        *(
            NaiveAgent("skips the check", {**guarded, GUARDS: _all_but(branch)}, branch)
            for branch in guards
        ),
    ]


def _all_but(branch: Branch) -> Callable[[str, int], bool]:
    """Return the switch that tells which guards an agent keeps when it drops one."""
    return lambda name, line: (name, line) != (branch.function, branch.line)


def guards_of(code: ExpertCode, name: str, scenario: Scenario) -> list[Branch]:
    """Return the branches of a function that end in an outcome other than done."""
    return [
        Branch(name, code.files[name], node.test.lineno, ast.unparse(node.test), way=True)
        for node in walk(code.trees[name])
        if isinstance(node, ast.If) and _is_guard(node, scenario)
    ]


def with_guards_left_out(code: ExpertCode, name: str, scenario: Scenario) -> Function:
    """Return a function whose guards work only while ``GUARDS`` keeps them."""
    tree = copied(code.trees[name])
    for node in walk(tree):
        if isinstance(node, ast.If) and _is_guard(node, scenario):
            place: list[ast.expr] = [ast.Constant(name), ast.Constant(node.test.lineno)]
            is_kept = ast.Call(ast.Name(GUARDS, ast.Load()), place, [])
            # The condition is looked at even so: looking may ask the person.
            node.test = ast.BoolOp(ast.And(), [node.test, is_kept])
    return ast.fix_missing_locations(tree)


def without_filters(function: Function) -> Function:
    """Return a function in which every row of a listing fits."""
    tree = copied(function)
    for node in walk(tree):
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
