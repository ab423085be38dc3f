"""The subset's rules for attributes and calls."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from toolworld.spec.findings import suggest
from toolworld.spec.literals import check_decimal, check_time_format
from toolworld.spec.methods import (
    ALWAYS_ATTRIBUTES,
    CLASS_METHODS,
    MATH,
    MUTATORS,
    PROPERTIES,
    TABLE_METHODS,
)
from toolworld.spec.rules import CONSTANT_METHODS, COPIERS, DANGEROUS_ATTRIBUTES, refusal_of
from toolworld.spec.scope import Scope

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
JOINING = frozenset({
    "join", "extend", "update", "union", "difference", "intersection", "issubset", "issuperset",
    "isdisjoint",
})  # fmt: skip


class Access(Scope):
    """Checks attributes and calls; the subclass walks all other nodes."""

    def visit(self, node: ast.AST) -> None:
        """Check a node and everything in it."""
        raise NotImplementedError

    def visit_comprehension(self, node: Comprehension) -> None:
        """Check a comprehension or generator."""
        raise NotImplementedError

    # Attributes

    def _visit_attribute(self, node: ast.Attribute, *, called: bool = False) -> None:
        base = node.value.id if isinstance(node.value, ast.Name) else ""
        if base == "math":
            if node.attr not in MATH:
                self._no_attribute(node, "math", MATH)
            return
        if base in self.services and base in self.scope:
            self._service_attribute(node, base)
            return
        self._attribute_rules(node, called)
        constant = base in self.mutable - self.scope
        if not (constant and called and node.attr in CONSTANT_METHODS):
            self.visit(node.value)

    def _service_attribute(self, node: ast.Attribute, name: str) -> None:
        service = self.dialect.services.get(name)
        if service is None or service.attributes == frozenset():
            self._bare_service(node, name)
        elif service.attributes is None:
            if node.attr.startswith("_"):
                self._attribute_rules(node, called=False)
        elif node.attr not in service.attributes:
            self._no_attribute(node, name, service.attributes)

    def _attribute_rules(self, node: ast.Attribute, called: bool) -> None:
        name, columns = node.attr, self.words.columns
        if name.startswith("_"):
            self.findings.add(
                node, "underscore", f"The attribute {name} starts with an underscore.",
                "Use columns, fields and the methods of the subset.",
            )  # fmt: skip
        elif name in DANGEROUS_ATTRIBUTES:
            self._refuse_attribute(node)
        elif called:
            if name not in ALWAYS_ATTRIBUTES - PROPERTIES | {"items"} | self.dialect.methods:
                self._refuse_attribute(node)
        elif columns is not None and name not in columns | PROPERTIES | self.dialect.attributes:
            if name in ALWAYS_ATTRIBUTES:
                self.findings.add(
                    node, "method-value", f"The method {name} is not called.",
                    f"Write .{name}(...).",
                )  # fmt: skip
            else:
                self._refuse_attribute(node)

    def _refuse_attribute(self, node: ast.Attribute) -> None:
        mend = suggest(node.attr, ALWAYS_ATTRIBUTES | (self.words.columns or frozenset()))
        if node.attr in ("format", "format_map"):
            mend = "Use an f-string."
        elif not mend.startswith("Did"):
            mend = "Use columns, fields and the methods of the subset."
        self.findings.add(node, "attribute", f"The attribute {node.attr} is not allowed.", mend)

    def _no_attribute(self, node: ast.Attribute, owner: str, known: Iterable[str]) -> None:
        self.findings.add(
            node, "attribute", f"{owner} has no {node.attr} here.", suggest(node.attr, known)
        )

    def _called_name(self, node: ast.Call, function: ast.Name) -> None:
        name = function.id
        if name in self.scope or name in self.constants:
            self.findings.add(
                function, "call", f"{name} is a value, not a function.", "Call functions only."
            )
        elif name not in self.callable:
            self._unknown(function, name)
        elif name == "Decimal":
            check_decimal(node, self.findings)

    def _called_attribute(self, node: ast.Call, function: ast.Attribute) -> None:
        base = function.value
        if isinstance(base, ast.Name) and base.id in CLASS_METHODS and base.id not in self.scope:
            if function.attr not in CLASS_METHODS[base.id]:
                self._no_attribute(function, base.id, CLASS_METHODS[base.id])
        elif isinstance(base, ast.Name) and base.id == "db" and "db" in self.scope:
            if function.attr not in ("now", "today"):
                self._no_attribute(function, "db", ("now", "today"))
        elif _service_of(base) in self.dialect.services.keys() - {"db"}:
            self._service_call(function, _service_of(base))
        elif _is_table(base) and isinstance(base, ast.Attribute) and "db" in self.scope:
            self._table_call(function, base)
        else:
            self._visit_attribute(function, called=True)
            if function.attr == "strftime":
                check_time_format(node, self.findings)
            self._refuse_mutation(function)

    def _service_call(self, function: ast.Attribute, name: str) -> None:
        methods = self.dialect.services[name].methods
        if name not in self.scope:
            self._unknown(function, name)
        elif methods is None:
            if function.attr.startswith("_"):
                self._attribute_rules(function, called=True)
        elif function.attr not in methods:
            self._no_attribute(function, name, methods)

    def _refuse_mutation(self, function: ast.Attribute) -> None:
        if function.attr in MUTATORS and isinstance(function.value, ast.Attribute):
            self.findings.add(
                function, "assignment", "Rows and objects never change, nor do their lists.",
                "Build a new list, [*row.column, value], and use update() or replace().",
            )  # fmt: skip

    def _table_call(self, function: ast.Attribute, table: ast.Attribute) -> None:
        if self.words.tables is not None and table.attr not in self.words.tables:
            self.findings.add(
                table, "unknown-table", f"The domain has no table {table.attr}.",
                suggest(table.attr, self.words.tables),
            )  # fmt: skip
        elif table.attr.startswith("_"):
            self._attribute_rules(table, called=False)
        if function.attr not in TABLE_METHODS:
            self._no_attribute(function, "A table", TABLE_METHODS)

    # Calls

    def _visit_call(self, node: ast.Call) -> None:
        function = node.func
        if isinstance(function, ast.Name):
            self._called_name(node, function)
        elif isinstance(function, ast.Attribute):
            self._called_attribute(node, function)
        else:
            self.findings.add(
                node, "call", "What is called is not a name or a method.",
                "Call functions by their names.",
            )  # fmt: skip
            self.visit(function)
        for place, argument in enumerate(node.args):
            self._argument(node, argument, first=place == 0)
        for word in node.keywords:
            self._keyword(node, word)

    def _argument(self, node: ast.Call, argument: ast.expr, *, first: bool) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if isinstance(argument, ast.Starred):
            self.findings.add(argument, *refusal_of(argument))
            self.visit(argument.value)
        elif isinstance(argument, ast.GeneratorExp):
            self._generator(node, argument)
        elif isinstance(argument, ast.Name) and argument.id in self.services:
            self._pass_service(node, argument)
        elif isinstance(argument, ast.Name) and argument.id in self.mutable - self.scope:
            picks = self._is_fake(node) and first
            if not picks and (name not in COPIERS or not (first or name == "zip")):
                self._refuse_constant(argument, argument.id)
            elif name in ("min", "max") and len(node.args) > 1:
                self._refuse_constant(argument, argument.id)
        else:
            self.visit(argument)

    def _is_fake(self, node: ast.Call) -> bool:
        function = node.func
        return (
            isinstance(function, ast.Attribute)
            and isinstance(function.value, ast.Name)
            and function.value.id == "fake"
        )

    def _generator(self, node: ast.Call, argument: ast.GeneratorExp) -> None:
        function = node.func
        copiers = COPIERS | {"set", "dict"} | self.dialect.functions
        plain = isinstance(function, ast.Name) and function.id in copiers
        joins = isinstance(function, ast.Attribute) and function.attr in JOINING
        draws = isinstance(function, ast.Attribute) and _is_draw(function.value)
        if not plain and not joins and not draws:
            self.findings.add(argument, *refusal_of(argument))
        self.visit_comprehension(argument)

    def _keyword(self, node: ast.Call, word: ast.keyword) -> None:
        value = word.value
        if word.arg is None:
            self.findings.add(
                value, "star-arguments", "`**` is not allowed in a call.",
                "Write the arguments out.",
            )  # fmt: skip
        elif word.arg.startswith("_"):
            self.findings.add(
                value, "underscore", f"The argument {word.arg} starts with an underscore.",
                "Drop it.",
            )  # fmt: skip
        if word.arg == "key" and self._takes_key(node):
            self._key(value)
        elif isinstance(value, ast.Name) and value.id in self.services:
            self._pass_service(node, value)
        else:
            self.visit(value)

    def _takes_key(self, node: ast.Call) -> bool:
        function = node.func
        if isinstance(function, ast.Name):
            return function.id in ("sorted", "min", "max")
        return isinstance(function, ast.Attribute) and function.attr == "sort"

    def _key(self, value: ast.expr) -> None:
        if isinstance(value, ast.Name) and value.id in self.functions | {"len", "abs", "str"}:
            return
        if not isinstance(value, ast.Lambda):
            self.visit(value)
            return
        names = [argument.arg for argument in value.args.args]
        plain = ast.arguments([], value.args.args, None, [], [], None, [])
        if len(names) != 1 or ast.dump(value.args) != ast.dump(plain):
            self.findings.add(
                value, "lambda", "A key has exactly one parameter.", "Write `key=lambda x: ...`."
            )
        outer, self.scope = self.scope, self.scope | set(names)
        for name in names:
            self._bind(value, name)
        self.visit(value.body)
        self.scope = outer


def _service_of(node: ast.expr) -> str:
    """Return the service that a method is called on; ``agent.attempt`` is the agent."""
    base = node.value if isinstance(node, ast.Attribute) and node.attr == "attempt" else node
    return base.id if isinstance(base, ast.Name) else ""


def _is_draw(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "draw"


def _is_table(node: ast.expr) -> bool:
    base = node.value if isinstance(node, ast.Attribute) else None
    return isinstance(base, ast.Name) and base.id == "db"
