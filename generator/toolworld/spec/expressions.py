"""What each kind of expression in tool code gives, and comparisons that cannot be meant."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from toolworld.spec.calls import Calls
from toolworld.spec.facts import FunctionFacts
from toolworld.spec.findings import FileFindings
from toolworld.spec.methods import MATH
from toolworld.spec.shapes import (
    ANY,
    BOOLEAN,
    INTEGER,
    MONEY,
    NONE,
    NUMBER,
    NUMBERS,
    TEXT,
    TIMEDELTA,
    Shape,
    accepts,
    family,
    join,
    join_all,
    list_of,
    literal,
)
from toolworld.spec.tree_walk import children, walk
from toolworld.spec.world import ModuleNames

CONSTANTS: dict[type, Shape] = {bool: BOOLEAN, int: INTEGER, float: NUMBER, type(None): NONE}
UNORDERED = "set"


class Expressions(Calls):
    """Shapes of expressions; names are looked up in ``names``, filled by the statements."""

    def __init__(self, world: ModuleNames, findings: FileFindings, names: dict[str, Shape]) -> None:
        """Start with the parameters' shapes."""
        super().__init__(world, findings, frozenset(names))
        self.names = names
        self._latest: dict[ast.expr, Shape] = {}

    def shape(self, node: ast.expr) -> Shape:
        """Return an expression's shape, checking everything inside it."""
        visit: Callable[[Any], Shape] = getattr(self, f"_{type(node).__name__.lower()}", self._any)
        self._latest[node] = shape = visit(node)
        return shape

    def latest(self, node: ast.expr) -> Shape:
        """Return the inferred shape of an expression, ``any`` if unknown."""
        return self._latest.get(node, ANY)

    def _any(self, node: ast.expr) -> Shape:
        for child in children(node):
            if isinstance(child, ast.expr):
                self.shape(child)
        return ANY

    def _shape_again(self, node: ast.expr) -> Shape:
        """Return the shape that was found just now: to look again would double with each level."""
        return self._latest[node] if node in self._latest else self.shape(node)

    def _constant(self, node: ast.Constant) -> Shape:
        if isinstance(node.value, str):
            return literal(node.value)
        return CONSTANTS.get(type(node.value), ANY)

    def _name(self, node: ast.Name) -> Shape:
        if node.id in self.names:
            return self.names[node.id]
        return self.world.constants.get(node.id, ANY)

    def _attribute(self, node: ast.Attribute) -> Shape:
        if isinstance(node.value, ast.Name) and node.value.id == "math":
            return MATH.get(node.attr, ANY)
        return self.attribute(node, self.shape(node.value))

    def _call(self, node: ast.Call) -> Shape:
        shape = self.call(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("min", "max", "sorted"):
            self._key_lambda(node)
        self._refuse_unordered(node)
        return shape

    def _key_lambda(self, node: ast.Call) -> None:
        """Give the parameter of ``key=lambda x: ...`` the shape of the sorted items."""
        element = self._shape_again(node.args[0]).element if node.args else ANY
        for word in node.keywords:
            if isinstance(word.value, ast.Lambda):
                with self._inner():
                    for argument in word.value.args.args:
                        self.names[argument.arg] = element
                    self.shape(word.value.body)

    def _lambda(self, node: ast.Lambda) -> Shape:
        return ANY  # looked into where it is passed

    def _refuse_unordered(self, node: ast.Call) -> None:
        """A set's order differs from run to run, so nothing may be made of it."""
        function = node.func
        name = function.id if isinstance(function, ast.Name) else ""
        joins = isinstance(function, ast.Attribute) and function.attr in ("join", "extend")
        if name in ("list", "tuple", "enumerate", "zip", "str", "dict") or joins:
            for argument in node.args:
                self.refuse_set(argument, self._shape_again(argument))
        if isinstance(function, ast.Attribute) and function.attr == "pop":
            self.refuse_set(function.value, self._shape_again(function.value))

    def refuse_set(self, node: ast.expr, shape: Shape) -> None:
        """Refuse iteration over a set: its order is not determined."""
        if shape.name == UNORDERED:
            self.findings.add(
                node, "unordered", "A set has no order, so results would differ from run to run.",
                "Sort it first: sorted(...).",
            )  # fmt: skip

    # Operators

    def _boolop(self, node: ast.BoolOp) -> Shape:
        return join_all(tuple(self.shape(value) for value in node.values))

    def _ifexp(self, node: ast.IfExp) -> Shape:
        self.shape(node.test)
        return join(self.shape(node.body), self.shape(node.orelse))

    def _unaryop(self, node: ast.UnaryOp) -> Shape:
        operand = self.shape(node.operand)
        return BOOLEAN if isinstance(node.op, ast.Not) else operand

    def _binop(self, node: ast.BinOp) -> Shape:
        return self.operate(node, node.op, self.shape(node.left), self.shape(node.right))

    def operate(self, node: ast.AST, op: ast.operator, left: Shape, right: Shape) -> Shape:
        """Return the shape of an arithmetic result; refuse operations that must fail."""
        if isinstance(op, ast.Mult | ast.Mod) and _texts(left, right, op):
            self.findings.add(
                node, "text-arithmetic", "A text or list is repeated or formatted by an operator.",
                "Use an f-string, or a comprehension.",
            )  # fmt: skip
            return right if left.name in NUMBERS else left
        if {left.name, right.name} == {"money", "number"}:
            self.findings.add(
                node, "mixed-money", "Money is mixed with a float, which is not exact.",
                'Use Decimal("0.10") for rates, or money(...) first.',
            )  # fmt: skip
            return MONEY
        result = _result_of(op, left, right)
        if result is None:
            self.findings.add(
                node, "wrong-type", f"This operation cannot join {left} and {right}.",
                "Convert one of them first, or use an f-string.",
            )  # fmt: skip
            return left
        return result

    def _compare(self, node: ast.Compare) -> Shape:
        left = self.shape(node.left)
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.shape(right_node)
            self._check_comparison(node, op, left, right)
            left = right
        return BOOLEAN

    def _check_comparison(self, node: ast.expr, op: ast.cmpop, left: Shape, right: Shape) -> None:
        if isinstance(op, ast.In | ast.NotIn):
            if right.name == "text":
                return
            right = right.element
        self.check_enum(node, left, right)
        self.check_enum(node, right, left)
        one, other = family(left), family(right)
        if one and other and one != other and not isinstance(op, ast.Is | ast.IsNot):
            self.findings.add(
                node, "wrong-type", f"{one.capitalize()} is compared with {other}.",
                "Compare values of one kind.",
            )  # fmt: skip
        elif left.name == right.name == "enum" and not (left.literals or set()) & (
            right.literals or set()
        ):
            self.findings.add(
                node, "wrong-type", f"{left.of} and {right.of} have no value in common.",
                "Compare values of one enum.",
            )  # fmt: skip
        elif {left.name, right.name} == {"text"} and not accepts(left, right):
            self.findings.add(
                node, "wrong-type",
                f"The id of a {left.of} is compared with the id of a {right.of}.",
                "Compare ids of one entity.",
            )  # fmt: skip

    # Collections

    def _list(self, node: ast.List) -> Shape:
        items = self._elements(node.elts)
        return Shape("list", items=(join_all(items),) if items else ())

    def _set(self, node: ast.Set) -> Shape:
        return Shape("set", items=(join_all(self._elements(node.elts)),))

    def _tuple(self, node: ast.Tuple) -> Shape:
        items = self._elements(node.elts)
        if any(isinstance(element, ast.Starred) for element in node.elts):
            return list_of(join_all(items))
        return Shape("pair", items=items)

    def _elements(self, nodes: list[ast.expr]) -> tuple[Shape, ...]:
        shapes = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                spread = self.shape(node.value)
                self.refuse_set(node, spread)
                shapes.append(spread.element)
            else:
                shapes.append(self.shape(node))
        return tuple(shapes)

    def _dict(self, node: ast.Dict) -> Shape:
        keys = [self.shape(key) for key in node.keys if key is not None]
        values = [self.shape(value) for value in node.values]
        spread = any(key is None for key in node.keys)
        if spread or not keys:
            return Shape("dict")
        return Shape("dict", items=(join_all(tuple(keys)), join_all(tuple(values))))

    def _subscript(self, node: ast.Subscript) -> Shape:
        owner = self.shape(node.value)
        self.shape(node.slice)
        if owner.name in ("row", "object"):
            self.findings.add(
                node, "subscript", f"{str(owner).capitalize()} has no subscripts.",
                "Write row.column.",
            )  # fmt: skip
            return ANY
        if owner.name == "dict":
            return owner.items[1] if len(owner.items) > 1 else ANY
        if isinstance(node.slice, ast.Slice):
            return TEXT if owner.name in ("text", "enum") else owner
        if owner.name == "pair":
            return _pick(owner, node.slice)
        return TEXT if owner.name in ("text", "enum") else owner.element

    # Texts

    def _joinedstr(self, node: ast.JoinedStr) -> Shape:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.refuse_set(part.value, self.shape(part.value))
        return TEXT

    # Comprehensions

    def _listcomp(self, node: ast.ListComp) -> Shape:
        return list_of(self._comprehension(node.generators, [node.elt], ordered=True)[0])

    def _generatorexp(self, node: ast.GeneratorExp) -> Shape:
        element = self._comprehension(node.generators, [node.elt], ordered=False)[0]
        return Shape("iterator", items=(element,))

    def _setcomp(self, node: ast.SetComp) -> Shape:
        element = self._comprehension(node.generators, [node.elt], ordered=False)[0]
        return Shape("set", items=(element,))

    def _dictcomp(self, node: ast.DictComp) -> Shape:
        parts = self._comprehension(node.generators, [node.key, node.value], ordered=True)
        return Shape("dict", items=parts)

    def _comprehension(
        self, generators: list[ast.comprehension], parts: list[ast.expr], *, ordered: bool
    ) -> tuple[Shape, ...]:
        with self._inner():
            for generator in generators:
                source = self.shape(generator.iter)
                if ordered:
                    self.refuse_set(generator.iter, source)
                for inner in walk(generator.target):
                    if isinstance(inner, ast.Name):
                        self.names.pop(inner.id, None)
                self.bind(generator.target, source.element)
                for condition in generator.ifs:
                    self.shape(condition)
            return tuple(self.shape(part) for part in parts)

    @contextmanager
    def _inner(self) -> Iterator[None]:
        """Keep names bound inside a comprehension or lambda from leaking out."""
        names, self.names = self.names, dict(self.names)
        try:
            yield
        finally:
            self.names = names

    def bind(self, target: ast.expr, shape: Shape) -> None:
        """Bind a target to a value, taking tuples apart."""
        if isinstance(target, ast.Name):
            self.names[target.id] = shape
        elif isinstance(target, ast.Tuple | ast.List):
            for number, element in enumerate(target.elts):
                whole = shape.name == "pair" and len(shape.items) == len(target.elts)
                self.bind(element, shape.items[number] if whole else shape.element)

    def fresh_facts(self) -> None:
        """Forget the facts of a first, exploring pass."""
        self.facts = FunctionFacts()


def _pick(owner: Shape, index: ast.expr) -> Shape:
    try:
        place = ast.literal_eval(index)
    except (ValueError, TypeError, SyntaxError):
        return owner.element
    if isinstance(place, int) and -len(owner.items) <= place < len(owner.items):
        return owner.items[place]
    return owner.element


def _texts(left: Shape, right: Shape, op: ast.operator) -> bool:
    if isinstance(op, ast.Mod):
        return left.name in ("text", "enum")
    return bool({left.name, right.name} & {"text", "enum", "list", "pair"})


def _result_of(op: ast.operator, left: Shape, right: Shape) -> Shape | None:
    """Return the shape of an operation's result: ``any`` in doubt, None if it must fail."""
    names = (left.name, right.name)
    if "any" in names:
        return ANY
    if left.name in NUMBERS and right.name in NUMBERS:
        divided = isinstance(op, ast.Div) and not {"money"} & set(names)
        joined = join(left, right).not_none()
        return NUMBER if divided else INTEGER if joined == BOOLEAN else joined
    if "timedelta" in names or names in (("date", "date"), ("datetime", "datetime")):
        return _time_result(op, left.not_none(), right.not_none())
    if family(left) == family(right) == "a text":
        return TEXT if isinstance(op, ast.Add) else None
    both = family(left) and family(right)
    return None if both else join(left, right).not_none()


def _time_result(op: ast.operator, left: Shape, right: Shape) -> Shape | None:
    days = ("date", "datetime", "timedelta")
    if isinstance(op, ast.Sub) and left == right and left.name in days:
        return TIMEDELTA
    if isinstance(op, ast.Add | ast.Sub) and right == TIMEDELTA and left.name in days:
        return left
    if isinstance(op, ast.Add) and left == TIMEDELTA and right.name in days:
        return right
    if isinstance(op, ast.Mult) and {left.name, right.name} & {"integer", "number"}:
        return TIMEDELTA
    if isinstance(op, ast.Div | ast.FloorDiv | ast.Mod) and left == TIMEDELTA:
        if right == TIMEDELTA:
            return INTEGER if isinstance(op, ast.FloorDiv) else NUMBER
        return TIMEDELTA
    return None
