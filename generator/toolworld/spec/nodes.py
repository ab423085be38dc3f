"""The subset's rules for everything inside a function, a constant or an invariant."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable
from typing import Protocol

from toolworld.spec.findings import Findings, suggest
from toolworld.spec.methods import (
    ALWAYS_ATTRIBUTES,
    CLASS_METHODS,
    FAKE_METHODS,
    MATH,
    MUTATORS,
    PROPERTIES,
    TABLE_METHODS,
)
from toolworld.spec.rules import (
    ALLOWED,
    CALLABLE,
    CONSTANT_METHODS,
    COPIERS,
    DANGEROUS_ATTRIBUTES,
    DATE_FORMAT,
    LARGEST_INTEGER,
    MOST_DECIMALS,
    MOST_TEXT,
    NUMBER_FORMAT,
    SUBSET_NAMES,
    TYPE_NAMES,
    refusal_of,
)

COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Words(Protocol):
    """What a domain adds to the names code may use."""

    @property
    def tables(self) -> frozenset[str] | None:
        """The tables, or None when the domain is unknown."""

    @property
    def columns(self) -> frozenset[str] | None:
        """The columns and fields, or None when the domain is unknown."""

    @property
    def objects(self) -> frozenset[str]:
        """The objects."""

    @property
    def types(self) -> frozenset[str]:
        """All type names."""


class NodeCheck:
    """Walks code with the names in scope; every refusal is a finding."""

    def __init__(
        self,
        words: Words,
        findings: Findings,
        functions: frozenset[str],
        constants: frozenset[str],
        mutable: frozenset[str],
        *,
        fake: bool,
    ) -> None:
        """Take the module's functions and constants, and which constants are lists or dicts."""
        self.words = words
        self.findings = findings
        self.functions = functions
        self.constants = constants
        self.mutable = mutable
        self.fake = fake
        self.scope: set[str] = set()
        self.callable = CALLABLE | words.objects | functions

    # Entries

    def expression_of(self, names: set[str], node: ast.expr) -> None:
        """Check one expression that sees some names."""
        self.scope = names
        self.visit(node)

    def header(self, node: ast.FunctionDef) -> None:
        """Check a function's parameters and annotations."""
        for argument in _all_arguments(node.args):
            self._parameter(argument)
            if argument.annotation is not None:
                self.annotation(argument.annotation)
        if node.returns is not None:
            self.annotation(node.returns)
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self._default(default)

    def body(self, node: ast.FunctionDef) -> None:
        """Check a function's statements."""
        self.scope = {argument.arg for argument in _all_arguments(node.args)}
        self.scope |= set(_bound_names(node.body))
        statements = node.body[1:] if ast.get_docstring(node, clean=False) else node.body
        for statement in statements:
            self.visit(statement)

    def annotation(self, node: ast.expr) -> None:
        """Check that an annotation is made of names, ``[...]``, ``|`` and None only."""
        for part in ast.walk(node):
            plain = isinstance(
                part, ast.Name | ast.Subscript | ast.BinOp | ast.Tuple | ast.BitOr | ast.Load
            )
            nothing = isinstance(part, ast.Constant) and part.value in (None, ...)
            if not plain and not nothing:
                self.findings.add(
                    node, "annotation", "A type is made of names, [...] and | only.",
                    "Write the type plainly.",
                )  # fmt: skip
                return

    def _parameter(self, argument: ast.arg) -> None:
        """The database and the maker of fake values keep their names and types."""
        services = {"db": "Database", "fake": "Fake"} if self.fake else {"db": "Database"}
        kind = argument.annotation.id if isinstance(argument.annotation, ast.Name) else ""
        if services.get(argument.arg, "") != (kind if kind in ("Database", "Fake") else ""):
            self.findings.add(
                argument, "service", f"The parameter {argument.arg} has the wrong name or type.",
                "The database is `db: Database`; in seed.py there is also `fake: Fake`.",
            )  # fmt: skip
        elif argument.arg not in services:
            self._bind(argument, argument.arg)

    def _default(self, node: ast.expr) -> None:
        value = node.operand if isinstance(node, ast.UnaryOp) else node
        if isinstance(value, ast.Constant):
            self._literal_rules(value)
        else:
            self.findings.add(
                node, "default", "A default value is computed.", "Write a literal, or None."
            )

    # The walk

    def visit(self, node: ast.AST) -> None:
        """Check a node and everything in it."""
        if type(node) not in ALLOWED:
            self.findings.add(_line(node), *refusal_of(node))
            if not isinstance(node, ast.Starred | ast.GeneratorExp | ast.While):
                return
        visit = getattr(self, f"_visit_{type(node).__name__.lower()}", None)
        if visit is None:
            self._children(node)
        else:
            visit(node)

    def _children(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            self.visit(child)

    def _all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    # Statements

    def _visit_assign(self, node: ast.Assign) -> None:
        self._all(self._target(target) for target in node.targets)
        self.visit(node.value)

    def _visit_annassign(self, node: ast.AnnAssign) -> None:
        self.visit(self._target(node.target))
        self.annotation(node.annotation)
        if node.value is not None:
            self.visit(node.value)

    def _visit_augassign(self, node: ast.AugAssign) -> None:
        self.visit(self._target(node.target))
        self._operator(node, node.op)
        self.visit(node.value)

    def _target(self, node: ast.expr) -> ast.expr:
        """Check what is assigned to: names, or places in a local list or dict."""
        if isinstance(node, ast.Tuple | ast.List):
            for element in node.elts:
                self._target(element)
            return ast.Constant(None)
        if isinstance(node, ast.Name):
            self._bind(node, node.id)
            return ast.Constant(None)
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            root = _root(node.value)
            if isinstance(root, ast.Attribute):
                self._refuse_assignment(node)
            if isinstance(root, ast.Name) and root.id in self.constants:
                self._refuse_constant(node, root.id)
            return node
        if not isinstance(node, ast.Subscript):
            self._refuse_assignment(node)
            return ast.Constant(None)
        self.findings.add(node, "assignment", "A slice cannot be assigned to.", "Build a new list.")
        return ast.Constant(None)

    def _refuse_assignment(self, node: ast.AST) -> None:
        self.findings.add(
            node, "assignment", "Attributes and starred names cannot be assigned to.",
            "Rows and objects never change: use db.table.update(...) or .replace(...).",
        )  # fmt: skip

    def _bind(self, node: ast.AST, name: str) -> None:
        """Check a name that a parameter, an assignment or a loop makes."""
        if name == "_":
            return
        if name.startswith("_"):
            self.findings.add(
                node, "underscore", f"The name {name} starts with an underscore.",
                "Drop it; only helper functions, and `_` for what is not used, have one.",
            )  # fmt: skip
        taken = SUBSET_NAMES | self.words.types | self.functions | self.constants
        if name in taken:
            self.findings.add(
                node, "shadowing", f"{name} has a meaning of its own here.", "Choose another name."
            )

    def _visit_for(self, node: ast.For) -> None:
        self.visit(self._target(node.target))
        self._iterable(node.iter)
        self._refuse_growth(node)
        self._all([*node.body, *node.orelse])

    def _refuse_growth(self, node: ast.For) -> None:
        """A loop over a list that grows inside it may never end."""
        looped = _looped_names(node.iter)
        for inner in (part for statement in node.body for part in ast.walk(statement)):
            grown = _grown_name(inner)
            if grown in looped:
                self.findings.add(
                    inner, "endless-loop", f"{grown} grows while it is looped over.",
                    "Loop over a copy, list(...), or fill another list.",
                )  # fmt: skip

    def _visit_raise(self, node: ast.Raise) -> None:
        call = node.exc
        rejected = (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == "Rejected"
            and len(call.args) == 1
            and not call.keywords
            and node.cause is None
        )
        if not rejected:
            self.findings.add(
                node, "raise", "Only Rejected may be raised, with one message.",
                'Write `raise Rejected("What is wrong, and what to do.")`.',
            )  # fmt: skip
        if isinstance(call, ast.Call) and rejected:
            self._message(call.args[0])
        elif call is not None:
            self.visit(call)

    def _message(self, node: ast.expr) -> None:
        text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if not text and not isinstance(node, ast.JoinedStr | ast.BinOp | ast.IfExp):
            self.findings.add(
                node, "raise", "The message of a rejection is not written out here.",
                "Write a text or an f-string in the raise itself.",
            )  # fmt: skip
        self.visit(node)

    def _visit_expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Call):
            self.findings.add(
                node, "no-effect", "This line does nothing.", "Remove it, or use its value."
            )
        self.visit(node.value)

    # Names and attributes

    def _visit_name(self, node: ast.Name) -> None:
        name = node.id
        if name in ("db", "fake", "math"):
            self._bare_service(node, name)
        elif name in self.mutable and name not in self.scope:
            self._refuse_constant(node, name)
        elif name in self.scope or name in self.constants:
            if name == "_":
                self.findings.add(node, "underscore", "`_` is read.", "Give it a name.")
        elif name in self.callable:
            self.findings.add(
                node, "function-value", f"The function {name} is used as a value.",
                "Call it, or give it as `key=`.",
            )  # fmt: skip
        else:
            self._unknown(node, name)

    def _bare_service(self, node: ast.AST, name: str) -> None:
        uses = {
            "db": "db.<table>.<method>(...), db.now(), db.today(), or give it to a helper",
            "fake": "fake.<method>(...), or give it to a helper",
            "math": "math.<function>(...)",
        }
        self.findings.add(node, "service", f"{name} is used as a value.", f"Use {uses[name]}.")

    def _unknown(self, node: ast.AST, name: str) -> None:
        if name in TYPE_NAMES or name in self.words.types:
            self.findings.add(
                node, "type-value", f"{name} is a type and stands only in annotations.",
                "Rows are made by db.table.add(...).",
            )  # fmt: skip
            return
        rule = "underscore" if name.startswith("_") else "unknown-name"
        known = self.callable | self.constants | self.scope
        self.findings.add(node, rule, f"The name {name} is not known here.", suggest(name, known))

    def _refuse_constant(self, node: ast.AST, name: str) -> None:
        self.findings.add(
            node, "constant-use", f"The constant {name} could be changed from here.",
            f"Make it a tuple; or use {name}[...], a loop over it, or a copy of it.",
        )  # fmt: skip

    def _visit_attribute(self, node: ast.Attribute, *, called: bool = False) -> None:
        base = node.value.id if isinstance(node.value, ast.Name) else ""
        if base == "math":
            if node.attr not in MATH:
                self._no_attribute(node, "math", MATH)
            return
        if base in ("db", "fake") and base in self.scope:
            self._bare_service(node, base)
            return
        self._attribute_rules(node, called)
        constant = base in self.mutable - self.scope
        if not (constant and called and node.attr in CONSTANT_METHODS):
            self.visit(node.value)

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
            if name not in ALWAYS_ATTRIBUTES - PROPERTIES | {"items"}:
                self._refuse_attribute(node)
        elif columns is not None and name not in columns | PROPERTIES:
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

    def _called_name(self, node: ast.Call, function: ast.Name) -> None:
        name = function.id
        if name in self.scope or name in self.constants:
            self.findings.add(
                function, "call", f"{name} is a value, not a function.", "Call functions only."
            )
        elif name not in self.callable:
            self._unknown(function, name)
        elif name == "Decimal":
            self._decimal(node)

    def _decimal(self, node: ast.Call) -> None:
        for argument in node.args:
            text = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            value = argument.value if isinstance(argument, ast.Constant) else ""
            if text and not MOST_DECIMALS.fullmatch(str(value)):
                self.findings.add(
                    argument, "literal", f"Decimal({value!r}) is no plain number.",
                    'Write it as Decimal("12.50").',
                )  # fmt: skip

    def _called_attribute(self, node: ast.Call, function: ast.Attribute) -> None:
        base = function.value
        if isinstance(base, ast.Name) and base.id in CLASS_METHODS and base.id not in self.scope:
            if function.attr not in CLASS_METHODS[base.id]:
                self._no_attribute(function, base.id, CLASS_METHODS[base.id])
        elif isinstance(base, ast.Name) and base.id == "db" and "db" in self.scope:
            if function.attr not in ("now", "today"):
                self._no_attribute(function, "db", ("now", "today"))
        elif isinstance(base, ast.Name) and base.id == "fake" and self.fake:
            if function.attr not in FAKE_METHODS:
                self._no_attribute(function, "fake", FAKE_METHODS)
        elif _is_table(base) and isinstance(base, ast.Attribute) and "db" in self.scope:
            self._table_call(function, base)
        else:
            self._visit_attribute(function, called=True)
            self._strftime(node, function)
            self._refuse_mutation(function)

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

    def _strftime(self, node: ast.Call, function: ast.Attribute) -> None:
        if function.attr != "strftime":
            return
        for argument in node.args:
            value = argument.value if isinstance(argument, ast.Constant) else None
            if not isinstance(value, str) or not DATE_FORMAT.fullmatch(value):
                self._refuse_format(argument)

    def _argument(self, node: ast.Call, argument: ast.expr, *, first: bool) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if isinstance(argument, ast.Starred):
            self.findings.add(argument, *refusal_of(argument))
            self.visit(argument.value)
        elif isinstance(argument, ast.GeneratorExp):
            self._generator(node, argument)
        elif isinstance(argument, ast.Name) and argument.id in ("db", "fake"):
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

    def _pass_service(self, node: ast.Call, argument: ast.Name) -> None:
        helper = isinstance(node.func, ast.Name) and node.func.id in self.functions
        if not helper or argument.id not in self.scope:
            self._bare_service(argument, argument.id)

    def _generator(self, node: ast.Call, argument: ast.GeneratorExp) -> None:
        function = node.func
        plain = isinstance(function, ast.Name) and function.id in COPIERS | {"set", "dict"}
        joins = isinstance(function, ast.Attribute) and function.attr in (
            "join", "extend", "update", "union", "difference", "intersection", "issubset",
            "issuperset", "isdisjoint",
        )  # fmt: skip
        if not plain and not joins:
            self.findings.add(argument, *refusal_of(argument))
        self._comprehension(argument)

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
        elif isinstance(value, ast.Name) and value.id in ("db", "fake"):
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
        arguments = value.args
        if len(_all_arguments(arguments)) != 1 or arguments.defaults or arguments.vararg:
            self.findings.add(
                value, "lambda", "A key has exactly one parameter.", "Write `key=lambda x: ...`."
            )
        self._inside(
            [argument.arg for argument in _all_arguments(arguments)], arguments, [value.body]
        )

    def _inside(self, names: list[str], where: ast.AST, parts: list[ast.expr]) -> None:
        outer, self.scope = self.scope, self.scope | set(names)
        for name in names:
            self._bind(parts[0] if parts else where, name)
        self._all(parts)
        self.scope = outer

    # Comprehensions

    def _visit_listcomp(self, node: ast.ListComp) -> None:
        self._comprehension(node)

    def _visit_setcomp(self, node: ast.SetComp) -> None:
        self._comprehension(node)

    def _visit_dictcomp(self, node: ast.DictComp) -> None:
        self._comprehension(node)

    def _visit_generatorexp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node)

    def _comprehension(self, node: COMPREHENSIONS) -> None:
        outer = self.scope
        for generator in node.generators:
            if generator.is_async:
                self.findings.add(node, "async", "Asynchronous code is not allowed.", "Drop it.")
            self._iterable(generator.iter)
            self.scope = self.scope | set(_target_names(generator.target))
            self._target(generator.target)
            self._all(generator.ifs)
        if isinstance(node, ast.DictComp):
            self._all([node.key, node.value])
        else:
            self.visit(node.elt)
        self.scope = outer

    def _iterable(self, node: ast.expr) -> None:
        if not (isinstance(node, ast.Name) and node.id in self.mutable - self.scope):
            self.visit(node)

    # Values

    def _visit_subscript(self, node: ast.Subscript) -> None:
        self._iterable(node.value)
        self.visit(node.slice)

    def _visit_compare(self, node: ast.Compare) -> None:
        for part in [node.left, *node.comparators]:
            self._iterable(part)
        self._all(node.ops)

    def _visit_list(self, node: ast.List) -> None:
        self._elements(node.elts)

    def _visit_tuple(self, node: ast.Tuple) -> None:
        self._elements(node.elts)

    def _visit_set(self, node: ast.Set) -> None:
        self._elements(node.elts)

    def _elements(self, nodes: list[ast.expr]) -> None:
        for node in nodes:
            if isinstance(node, ast.Starred):
                self._iterable(node.value)
            else:
                self.visit(node)

    def _visit_dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                self._iterable(value)
            else:
                self._all([key, value])

    def _visit_binop(self, node: ast.BinOp) -> None:
        self._operator(node, node.op)
        for part in (node.left, node.right):
            if isinstance(node.op, ast.Add):
                self._iterable(part)
            else:
                self.visit(part)
        self._repeat(node)

    def _repeat(self, node: ast.BinOp) -> None:
        """Repeating a text or list can fill the memory; ``%`` on a text formats."""
        sides = (node.left, node.right) if isinstance(node.op, ast.Mult) else (node.left,)
        if isinstance(node.op, ast.Mult | ast.Mod) and any(_is_sequence(side) for side in sides):
            self.findings.add(
                node, "text-arithmetic", "A text or list is repeated or formatted by an operator.",
                "Use an f-string, or a comprehension.",
            )  # fmt: skip

    def _operator(self, node: ast.AST, op: ast.operator) -> None:
        if type(op) not in ALLOWED:
            self.findings.add(node, *refusal_of(op))

    def _visit_constant(self, node: ast.Constant) -> None:
        self._literal_rules(node)

    def _literal_rules(self, node: ast.expr) -> None:
        if not isinstance(node, ast.Constant):
            return
        value = node.value
        message = ""
        if isinstance(value, str):
            message = "The text is too long." if len(value) > MOST_TEXT else ""
        elif isinstance(value, float):
            message = "" if math.isfinite(value) else "The number is too large."
        elif isinstance(value, int):
            message = "The number is too large." if abs(value) > LARGEST_INTEGER else ""
        elif value is not None:
            message = f"A {type(value).__name__} is not allowed."
        if message:
            self.findings.add(node, "literal", message, "Use a plain text, number or None.")

    def _visit_joinedstr(self, node: ast.JoinedStr) -> None:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)
                self._format(part)
            else:
                self.visit(part)

    def _format(self, node: ast.FormattedValue) -> None:
        spec = node.format_spec
        if spec is None:
            return
        parts = spec.values if isinstance(spec, ast.JoinedStr) else [spec]
        text = "".join(str(p.value) if isinstance(p, ast.Constant) else "{" for p in parts)
        if not NUMBER_FORMAT.fullmatch(text) and not DATE_FORMAT.fullmatch(text):
            self._refuse_format(node)
        elif DATE_FORMAT.fullmatch(text) and not NUMBER_FORMAT.fullmatch(text) and "%" not in text:
            self._refuse_format(node)

    def _refuse_format(self, node: ast.AST) -> None:
        self.findings.add(
            node, "format", "The format is not a plain one.",
            "Use one such as {n:05d}, {x:.2f} or {day:%d.%m.%Y}, with no holes in it.",
        )  # fmt: skip


