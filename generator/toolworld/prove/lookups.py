"""Which look-ups of a row by its id the caller of a tool can make miss.

An id that a stored row holds cannot miss, nor can one that every way to the look-up has looked
up before: a helper's second look-up refuses nothing. Read from the syntax trees alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from toolworld.prove.given_names import given_names, root_name
from toolworld.spec.tree_walk import children, walk

Function = ast.FunctionDef
End = tuple[int | None, int | None]
"""Where a call ends in the code: no other call ends there."""
Found = frozenset[tuple[str, str]]
"""Tables, and the ids, as they are written, of which a row was found."""
NOTHING: Found = frozenset()


def end_of(call: ast.Call) -> End:
    """Return a key that identifies a call."""
    return call.end_lineno, call.end_col_offset


class LookUps:
    """The look-ups in some functions without recursion."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        """Take tools and helpers by name."""
        self.functions = functions
        self._given = given_names(functions)
        self._ensured: dict[str, Found] = {}
        self._ways: dict[str, Ways] = {}

    @cached_property
    def that_miss(self) -> set[End]:
        """Where the look-ups end that can miss."""
        return {
            end_of(call)
            for name in self.functions
            for call, found in self.ways(name).calls
            if (row := looked_up(call))
            and root_name(call.args[0]) in self._given[name]
            and row not in found
        }

    def ensured(self, name: str) -> Found:
        """Return the look-ups that a function has always made when it returns, by parameter."""
        if name not in self._ensured:
            self._ensured[name] = Ways(self, name, NOTHING).ensured
        return self._ensured[name]

    def ways(self, name: str) -> Ways:
        """Return the facts known on the paths through a function."""
        if name not in self._ways:
            self._ways[name] = Ways(self, name, self._entry(name))
        return self._ways[name]

    def _entry(self, name: str) -> Found:
        """Return which parameters cannot miss in which tables, whoever calls a helper."""
        found = [
            self._held(caller, call, known)
            for caller, node in self.functions.items()
            if caller != name and any(called(part) == name for part in walk(node))
            for call, known in self.ways(caller).calls
            if called(call) == name
        ]
        return frozenset.intersection(*found) if found else NOTHING

    def _held(self, caller: str, call: ast.Call, known: Found) -> Found:
        values = bound(call, self.functions[called(call)])
        return frozenset(
            (table, parameter)
            for table in self._tables
            for parameter, value in values.items()
            if root_name(value) not in self._given[caller] or (table, ast.unparse(value)) in known
        )

    @cached_property
    def _tables(self) -> set[str]:
        calls = (part for node in self.functions.values() for part in walk(node))
        return {row[0] for call in calls if (row := looked_up(call))}

    @cached_property
    def lasting(self) -> set[str]:
        """The tables whose rows no code removes: a row found there stays."""
        parts = [part for node in self.functions.values() for part in walk(node)]
        return self._tables - {store_call(part, "remove") for part in parts}


class Ways:
    """The ways through a function.

    Attributes:
        calls: Each call, and the rows that every way to it has found.
        ensured: The rows that every way to the end has found, by the parameters.
    """

    def __init__(self, look_ups: LookUps, name: str, entry: Found) -> None:
        """Follow a function from the facts known at its call."""
        self._look_ups = look_ups
        self.calls: list[tuple[ast.Call, Found]] = []
        self._ends: list[Found] = []
        node = look_ups.functions[name]
        last = self._block(node.body, entry)
        ends = [*self._ends, last] if last is not None else self._ends
        kept = {argument.arg for argument in node.args.args} - assigned(node)
        everywhere = frozenset.intersection(*ends) if ends else NOTHING
        self.ensured = frozenset(row for row in everywhere if row[1] in kept)

    def _block(self, body: Sequence[ast.stmt], found: Found) -> Found | None:
        """Return the facts known after some statements; None if control does not pass them."""
        for node in body:
            after = self._statement(node, found)
            if after is None:
                return None
            found = after
        return found

    def _statement(self, node: ast.stmt, found: Found) -> Found | None:
        if isinstance(node, ast.If):
            found = self._evaluated(node.test, found)
            ways = [self._block(node.body, found), self._block(node.orelse, found)]
            open_ways = [way for way in ways if way is not None]
            return frozenset.intersection(*open_ways) if open_ways else None
        if isinstance(node, ast.For):
            found = without(self._evaluated(node.iter, found), assigned(node))
            self._block(node.body, found)
            self._block(node.orelse, found)
            return found
        found = without(self._evaluated(node, found), assigned(node))
        if isinstance(node, ast.Return):
            self._ends.append(found)
        ends = isinstance(node, ast.Return | ast.Raise | ast.Break | ast.Continue)
        return None if ends else found

    def _evaluated(self, node: ast.AST, found: Found) -> Found:
        """Note the calls in an expression; return the facts known after it."""
        known = without(found, assigned(node))
        self.calls += [(part, known) for part in walk(node) if isinstance(part, ast.Call)]
        return found.union(*(self._found_by(call) for call in always_run(node)))

    def _found_by(self, call: ast.Call) -> Found:
        row, name = looked_up(call), called(call)
        if row:
            return frozenset({row} if row[0] in self._look_ups.lasting else ())
        if name not in self._look_ups.functions:
            return NOTHING
        values = bound(call, self._look_ups.functions[name])
        ensured = self._look_ups.ensured(name)
        return frozenset(
            (table, ast.unparse(values[one])) for table, one in ensured if one in values
        )


def looked_up(node: ast.AST) -> tuple[str, str] | None:
    """Return the table and the id of ``db.table.get(id)``; None for anything else."""
    table = store_call(node, "get")
    if table and isinstance(node, ast.Call) and len(node.args) == 1:
        return table, ast.unparse(node.args[0])
    return None


def store_call(node: ast.AST, method: str) -> str:
    """Return the table of ``db.table.method(...)``, or an empty text."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == method
        and isinstance(node.func.value, ast.Attribute)
    ):
        return node.func.value.attr
    return ""


def called(node: ast.AST) -> str:
    """Return the name of the function that a node calls, or an empty text."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id
    return ""


def bound(call: ast.Call, function: Function) -> dict[str, ast.expr]:
    """Return the argument of each parameter that a call gives."""
    names = (argument.arg for argument in function.args.args)
    given = dict(zip(names, call.args, strict=False))
    return given | {word.arg: word.value for word in call.keywords if word.arg}


def assigned(node: ast.AST) -> set[str]:
    """Return the names that a node binds."""
    return {
        part.id
        for part in walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def without(found: Found, names: set[str]) -> Found:
    """Return the facts that remain after some names are rebound."""
    return frozenset(row for row in found if row[1].split(".")[0] not in names)


def always_run(node: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls that evaluating a node cannot pass by."""
    if isinstance(node, ast.Call):
        yield node
    parts: list[ast.AST] = list(children(node))
    if isinstance(node, ast.BoolOp):
        parts = [node.values[0]]
    elif isinstance(node, ast.IfExp):
        parts = [node.test]
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        parts = [node.generators[0].iter]
    elif isinstance(node, ast.Lambda):
        parts = []
    for part in parts:
        yield from always_run(part)
