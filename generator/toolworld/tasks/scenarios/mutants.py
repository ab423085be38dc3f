"""Mutants of experts: one small mistake each, to see whether some task tells them apart."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from toolworld.spec.scenarios import Scenario
from toolworld.spec.tree_walk import walk
from toolworld.tasks.scenarios.code import FOLDER, ExpertCode, copied
from toolworld.tasks.scenarios.naive import REPLACED

FLIPPED: dict[type[ast.AST], type[Any]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
Edit = Callable[[Any], None]


@dataclass(frozen=True)
class ExpertMutant:
    """One mistake in an expert or a helper of it.

    Attributes:
        function: Where it is.
        place: The file and line.
        change: What was changed, in words.
        changed: What takes the place of the function.
    """

    function: str
    place: str
    change: str
    changed: Callable[..., Any]

    def __str__(self) -> str:
        """The mistake in words."""
        return f"{self.place}: {self.change}"


def mutants_of(code: ExpertCode, scenarios: Iterable[Scenario]) -> list[ExpertMutant]:
    """Return the mutants of the experts of some scenarios, each helper's once."""
    names = [name for one in scenarios for name in code.callees(one.expert)]
    return [mutant for name in dict.fromkeys(names) for mutant in _mutants(code, name)]


def _mutants(code: ExpertCode, name: str) -> Iterator[ExpertMutant]:
    tree = code.trees[name]
    for index, node in enumerate(walk(tree)):
        for change, edit in _edits(node):
            changed = copied(tree)
            edit(list(walk(changed))[index])
            function = code.compiled(ast.fix_missing_locations(changed))
            place = f"{FOLDER}{code.files[name]}.py:{getattr(node, 'lineno', tree.lineno)}"
            yield ExpertMutant(name, place, change, function)


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
        if node.func.id in REPLACED and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp):
            yield f"the first row for `{ast.unparse(node)}`", _first_row


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
    """Yield edits that drop one condition on rows."""
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


def _first_row(node: ast.Call) -> None:
    """Make the expert take the first row instead of the one that fits."""
    for part in walk(node.args[0]):
        if isinstance(part, ast.comprehension):
            part.ifs = []
    rows = ast.Call(ast.Name("iter", ast.Load()), list(node.args), [])
    node.func, node.args = ast.Name("next", ast.Load()), [rows, ast.Constant(None)]
