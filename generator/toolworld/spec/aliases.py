"""Which names of a function refer to the same list, or to items of it.

Steensgaard's analysis: whatever is given to a name is the same as the name, in any order of the
statements. A copy is a list of its own with the same items.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from toolworld.spec.methods import MUTATORS
from toolworld.spec.tree_walk import walk

GROWING = frozenset({"append", "extend", "insert", "add", "update", "setdefault"})
LAZY = frozenset({"enumerate", "reversed", "zip"})
VIEWS = frozenset({"items", "keys", "values"})
COPYING = frozenset({"list", "sorted", "tuple", "set", "dict"})
PICKING = frozenset({"get", "pop", "setdefault"})

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Returned = Callable[[ast.Call], Iterator[ast.expr]]
"""Gives the arguments of a call that it may return as they are."""


class Aliases:
    """The lists of a function; each has a number."""

    def __init__(self, function: ast.FunctionDef, returned: Returned) -> None:
        """Look at all that a function assigns and loops over."""
        self._names: dict[str, int] = {}
        self._same: list[int] = []
        self._items: dict[int, int] = {}
        self._returned = returned
        for node in walk(function):
            self._learn(node)

    def find(self, number: int) -> int:
        """Return the representative number of a list."""
        root = number
        while self._same[root] != root:
            root = self._same[root]
        while self._same[number] != root:
            self._same[number], number = root, self._same[number]
        return root

    def named(self, name: str) -> int:
        """Return the list that a name refers to."""
        if name not in self._names:
            self._names[name] = self._new()
        return self.find(self._names[name])

    def of(self, node: ast.expr) -> set[int]:
        """Return the lists that an expression may evaluate to."""
        return {self.find(number) for number in self._of(node)}

    def _new(self) -> int:
        self._same.append(len(self._same))
        return len(self._same) - 1

    def _item(self, number: int) -> int:
        root = self.find(number)
        if root not in self._items:
            self._items[root] = self._new()
        return self.find(self._items[root])

    def _join(self, one: int, other: int) -> None:
        """Let two lists be the same, and so their items."""
        waiting = [(one, other)]
        while waiting:
            left, right = (self.find(number) for number in waiting.pop())
            if left == right:
                continue
            self._same[left] = right
            items = self._items.pop(left, None)
            if items is not None and right in self._items:
                waiting.append((items, self._items[right]))
            elif items is not None:
                self._items[right] = items

    # What is learned from statements

    def _learn(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._give(target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._give(node.target, node.value)
        elif isinstance(node, ast.For | ast.comprehension):
            for number in self.of(node.iter):
                self._give_all(node.target, self._item(number))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            self._add(node.func, node.args)

    def _give(self, target: ast.expr, value: ast.expr) -> None:
        pairs = isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List)
        if pairs and len(target.elts) == len(value.elts):  # type: ignore[attr-defined]
            for one, part in zip(target.elts, value.elts, strict=True):  # type: ignore[attr-defined]
                self._give(one, part)
            return
        for number in self.of(value):
            apart = isinstance(target, ast.Tuple | ast.List)
            self._give_all(target, self._item(number) if apart else number)

    def _give_all(self, target: ast.expr, number: int) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                self._give_all(part, number)
        elif isinstance(target, ast.Starred):
            self._give_all(target.value, number)
        else:
            for owner in self.of(target):
                self._join(owner, number)

    def _add(self, function: ast.Attribute, given: list[ast.expr]) -> None:
        """Note the items that a call puts into a list."""
        if function.attr not in GROWING & MUTATORS or not given:
            return
        whole = function.attr in ("extend", "update")
        for owner in self.of(function.value):
            for number in self.of(given[-1]):
                self._join(self._item(owner), self._item(number) if whole else number)

    # What an expression is

    def _of(self, node: ast.expr) -> Iterator[int]:
        if isinstance(node, ast.Name):
            yield self.named(node.id)
        elif isinstance(node, ast.Subscript):
            slices = isinstance(node.slice, ast.Slice)
            yield from (self._copies if slices else self._items_of)(self.of(node.value))
        elif isinstance(node, ast.Call):
            yield from self._of_call(node, node.func)
        elif isinstance(node, ast.IfExp | ast.BoolOp):
            parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else node.values
            for part in parts:
                yield from self._of(part)
        elif isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict):
            parts = node.values if isinstance(node, ast.Dict) else node.elts
            yield self._holding({number for part in parts for number in self._held(part)})
        elif isinstance(node, Comprehension):
            end = node.value if isinstance(node, ast.DictComp) else node.elt
            yield self._holding(self.of(end))

    def _of_call(self, node: ast.Call, function: ast.expr) -> Iterator[int]:
        if isinstance(function, ast.Attribute):
            yield from self._of_method(node, function)
        elif isinstance(function, ast.Name) and function.id in LAZY:
            for argument in node.args:
                yield from self.of(argument)
        elif isinstance(function, ast.Name) and function.id in COPYING:
            for argument in node.args[:1]:
                yield from self._copies(self.of(argument))
        else:
            for value in self._returned(node):
                yield from self.of(value)

    def _of_method(self, node: ast.Call, function: ast.Attribute) -> Iterator[int]:
        if function.attr in VIEWS:
            yield from self.of(function.value)
        elif function.attr in PICKING:
            yield from self._items_of(self.of(function.value))
            for default in node.args[1:]:
                yield from self.of(default)

    def _held(self, part: ast.expr) -> Iterator[int]:
        if isinstance(part, ast.Starred):
            yield from self._items_of(self.of(part.value))
        else:
            yield from self.of(part)

    def _items_of(self, numbers: set[int]) -> list[int]:
        return [self._item(number) for number in numbers]

    def _copies(self, numbers: set[int]) -> list[int]:
        return [self._holding({self._item(number)}) for number in numbers]

    def _holding(self, numbers: set[int]) -> int:
        """Return a new list that contains some others."""
        made = self._new()
        for number in numbers:
            self._join(self._item(made), number)
        return made
