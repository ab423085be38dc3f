"""Whether calling a tool twice does what calling it once does: a careful guess from its code.

A function is held to be idempotent when it changes nothing, or when it adds no rows and which
rows it changes, whether it does, and what it puts into them depend on nothing but its
arguments, constants and the world clock. An early rejection may depend on anything. In doubt
the answer is no.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from toolworld.spec.facts import FunctionFacts
from toolworld.spec.methods import MUTATORS, WRITE_METHODS
from toolworld.spec.model import DomainFile
from toolworld.spec.signatures import Signature
from toolworld.spec.tree_walk import walk


def idempotent_functions(
    signatures: list[Signature], whole: Mapping[str, FunctionFacts], domain: DomainFile
) -> set[str]:
    """Return the names of the idempotent functions; ``whole`` are their facts with all calls."""
    keys = {entity.table: entity.key for entity in domain.entities.values()}
    found = {name for name, facts in whole.items() if not _changes(facts)}
    pure = {s.name for s in signatures if not any(slot.name == "db" for slot in s.slots)}
    pending = [s for s in signatures if s.name not in found and not whole[s.name].creates]
    more = True
    while more:  # a caller can be judged once what it calls has been
        new = {s.name for s in pending if _SteadyWalk(s, whole, found, pure, keys).is_idempotent()}
        found |= new
        pending = [signature for signature in pending if signature.name not in new]
        more = bool(new)
    return found


def _changes(facts: FunctionFacts) -> bool:
    return bool(facts.writes or facts.creates or facts.deletes)


class _SteadyWalk:
    """One function; ``steady`` are the names that depend on its arguments alone."""

    def __init__(
        self,
        signature: Signature,
        whole: Mapping[str, FunctionFacts],
        idempotent: set[str],
        pure: set[str],
        keys: dict[str, str],
    ) -> None:
        self.node = signature.node
        self.whole = whole
        self.idempotent = idempotent
        self.pure = pure
        self.keys = keys
        self.steady = {slot.name for slot in signature.slots if slot.name != "db"}
        self.found: dict[str, str] = {}
        """Names of rows got by a steady id, and their key columns."""
        self.unsteady: set[str] = set()

    def is_idempotent(self) -> bool:
        self._learn()
        return self._block(self.node.body, steady=True)

    def _learn(self) -> None:
        """Sort names into steady and unsteady; a name given anything unsteady is unsteady."""
        for _ in range(3):
            for node in walk(self.node):
                if isinstance(node, ast.Assign):
                    for target in node.targets:
                        self._give(target, node.value)
                elif isinstance(node, ast.AnnAssign | ast.AugAssign) and node.value is not None:
                    self._give(node.target, node.value)
                elif isinstance(node, ast.For | ast.comprehension):
                    self._give(node.target, node.iter)
            self._taint_branches(self.node.body, steady=True)
            self._taint_mutations()

    def _give(self, target: ast.expr, value: ast.expr) -> None:
        names = {node.id for node in walk(target) if isinstance(node, ast.Name)}
        table = _got_table(value)
        if isinstance(target, ast.Name) and table and self._is_steady_get(value):
            key = self.keys.get(table, "")
            if self.found.setdefault(target.id, key) == key:
                return
        if self._is_steady(value) and not names & set(self.found):
            self.steady |= names - self.unsteady
        else:
            self._taint(names)

    def _taint(self, names: set[str]) -> None:
        self.unsteady |= names
        self.steady -= names
        for name in names:
            self.found.pop(name, None)

    def _taint_branches(self, body: list[ast.stmt], steady: bool) -> None:
        """What is assigned under a condition on the state depends on the state."""
        for node in body:
            if not steady:
                self._taint(_stored(node))
            if isinstance(node, ast.If):
                inner = steady and self._is_steady(node.test)
                self._taint_branches([*node.body, *node.orelse], inner)
            elif isinstance(node, ast.For):
                inner = steady and self._is_steady(node.iter)
                self._taint_branches([*node.body, *node.orelse], inner)

    def _taint_mutations(self) -> None:
        for node in walk(self.node):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            base = node.func.value
            if node.func.attr in MUTATORS and isinstance(base, ast.Name):
                values = [*node.args, *(word.value for word in node.keywords)]
                if not all(self._is_steady(value) for value in values):
                    self._taint({base.id})

    def _is_steady_get(self, value: ast.expr) -> bool:
        return isinstance(value, ast.Call) and all(self._is_steady(arg) for arg in value.args)

    def _is_steady(self, node: ast.expr) -> bool:
        """Return whether an expression depends only on arguments and constants."""
        for inner in walk(node):
            if isinstance(inner, ast.Name) and (
                inner.id in self.unsteady or inner.id in self.whole
            ):
                if inner.id not in self.pure:
                    return False
        return not any(self._looks(inner, node) for inner in walk(node))

    def _looks(self, inner: ast.AST, root: ast.expr) -> bool:
        """Return whether a node looks at the state."""
        if isinstance(inner, ast.Name) and inner.id in self.found:
            return not self._is_key_of(inner, root)
        if isinstance(inner, ast.Name) and inner.id == "db":
            return not _is_clock(inner, root)
        return False

    def _is_key_of(self, name: ast.Name, root: ast.expr) -> bool:
        return any(
            isinstance(node, ast.Attribute)
            and node.value is name
            and node.attr == self.found[name.id]
            for node in walk(root)
        )

    # Statements

    def _block(self, body: list[ast.stmt], *, steady: bool) -> bool:
        return all(self._statement(node, steady) for node in body)

    def _statement(self, node: ast.stmt, steady: bool) -> bool:
        if isinstance(node, ast.If):
            inner = steady and self._is_steady(node.test)
            return self._expressions(node.test, steady) and self._block(
                [*node.body, *node.orelse], steady=inner
            )
        if isinstance(node, ast.For):
            inner = steady and self._is_steady(node.iter)
            return self._expressions(node.iter, steady) and self._block(
                [*node.body, *node.orelse], steady=inner
            )
        return self._expressions(node, steady)

    def _expressions(self, node: ast.AST, steady: bool) -> bool:
        """Check every change made inside a simple statement or expression."""
        for call in walk(node):
            if not isinstance(call, ast.Call):
                continue
            changes, fine = self._change(call)
            if changes and not (fine and steady and _is_plain(node, call)):
                return False
        return True

    def _change(self, call: ast.Call) -> tuple[bool, bool]:
        """Return whether a call changes the state, and whether it always does so alike."""
        values = [*call.args, *(word.value for word in call.keywords)]
        if isinstance(call.func, ast.Attribute) and _table_of(call.func):
            changes = call.func.attr in WRITE_METHODS
            return changes, all(self._is_steady(value) for value in values)
        if isinstance(call.func, ast.Name) and call.func.id in self.whole:
            name = call.func.id
            others = [value for value in values if not _is_database(value)]
            alike = name in self.idempotent and all(self._is_steady(value) for value in others)
            return _changes(self.whole[name]), alike
        return False, True


def _is_plain(statement: ast.AST, call: ast.Call) -> bool:
    """Return whether a change stands alone, not inside a condition or a comprehension."""
    if isinstance(statement, ast.Expr | ast.Return | ast.Assign | ast.AnnAssign):
        return statement.value is call
    return False


def _stored(node: ast.AST) -> set[str]:
    names = (inner for inner in walk(node) if isinstance(inner, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}


def _is_database(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "db"


def _table_of(function: ast.Attribute) -> str:
    """Return the table of ``db.<table>.<method>``, or nothing."""
    base = function.value
    if isinstance(base, ast.Attribute) and _is_database(base.value):
        return base.attr
    return ""


def _got_table(value: ast.expr) -> str:
    """Return the table of ``db.<table>.get(...)``, or nothing."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return _table_of(value.func) if value.func.attr == "get" else ""
    return ""


def _is_clock(name: ast.Name, root: ast.expr) -> bool:
    return any(
        isinstance(node, ast.Attribute) and node.value is name and node.attr in ("now", "today")
        for node in walk(root)
    )