def _line(node: ast.AST) -> ast.AST | int:
    return node if hasattr(node, "lineno") else 0


def _all_arguments(arguments: ast.arguments) -> list[ast.arg]:
    extra = [found for found in (arguments.vararg, arguments.kwarg) if found is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra]


def _target_names(target: ast.expr) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def _bound_names(body: list[ast.stmt]) -> Iterable[str]:
    """Return the names statements bind, those of comprehensions and lambdas left out."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        if not isinstance(node, COMPREHENSIONS | ast.Lambda | ast.FunctionDef | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(node))


def _root(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def _is_table(node: ast.expr) -> bool:
    base = node.value if isinstance(node, ast.Attribute) else None
    return isinstance(base, ast.Name) and base.id == "db"


def _is_sequence(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    return isinstance(node, ast.List | ast.Tuple | ast.JoinedStr | ast.ListComp)


def _looped_names(node: ast.expr) -> set[str]:
    """Return the names a loop reads from as it goes; copies are left out."""
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in ("enumerate", "reversed", "zip"):
            return {name for argument in node.args for name in _looped_names(argument)}
        if isinstance(node.func, ast.Attribute):
            return _looped_names(node.func.value)
    return set()


def _grown_name(node: ast.AST) -> str:
    """Return the name a node adds to in place, or nothing."""
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        return node.target.id
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        grows = node.func.attr in ("append", "extend", "insert", "add", "update", "setdefault")
        if grows and isinstance(node.func.value, ast.Name):
            return node.func.value.id
    return ""
