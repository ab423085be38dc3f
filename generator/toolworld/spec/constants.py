"""Values that follow from the code alone, worked out when it is checked rather than when it runs.

``date(2026, 2, 30)``, ``1 / 0`` and ``A + A`` of a long text ``A`` are problems of the line they
stand on. Only the few types that constants may have are worked out, each value under a bound.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from toolworld.spec.findings import FileFindings
from toolworld.spec.methods import MATH
from toolworld.spec.rules import LARGEST_INTEGER, MOST_TEXT
from toolworld.spec.tree_walk import children

MOST_PARTS = 400_000
"""How many parts a constant may have, those of its parts included."""
MOST_TURNS = 1_000_000
"""How often a loop over a written range may turn."""
LARGEST = LARGEST_INTEGER**2
MOST_DIGITS = 60
FAILURES = (ArithmeticError, ValueError, TypeError)

BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.BitOr: operator.or_, ast.BitAnd: operator.and_,
}  # fmt: skip
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_,
}  # fmt: skip
DIVIDING = (ast.Div, ast.FloorDiv, ast.Mod)
CALLS: dict[str, Callable[..., Any]] = {
    "Decimal": Decimal, "date": date, "datetime": datetime, "timedelta": timedelta, "int": int,
    "float": float, "range": range,
    "date.fromisoformat": date.fromisoformat, "datetime.fromisoformat": datetime.fromisoformat,
    **{f"math.{name}": getattr(math, name) for name in MATH if name != "pi"},
}  # fmt: skip


class KnownValue(NamedTuple):
    """A value that follows from the code alone.

    Attributes:
        parts: How many parts it has, those of its parts included.
    """

    value: Any
    parts: int = 1


class Values:
    """Evaluates constant expressions; an impossible one is a problem of its line."""

    def __init__(self, findings: FileFindings) -> None:
        """Start with no constants."""
        self.findings = findings
        self.constants: dict[str, KnownValue] = {}

    def define(self, name: str, node: ast.expr) -> None:
        """Evaluate a constant of the module, for the code below that names it."""
        known = self.value(node)
        if known is not None:
            self.constants[name] = known

    def value(self, node: ast.AST) -> KnownValue | None:
        """Work out an expression, and all expressions in it; None if it does not follow."""
        if isinstance(node, ast.Constant):
            return KnownValue(node.value)
        if isinstance(node, ast.Name):
            return self.constants.get(node.id)
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            return self._collection(node)
        if isinstance(node, ast.Dict):
            return self._dict(node)
        if isinstance(node, ast.UnaryOp):
            return self._made(node, UNARY.get(type(node.op)), [self.value(node.operand)], {})
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        for child in children(node):
            self.value(child)
        return None

    def _collection(self, node: ast.Tuple | ast.List | ast.Set) -> KnownValue | None:
        kind = {ast.Tuple: tuple, ast.List: list, ast.Set: set}[type(node)]
        return self._made(node, lambda *parts: kind(parts), [self.value(p) for p in node.elts], {})

    def _dict(self, node: ast.Dict) -> KnownValue | None:
        keys = [self.value(key) if key is not None else None for key in node.keys]
        values = [self.value(value) for value in node.values]
        count = len(keys)
        return self._made(
            node, lambda *parts: dict(zip(parts[:count], parts[count:], strict=True)),
            [*keys, *values], {},
        )  # fmt: skip

    def _binary(self, node: ast.BinOp) -> KnownValue | None:
        left, right = self.value(node.left), self.value(node.right)
        if left is None and right is not None and isinstance(node.op, DIVIDING):
            if _is_number(right.value) and right.value == 0:
                self._fails(node, "it divides by zero")
            return None
        long = any(known and isinstance(known.value, str | tuple | list) for known in (left, right))
        if long and not isinstance(node.op, ast.Add):
            return None  # refused elsewhere, and the value may be large
        return self._made(node, BINARY.get(type(node.op)), [left, right], {})

    def _call(self, node: ast.Call) -> KnownValue | None:
        function = CALLS.get(_name_of(node.func))
        if function is None:
            self.value(node.func)
        places = [self.value(argument) for argument in node.args]
        named = {word.arg or "": self.value(word.value) for word in node.keywords}
        known = self._made(node, function, places, named)
        if known is not None and isinstance(known.value, range):
            self._range(node, known.value)
            return None
        return known

    def _range(self, node: ast.Call, turns: range) -> None:
        count = turns[-1] - turns[0] if turns else 0
        if abs(count) // abs(turns.step) >= MOST_TURNS:
            self.findings.add(
                node, "long-loop", f"The range has more than {MOST_TURNS:,} numbers.",
                "Loop over what there is, or over fewer numbers.",
            )  # fmt: skip

    def _made(
        self,
        node: ast.expr,
        make: Callable[..., Any] | None,
        places: Sequence[KnownValue | None],
        named: Mapping[str, KnownValue | None],
    ) -> KnownValue | None:
        """Compute a value from known ones; a failure or a too large result is a problem."""
        given = [known for known in (*places, *named.values()) if known is not None]
        if make is None or len(given) < len(places) + len(named):
            return None
        parts = 1 + sum(known.parts for known in given)
        if parts > MOST_PARTS:
            self._fails(node, f"it has more than {MOST_PARTS:,} parts")
            return None
        try:
            value = make(
                *(known.value for known in places if known is not None),
                **{name: known.value for name, known in named.items() if known is not None},
            )
        except FAILURES as error:
            self._fails(node, str(error) or type(error).__name__)
            return None
        return self._bounded(node, value, parts)

    def _bounded(self, node: ast.expr, value: Any, parts: int) -> KnownValue | None:
        if isinstance(value, int) and abs(value) > LARGEST:
            self._fails(node, "the number gets too large")
        elif isinstance(value, float | Decimal) and not _is_plain(value):
            self._fails(node, "the number gets too large")
        elif isinstance(value, str) and len(value) > MOST_TEXT:
            self._fails(node, f"the text gets longer than {MOST_TEXT:,} characters")
        else:
            return KnownValue(value, parts)
        return None

    def _fails(self, node: ast.expr, reason: str) -> None:
        self.findings.add(
            node, "no-value", f"This cannot be worked out: {reason[:200]}.", "Correct the values."
        )


def _name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return f"{function.value.id}.{function.attr}"
    return function.id if isinstance(function, ast.Name) else ""


def _is_plain(value: float | Decimal) -> bool:
    """Return whether a number is finite, and a decimal one short when it is written out."""
    if isinstance(value, Decimal) and abs(value.adjusted()) > MOST_DIGITS:
        return False
    return math.isfinite(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal)
