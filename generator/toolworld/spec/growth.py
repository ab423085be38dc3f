"""Texts, lists and numbers that may double with each turn of a loop: forty turns fill any memory.

What a loop makes of a name is counted in what it was before: ``text + row.name`` has it once and
is fine, ``text + text`` twice. Numbers may be added up as anybody likes; only a whole number times
itself is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from toolworld.spec.aliases import Comprehension
from toolworld.spec.callorder import recursive
from toolworld.spec.findings import FileFindings
from toolworld.spec.shapes import Shape
from toolworld.spec.tree_walk import children, walk

SMALL = frozenset({
    "integer", "number", "money", "boolean", "date", "datetime", "timedelta", "none", "row", "enum",
})  # fmt: skip
"""Kinds of value that do not get large, however they are made."""
COLLECTIONS = frozenset({"text", "list", "pair", "dict", "set"})
WHOLE, PUT = frozenset({"extend", "update"}), frozenset({"append", "insert", "setdefault"})
WRITTEN = (ast.List, ast.Tuple, ast.JoinedStr, ast.ListComp)
HALF, TWICE = 0.5, 2.0

ShapeOf = Callable[[ast.expr], Shape]


class GrowthStep(NamedTuple):
    """Something that a loop makes of a name.

    Attributes:
        before: How often it holds what the name was before, beside what ``value`` holds.
        inside: Whether the value is put into it, rather than taking its place.
    """

    place: ast.AST
    name: str
    value: ast.expr
    before: float = 0
    inside: bool = False


def check_growth(
    functions: Sequence[ast.FunctionDef], shape: ShapeOf, findings: FileFindings
) -> None:
    """Report values that may double with each turn of a loop.

    Args:
        functions: The functions of a module.
        shape: Gives what is known of an expression; ``any`` if nothing is.
        findings: Where problems go.
    """
    for function in functions:
        for loop in _outermost(function):
            for step in _doubling(list(_steps(loop)), shape):
                findings.add(
                    step.place, "doubling", f"{step.name} may double with each turn of the loop.",
                    "Add to it once a turn, or build it after the loop.",
                )  # fmt: skip


def _outermost(function: ast.FunctionDef) -> Iterator[ast.For]:
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.For):
            yield node
        else:
            waiting += children(node)


def _steps(loop: ast.For) -> Iterator[GrowthStep]:
    for node in walk(loop):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _given(node, target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield from _given(node, node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            whole = ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)
            yield from _given(node, node.target, whole)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            name = _root(node.func.value)
            if name and node.func.attr in WHOLE | PUT:
                whole_value = node.func.attr in WHOLE
                yield GrowthStep(node, name, node.args[-1], float(whole_value), not whole_value)


def _given(place: ast.AST, target: ast.expr, value: ast.expr) -> Iterator[GrowthStep]:
    if isinstance(target, ast.Tuple | ast.List):
        same = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
        for number, part in enumerate(target.elts):
            yield from _given(place, part, value.elts[number] if same else value)  # type: ignore[attr-defined]
        return
    name = _root(target)
    if name:
        yield GrowthStep(place, name, value, inside=isinstance(target, ast.Subscript))


def _doubling(steps: Sequence[GrowthStep], shape: ShapeOf) -> Iterator[GrowthStep]:
    """Return the steps of a cycle of names in which one is made from two others."""
    made = {step.name for step in steps}
    uses: dict[str, list[str]] = {name: [] for name in made}
    for step in steps:
        named = {node.id for node in walk(step.value) if isinstance(node, ast.Name)} & made
        held = {name for name in named if _Weight(frozenset([name]), shape).of(step.value)}
        uses[step.name] += sorted(held | ({step.name} if step.before else set()))
    circles = recursive(uses)
    for step in steps:
        if step.name in circles:
            circle = frozenset(name for name in circles if circles[name] == circles[step.name])
            if step.before + _Weight(circle, shape).of(step.value) >= TWICE:
                yield step


class _Weight:
    """Counts how often a value contains the earlier values of some names."""

    def __init__(self, names: frozenset[str], shape: ShapeOf) -> None:
        self.names, self.shape = names, shape

    def of(self, node: ast.expr | None) -> float:
        """Return how often a value holds the names; values that stay small hold nothing."""
        if node is None or isinstance(
            node, ast.Constant | ast.Compare | ast.Attribute | ast.Lambda
        ):
            return 0
        if isinstance(node, ast.Name):
            return float(node.id in self.names)
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        if self.shape(node).name in SMALL:
            return 0
        if isinstance(node, ast.Subscript):
            part = isinstance(node.slice, ast.Slice) and (node.slice.lower or node.slice.upper)
            return self.of(node.value) * (HALF if part else 1)
        if isinstance(node, ast.IfExp):
            return max(self.of(node.body), self.of(node.orelse))
        if isinstance(node, ast.BoolOp):
            return max(self.of(part) for part in node.values)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, Comprehension):
            return self._comprehension(node)
        return sum(self.of(part) for part in _parts(node))

    def _operation(self, node: ast.BinOp) -> float:
        left, right = self.of(node.left), self.of(node.right)
        kind = self._kind(node)
        if isinstance(node.op, ast.Mult):
            return TWICE if left and right and kind in ("integer", "any") else 0
        if isinstance(node.op, ast.Add) and kind in COLLECTIONS:
            return left + right
        return 0 if kind in SMALL else max(left, right)

    def _kind(self, node: ast.BinOp) -> str:
        """Return the result of an operation: the join of its operands if nothing else is known."""
        known = self.shape(node).name
        if known != "any":
            return known
        if isinstance(node.left, WRITTEN) or isinstance(node.right, WRITTEN):
            return "list"
        both = {self.shape(node.left).name, self.shape(node.right).name}
        return min(both & COLLECTIONS or (both if both <= SMALL else {"any"}))

    def _call(self, node: ast.Call) -> float:
        given = [self.of(part) for part in (*node.args, *(word.value for word in node.keywords))]
        most = max(given, default=0)
        if not isinstance(node.func, ast.Attribute):
            return most
        if _is_table(node.func.value):
            return 0
        owner = self.of(node.func.value)
        if node.func.attr == "replace" and owner and node.args:
            return owner if _shortens(node.args) else TWICE
        if node.func.attr == "join":
            return TWICE if owner else most
        return max(owner, most)

    def _comprehension(self, node: Comprehension) -> float:
        """A comprehension uses each item once, unless a nested loop uses it again."""
        taken = self.of(node.generators[0].iter)
        if taken and len(node.generators) > 1:
            return TWICE
        ends = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        bound = frozenset(_bound(node))
        others = _Weight(self.names - bound, self.shape)
        if any(others.of(end) for end in ends):
            return TWICE
        items = _Weight(bound, self.shape)
        return taken * max(1, sum(items.of(end) for end in ends)) if taken else 0


def _shortens(given: Sequence[ast.expr]) -> bool:
    """Return whether ``replace`` can never make the text longer."""
    texts = [part.value if isinstance(part, ast.Constant) else None for part in given]
    if len(texts) != 2 or not isinstance(texts[1], str):
        return False
    return not texts[1] or isinstance(texts[0], str) and len(texts[1]) <= len(texts[0])


def _is_table(node: ast.expr) -> bool:
    base = node.value if isinstance(node, ast.Attribute) else None
    return isinstance(base, ast.Name) and base.id == "db"


def _bound(node: Comprehension) -> Iterator[str]:
    for generator in node.generators:
        for inner in walk(generator.target):
            if isinstance(inner, ast.Name):
                yield inner.id


def _parts(node: ast.AST) -> Iterator[ast.expr]:
    for child in children(node):
        if isinstance(child, ast.FormattedValue):
            yield child.value
        elif isinstance(child, ast.expr):
            yield child


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
