"""Which text parameters of a tool name a row by a unique column, such as a SKU.

Found in the code alone: a parameter, a part of one, or what text methods make of it, that
``where`` or ``alike`` compares a unique text column with. A look that only refuses a value that
is taken wants a new one, and is no look-up.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from toolworld.spec.callorder import callees_first
from toolworld.spec.model import DomainFile
from toolworld.spec.signatures import Signature
from toolworld.spec.tree_walk import children

Lookups = dict[str, str]
"""The entity and column, as ``Variant.sku``, by the path of the text: ``lines.*.sku``."""


def lookups_of(signatures: Iterable[Signature], domain: DomainFile) -> dict[str, Lookups]:
    """Return the look-ups of each function by unique columns, callees included."""
    unique = {
        (entity.table, name): f"{entity_name}.{name}"
        for entity_name, entity in domain.entities.items()
        for name, column in entity.columns.items()
        if column.unique and column.type == "text"
    }
    slots = {one.name: [slot.name for slot in one.slots] for one in signatures}
    walks = {one.name: _OriginWalk(one, unique, slots) for one in signatures}
    found: dict[str, Lookups] = {}
    for name in callees_first({name: [one.callee for one in walks[name].passed] for name in walks}):
        found[name] = _whole(walks[name], found)
    return {name: found[name] for name in walks}


def _whole(walk: _OriginWalk, known: Mapping[str, Lookups]) -> Lookups:
    """Return the look-ups of a function and of its callees."""
    found = dict(walk.found)
    for passed in walk.passed:
        for inner, column in known.get(passed.callee, {}).items():
            slot, dot, rest = inner.partition(".")
            if slot in passed.origins:
                found.setdefault(passed.origins[slot] + dot + rest, column)
    return found


@dataclass(frozen=True)
class _Passed:
    """A call of another function, with the sources of its arguments."""

    callee: str
    origins: Mapping[str, str] = field(default_factory=dict)


class _OriginWalk(ast.NodeVisitor):
    """One function; ``origins`` maps its names to the parts of parameters that they hold."""

    def __init__(
        self,
        signature: Signature,
        unique: Mapping[tuple[str, str], str],
        slots: Mapping[str, list[str]],
    ) -> None:
        self._unique, self._slots = unique, slots
        self._origins = {slot.name: slot.name for slot in signature.slots if slot.name != "db"}
        self._wants_none: set[ast.AST] = set()
        self.found: Lookups = {}
        self.passed: list[_Passed] = []
        for statement in signature.node.body:
            self.visit(statement)

    def visit_Assign(self, node: ast.Assign) -> None:  # noqa: N802 - the visitor's protocol
        self.visit(node.value)
        for target in node.targets:
            self._bind(target, self._origin(node.value))

    def visit_For(self, node: ast.For) -> None:  # noqa: N802
        self._loop(node)
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:  # noqa: N802
        if isinstance(node.body[-1], ast.Raise):
            self._wants_none.update(_wanted_true(node.test))
        self.generic_visit(node)

    def visit_ListComp(self, node: ast.ListComp) -> None:  # noqa: N802
        self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> None:  # noqa: N802
        self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> None:  # noqa: N802
        self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:  # noqa: N802
        self._comprehension(node)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    ) -> None:
        for generator in node.generators:
            self._loop(generator)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:  # noqa: N802
        function = node.func
        if isinstance(function, ast.Name) and function.id in self._slots:
            self._pass(node, function.id)
        elif isinstance(function, ast.Attribute) and function.attr in ("where", "alike"):
            self._look_up(node, function.value)
        self.generic_visit(node)

    def _pass(self, node: ast.Call, callee: str) -> None:
        pairs = [*zip(self._slots[callee], node.args, strict=False)]
        pairs += [(word.arg or "", word.value) for word in node.keywords]
        origins = {slot: self._origin(value) for slot, value in pairs}
        known = {slot: origin for slot, origin in origins.items() if origin}
        self.passed.append(_Passed(callee, known))

    def _look_up(self, node: ast.Call, table: ast.expr) -> None:
        if not isinstance(table, ast.Attribute) or node in self._wants_none:
            return
        for word in node.keywords:
            column = self._unique.get((table.attr, word.arg or ""))
            origin = self._origin(word.value)
            if column and origin:
                self.found.setdefault(origin, column)

    def _loop(self, node: ast.For | ast.comprehension) -> None:
        origin = self._origin(node.iter)
        self._bind(node.target, f"{origin}.*" if origin else "")

    def _bind(self, target: ast.expr, origin: str) -> None:
        if isinstance(target, ast.Name):
            self._origins[target.id] = origin

    def _origin(self, node: ast.expr) -> str:
        """Return the part of a parameter that a value is made from; empty in doubt."""
        if isinstance(node, ast.Name):
            return self._origins.get(node.id, "")
        if isinstance(node, ast.Attribute):
            owner = self._origin(node.value)
            return f"{owner}.{node.attr}" if owner else ""
        made_from = {self._origin(part) for part in _made_from(node)} - {""}
        return made_from.pop() if len(made_from) == 1 else ""


def _wanted_true(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a test that no ``not`` stands before."""
    if not (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
        yield node
        for part in children(node):
            yield from _wanted_true(part)


def _made_from(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the sources of the value of a call or choice."""
    if isinstance(node, ast.Call):
        yield from node.args
        if isinstance(node.func, ast.Attribute):
            yield node.func.value
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, ast.BoolOp):
        yield from node.values
