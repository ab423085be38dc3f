"""Loops that may never end, because the list they loop over grows.

A list can have several names, and a helper can make it longer; both are followed, whatever the
order of the statements, so a doubtful case is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolworld.spec.aliases import GROWING, Aliases, Comprehension
from toolworld.spec.callorder import callees_first
from toolworld.spec.findings import FileFindings
from toolworld.spec.tree_walk import walk

KEYED = frozenset({"sorted", "min", "max"})


@dataclass(frozen=True)
class FunctionUse:
    """How a function uses its parameters.

    Attributes:
        parameters: Its parameters, in order.
        grown: Those that it makes longer.
        returned: Those that it may return, as they are.
    """

    parameters: tuple[str, ...] = ()
    grown: frozenset[str] = frozenset()
    returned: frozenset[str] = frozenset()

    def given(self, call: ast.Call, names: frozenset[str]) -> Iterator[ast.expr]:
        """Return the arguments of a call for some of its parameters."""
        for name, value in zip(self.parameters, call.args, strict=False):
            if name in names:
                yield value
        for word in call.keywords:
            if word.arg in names:
                yield word.value


def check_loops(functions: Sequence[ast.FunctionDef], findings: FileFindings) -> None:
    """Report every place where a list grows while it is looped over."""
    by_name = {function.name: function for function in functions}
    calls = {name: _named(function) for name, function in by_name.items()}
    helpers: dict[str, FunctionUse] = {}
    for name in callees_first(calls):
        loops = _Loops(by_name[name], helpers)
        for place, grown in loops.endless():
            findings.add(
                place, "endless-loop", f"{grown} grows while it is looped over.",
                "Loop over a copy, list(...), or fill another list.",
            )  # fmt: skip
        helpers[name] = loops.helper()


class _Loops:
    """The loops of one function."""

    def __init__(self, function: ast.FunctionDef, helpers: Mapping[str, FunctionUse]) -> None:
        """Take a function, and the facts about its callees."""
        self.function, self.helpers = function, helpers
        self.nodes = list(walk(function))
        self.aliases = Aliases(function, self._returned)

    def endless(self) -> Iterator[tuple[ast.AST, str]]:
        """Return each place where a list grows while it is looped over, with its name there."""
        for node in self.nodes:
            if isinstance(node, ast.For):
                yield from self._grown_in(node.body, node.iter)
            elif isinstance(node, Comprehension):
                for generator in node.generators:
                    yield from self._grown_in(_parts(node), generator.iter)
            elif isinstance(node, ast.Call):
                yield from self._fed_by_itself(node)

    def helper(self) -> FunctionUse:
        """Return how the function uses its parameters."""
        parameters = tuple(argument.arg for argument in self.function.args.args)
        grown, returned = set[int](), set[int]()
        for node in self.nodes:
            for owner in self._grown(node):
                grown |= self.aliases.of(owner)
            if isinstance(node, ast.Return) and node.value is not None:
                returned |= self.aliases.of(node.value)
        known = {name: self.aliases.named(name) for name in parameters}
        return FunctionUse(
            parameters,
            frozenset(name for name, number in known.items() if number in grown),
            frozenset(name for name, number in known.items() if number in returned),
        )

    def _returned(self, call: ast.Call) -> Iterator[ast.expr]:
        function = call.func
        if isinstance(function, ast.Name) and function.id in self.helpers:
            helper = self.helpers[function.id]
            yield from helper.given(call, helper.returned)

    def _grown_in(
        self, places: Sequence[ast.AST], looped: ast.expr
    ) -> Iterator[tuple[ast.AST, str]]:
        lists = self.aliases.of(looped)
        for place in places if lists else ():
            for inner in walk(place):
                for owner in self._grown(inner):
                    if self.aliases.of(owner) & lists:
                        yield inner, ast.unparse(owner)

    def _fed_by_itself(self, call: ast.Call) -> Iterator[tuple[ast.AST, str]]:
        """Find ``rows.extend(row for row in rows)``, and a ``key=`` that adds to what it sorts."""
        function = call.func
        if isinstance(function, ast.Attribute) and function.attr in GROWING:
            fed = {number for part in call.args for number in self._lazily(part)}
            if self.aliases.of(function.value) & fed:
                yield call, ast.unparse(function.value)
        if isinstance(function, ast.Name) and function.id in KEYED and call.args:
            keys = [word.value for word in call.keywords if word.arg == "key"]
            yield from self._grown_in(keys, call.args[0])

    def _lazily(self, node: ast.expr) -> Iterator[int]:
        """Return the lists that a lazy value reads only when it is consumed."""
        if isinstance(node, ast.GeneratorExp):
            for generator in node.generators:
                yield from self.aliases.of(generator.iter)
        elif isinstance(node, ast.Call):
            yield from self.aliases.of(node)

    def _grown(self, node: ast.AST) -> Iterator[ast.expr]:
        """Return the lists that a node extends in place."""
        if isinstance(node, ast.AugAssign):
            yield node.target
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in GROWING:
                yield node.func.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            helper = self.helpers.get(node.func.id, FunctionUse())
            yield from helper.given(node, helper.grown)


def _parts(node: Comprehension) -> list[ast.AST]:
    """Return the parts of a comprehension that run for each item."""
    ends: list[ast.AST] = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    later = [generator.iter for generator in node.generators[1:]]
    return [*ends, *later, *(test for generator in node.generators for test in generator.ifs)]


def _named(function: ast.FunctionDef) -> list[str]:
    return [node.id for node in walk(function) if isinstance(node, ast.Name)]
