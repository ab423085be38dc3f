"""The subset's walk over everything inside a function, a constant or an invariant."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from toolworld.spec.access import Access, Comprehension
from toolworld.spec.literals import check_format, check_literal
from toolworld.spec.rules import ALLOWED, refusal_of
from toolworld.spec.tree_walk import children, walk

CODE = re.compile(r"[a-z][a-z0-9_]{2,59}")
VALUE_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


class NodeCheck(Access):
    """Walks code with the names in scope; every refusal is a finding."""

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
        for part in walk(node):
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
        services = self.dialect.types
        kind = argument.annotation.id if isinstance(argument.annotation, ast.Name) else ""
        reserved = {"Database", "Fake", *services.values()}
        if services.get(argument.arg, "") != (kind if kind in reserved else ""):
            listed = ", ".join(f"`{name}: {kind}`" for name, kind in services.items())
            self.findings.add(
                argument, "service", f"The parameter {argument.arg} has the wrong name or type.",
                f"Here there are {listed}." if len(services) > 1 else f"The database is {listed}.",
            )  # fmt: skip
        elif argument.arg not in services:
            self._bind(argument, argument.arg)

    def _default(self, node: ast.expr) -> None:
        value = node.operand if isinstance(node, ast.UnaryOp) else node
        if isinstance(value, ast.Constant):
            check_literal(value, self.findings)
        else:
            self.findings.add(
                node, "default", "A default value is computed.", "Write a literal, or None."
            )

    # The walk

    def visit(self, node: ast.AST) -> None:
        """Check a node and everything in it."""
        self.line = getattr(node, "lineno", self.line)
        if type(node) not in ALLOWED:
            self.findings.add(node if hasattr(node, "lineno") else self.line, *refusal_of(node))
            if not isinstance(node, ast.Starred | ast.GeneratorExp | ast.While):
                return
        visit = getattr(self, f"_visit_{type(node).__name__.lower()}", None)
        if visit is None:
            self._children(node)
        else:
            visit(node)

    def _children(self, node: ast.AST) -> None:
        for child in children(node):
            self.visit(child)

    def _all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    # Statements

    def _visit_assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._target(target)
        self.visit(node.value)

    def _visit_annassign(self, node: ast.AnnAssign) -> None:
        self._target(node.target)
        self.annotation(node.annotation)
        if node.value is not None:
            self.visit(node.value)

    def _visit_augassign(self, node: ast.AugAssign) -> None:
        self._target(node.target)
        self._operator(node, node.op)
        self.visit(node.value)
        self._repeat(node, node.op, node.target, node.value)

    def _target(self, node: ast.expr) -> None:
        """Check the targets of assignments: names, or a place in a local list or dict."""
        if not isinstance(node, ast.Subscript):
            self._names(node)
            return
        root = _root(node.value)
        if isinstance(root, ast.Attribute):
            self._refuse_assignment(node)
        elif isinstance(root, ast.Name) and root.id in self.constants:
            self._refuse_constant(node, root.id)
        elif isinstance(node.slice, ast.Slice):
            self.findings.add(
                node, "assignment", "A slice cannot be assigned to.", "Build a new list."
            )
        self.visit(node)

    def _names(self, node: ast.expr) -> None:
        """Check a target made of names only."""
        if isinstance(node, ast.Name):
            self._bind(node, node.id)
        elif isinstance(node, ast.Tuple | ast.List):
            for element in node.elts:
                self._names(element)
        else:
            self._refuse_assignment(node)

    def _refuse_assignment(self, node: ast.AST) -> None:
        self.findings.add(
            node, "assignment", "Attributes and starred names cannot be assigned to.",
            "Rows and objects never change: use db.table.update(...) or .replace(...).",
        )  # fmt: skip

    def _visit_for(self, node: ast.For) -> None:
        self._names(node.target)
        self._iterable(node.iter)
        self._all([*node.body, *node.orelse])

    def _visit_raise(self, node: ast.Raise) -> None:
        if not self.dialect.rejects:
            self.findings.add(
                node, "raise", "Nothing is rejected here: only tools and seeds reject.",
                "Return what is so.",
            )  # fmt: skip
            return
        call = node.exc
        rejection = (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == "Rejected"
            and len(call.args) in (1, 2)
            and node.cause is None
        )
        if not rejection:
            self.findings.add(
                node, "raise", "Only Rejected may be raised, with a message or a code and one.",
                'Write `raise Rejected("some_code", "What is wrong, and what to do.")`.',
            )  # fmt: skip
        if isinstance(call, ast.Call) and rejection:
            self._rejection(call)
        elif call is not None:
            self.visit(call)

    def _rejection(self, call: ast.Call) -> None:
        """Check a message, or a code, a message and named values."""
        if len(call.args) == 2:
            self._code(call.args[0])
        elif call.keywords:
            self.findings.add(
                call, "rejection-code", "The rejection has values but no code.",
                'Write `Rejected("some_code", "What is wrong, and what to do.", day=...)`.',
            )  # fmt: skip
        self._message(call.args[-1])
        for word in call.keywords:
            self._keyword(call, word)
            if word.arg is not None and not VALUE_NAME.fullmatch(word.arg.lstrip("_")):
                self.findings.add(
                    word.value, "rejection-value", f"A value cannot be called {word.arg}.",
                    "Use up to 40 lower-case letters, digits and _, a letter first.",
                )  # fmt: skip

    def _code(self, node: ast.expr) -> None:
        code = node.value if isinstance(node, ast.Constant) else None
        if not isinstance(code, str) or not CODE.fullmatch(code):
            self.findings.add(
                node, "rejection-code", "The code of a rejection is no plain name.",
                'Write it out in lower-case letters, digits and _, such as "window_over".',
            )  # fmt: skip

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

    # Comprehensions

    def _visit_listcomp(self, node: ast.ListComp) -> None:
        self.visit_comprehension(node)

    def _visit_setcomp(self, node: ast.SetComp) -> None:
        self.visit_comprehension(node)

    def _visit_dictcomp(self, node: ast.DictComp) -> None:
        self.visit_comprehension(node)

    def _visit_generatorexp(self, node: ast.GeneratorExp) -> None:
        self.visit_comprehension(node)

    def visit_comprehension(self, node: Comprehension) -> None:
        """Check a comprehension or generator, its names in scope inside it only."""
        outer = self.scope
        for generator in node.generators:
            if generator.is_async:
                self.findings.add(node, "async", "Asynchronous code is not allowed.", "Drop it.")
            self._iterable(generator.iter)
            self.scope = self.scope | set(_target_names(generator.target))
            self._names(generator.target)
            self._all(generator.ifs)
        if isinstance(node, ast.DictComp):
            self._all([node.key, node.value])
        else:
            self.visit(node.elt)
        self.scope = outer

    # Values

    def _iterable(self, node: ast.expr) -> None:
        if not (isinstance(node, ast.Name) and node.id in self.mutable - self.scope):
            self.visit(node)

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
        self._repeat(node, node.op, node.left, node.right)

    def _repeat(self, node: ast.AST, op: ast.operator, left: ast.expr, right: ast.expr) -> None:
        """Repeating a text or list can fill the memory; ``%`` on a text formats."""
        sides = (left, right) if isinstance(op, ast.Mult) else (left,)
        if isinstance(op, ast.Mult | ast.Mod) and any(_is_sequence(side) for side in sides):
            self.findings.add(
                node, "text-arithmetic", "A text or list is repeated or formatted by an operator.",
                "Use an f-string, or a comprehension.",
            )  # fmt: skip

    def _operator(self, node: ast.AST, op: ast.operator) -> None:
        if type(op) not in ALLOWED:
            self.findings.add(node, *refusal_of(op))

    def _visit_constant(self, node: ast.Constant) -> None:
        check_literal(node, self.findings)

    def _visit_joinedstr(self, node: ast.JoinedStr) -> None:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)
                check_format(part, self.findings)
            else:
                self.visit(part)


def _all_arguments(arguments: ast.arguments) -> list[ast.arg]:
    extra = [found for found in (arguments.vararg, arguments.kwarg) if found is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra]


def _target_names(target: ast.expr) -> list[str]:
    return [node.id for node in walk(target) if isinstance(node, ast.Name)]


def _bound_names(body: list[ast.stmt]) -> Iterable[str]:
    """Return the names that statements bind, except those inside comprehensions and lambdas."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        if not isinstance(node, Comprehension | ast.Lambda | ast.FunctionDef | ast.ClassDef):
            waiting.extend(children(node))


def _root(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def _is_sequence(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    return isinstance(node, ast.List | ast.Tuple | ast.JoinedStr | ast.ListComp)
