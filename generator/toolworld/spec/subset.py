"""The restricted Python of tools, seeds and invariants, checked on the syntax tree.

The text may be hostile. Nothing is run here, and what passes can reach nothing but its
arguments, the tables, the functions of its own module and a closed list of names, methods and
attributes. Every refusal names the line, the rule and the mend.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace

from toolworld.spec.callorder import recursive
from toolworld.spec.constants import Values
from toolworld.spec.dialect import TOOLS, Dialect
from toolworld.spec.findings import FileFindings
from toolworld.spec.growth import check_growth
from toolworld.spec.loops import check_loops
from toolworld.spec.model import DomainFile, snake
from toolworld.spec.nodes import NodeCheck
from toolworld.spec.rules import CONSTANT_CALLS, SUBSET_NAMES, refusal_of
from toolworld.spec.shapes import ANY
from toolworld.spec.source import Source
from toolworld.spec.tree_walk import children, walk

FUNCTION = re.compile(r"_?[a-z][a-z0-9_]{0,60}")
CONSTANT = re.compile(r"[A-Z][A-Z0-9_]{0,60}")


@dataclass(frozen=True)
class Vocabulary:
    """The names that a domain adds to those of every domain.

    Attributes:
        tables: The domain's tables.
        columns: The columns and fields of the domain; None when it is unknown.
        objects: The domain's objects, callable by name.
        types: All type names of the domain.
    """

    tables: frozenset[str] | None = None
    columns: frozenset[str] | None = None
    objects: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()

    @classmethod
    def of(cls, domain: DomainFile | None) -> Vocabulary:
        """Return the vocabulary of a domain; without one, names of its own are not checked."""
        if domain is None:
            return cls()
        entities, objects = domain.entities, domain.objects
        columns = {name for entity in entities.values() for name in entity.columns}
        fields = {name for found in objects.values() for name in found.fields}
        ids = {f"{name}Id" for name in entities}
        return cls(
            tables=frozenset(entity.table for entity in entities.values()),
            columns=frozenset(columns | fields),
            objects=frozenset(objects),
            types=frozenset({*entities, *objects, *domain.enums, *ids}),
        )

    def with_names(self, names: frozenset[str]) -> Vocabulary:
        """Return a vocabulary that may read more attributes than columns and fields."""
        return self if self.columns is None else replace(self, columns=self.columns | names)


def check_module(
    source: Source, vocabulary: Vocabulary, findings: FileFindings, dialect: Dialect = TOOLS
) -> None:
    """Check a module of the subset by the rules for its kind."""
    ModuleCheck(source, vocabulary, findings, dialect).check()


def check_rule(rule: ast.expr, entity: str, vocabulary: Vocabulary, findings: FileFindings) -> None:
    """Check an invariant's expression: it sees its row and ``db``, and no module."""
    check = NodeCheck(vocabulary, findings, frozenset(), frozenset(), frozenset(), TOOLS)
    check.expression_of({snake(entity), "db"}, rule)
    Values(findings).value(rule)
    if not any(isinstance(node, ast.Name) and node.id in check.scope for node in walk(rule)):
        findings.add(
            rule, "constant-rule", "The rule reads neither its row nor the database.",
            f"Say what is so of every row, as in {snake(entity)}.column > 0.",
        )  # fmt: skip


class ModuleCheck:
    """The top level of a module: constants, function headers, the call graph."""

    def __init__(
        self, source: Source, vocabulary: Vocabulary, findings: FileFindings, dialect: Dialect
    ) -> None:
        """Collect the names the module defines."""
        self.source = source
        self.vocabulary = vocabulary
        self.findings = findings
        self.dialect = dialect
        self.functions = frozenset(node.name for node in source.functions)
        self.constants: dict[str, ast.expr] = {}
        self.values = Values(findings)

    def check(self) -> None:
        """Check everything in the module."""
        defined: set[str] = set()
        for number, node in enumerate(self.source.tree.body):
            if isinstance(node, ast.FunctionDef):
                self._name(node, node.name, FUNCTION, defined)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                self._constant(node, defined)
            elif not (number == 0 and _is_text(node)):
                self._refuse_top(node)
        for function in self.source.functions:
            self._function(function)
            self.values.value(function)
        self._refuse_recursion()
        check_loops(self.source.functions, self.findings)
        check_growth(self.source.functions, lambda _: ANY, self.findings)

    def _refuse_top(self, node: ast.stmt) -> None:
        refusal = refusal_of(node)
        if refusal.rule == "syntax":
            self.findings.add(
                node, "top-level", "Only functions and constants stand at the top level.",
                "Move this into a function.",
            )  # fmt: skip
        else:
            self.findings.add(node, *refusal)

    def _name(self, node: ast.stmt, name: str, pattern: re.Pattern[str], defined: set[str]) -> None:
        if not pattern.fullmatch(name):
            self.findings.add(
                node, "name", f"The name {name} is not allowed.",
                "Tools are named like_this, helpers _like_this, constants LIKE_THIS.",
            )  # fmt: skip
        if name in defined:
            self.findings.add(
                node, "duplicate-name", f"{name} is defined twice.", "Rename one of them."
            )
        if name in SUBSET_NAMES or name in self.vocabulary.types:
            self.findings.add(
                node, "shadowing", f"{name} has a meaning of its own here.", "Choose another name."
            )
        defined.add(name)

    # Constants

    def _constant(self, node: ast.Assign | ast.AnnAssign, defined: set[str]) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        target = targets[0]
        if len(targets) != 1 or not isinstance(target, ast.Name) or node.value is None:
            self.findings.add(
                node, "top-level", "A constant has one name and one value.",
                "Write `NAME = value`.",
            )  # fmt: skip
            return
        self._name(node, target.id, CONSTANT, defined)
        check = NodeCheck(
            self.vocabulary, self.findings, self.functions, frozenset(self.constants),
            frozenset(), TOOLS,
        )  # fmt: skip
        if isinstance(node, ast.AnnAssign):
            check.annotation(node.annotation)
        if self._is_constant(node.value, outermost=True):
            check.expression_of(set(), node.value)
            self.constants[target.id] = node.value
            self.values.define(target.id, node.value)

    def _is_constant(self, node: ast.expr, *, outermost: bool) -> bool:
        """Check a constant's value, part by part; nested lists are allowed in a seed only."""
        if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict):
            if (
                not isinstance(node, ast.Tuple)
                and not outermost
                and not self.dialect.nested_constants
            ):
                return self._refuse_value(node, "A list or dict stands inside a constant.")
            parts = [part for part in children(node) if isinstance(part, ast.expr)]
            return all([self._is_constant(part, outermost=False) for part in parts])
        if isinstance(node, ast.Name):
            return self._is_known_constant(node, outermost)
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.UnaryOp | ast.BinOp):
            parts = [part for part in children(node) if isinstance(part, ast.expr)]
            return all([self._is_constant(part, outermost=False) for part in parts])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in CONSTANT_CALLS:
                parts = [*node.args, *(word.value for word in node.keywords)]
                return all([self._is_constant(part, outermost=False) for part in parts])
        return self._refuse_value(node, "The value of a constant is computed.")

    def _is_known_constant(self, node: ast.Name, outermost: bool) -> bool:
        value = self.constants.get(node.id)
        if value is None:
            return self._refuse_value(node, f"{node.id} is no constant defined above.")
        if is_mutable(value) and (outermost or not self.dialect.nested_constants):
            return self._refuse_value(node, f"{node.id} is a list or dict with two names.")
        return True

    def _refuse_value(self, node: ast.expr, message: str) -> bool:
        self.findings.add(
            node, "constant", message,
            "Use numbers, texts, Decimal(...), tuples of these, or one list or dict of these.",
        )  # fmt: skip
        return False

    # Functions

    def _function(self, node: ast.FunctionDef) -> None:
        for decorator in node.decorator_list:
            self.findings.add(
                decorator, "decorator", "Decorators are not allowed.", "Leave it out."
            )
        arguments = node.args
        extra = [arguments.vararg, arguments.kwarg, *arguments.posonlyargs, *arguments.kwonlyargs]
        if any(extra) or getattr(node, "type_params", None):
            self.findings.add(
                node, "star-arguments", f"{node.name} has `*`, `**`, `/` or type parameters.",
                "Use plain parameters, each with its name and type.",
            )  # fmt: skip
        mutable = frozenset(n for n, value in self.constants.items() if is_mutable(value))
        check = NodeCheck(
            self.vocabulary, self.findings, self.functions, frozenset(self.constants), mutable,
            self.dialect,
        )  # fmt: skip
        check.header(node)
        check.body(node)

    def _refuse_recursion(self) -> None:
        calls = {node.name: _called(node, self.functions) for node in self.source.functions}
        circles = recursive({name: [call.id for call in found] for name, found in calls.items()})
        for node in self.source.functions:
            for call in calls[node.name] if node.name in circles else ():
                if circles.get(call.id) == circles[node.name]:
                    self.findings.add(
                        call, "recursion", f"{node.name} comes back to itself through {call.id}.",
                        "Use a loop, or split the function.",
                    )  # fmt: skip


def is_mutable(value: ast.expr) -> bool:
    """Return whether a constant's value could be changed in place."""
    return isinstance(value, ast.List | ast.Set | ast.Dict) or (
        isinstance(value, ast.Tuple) and any(is_mutable(part) for part in value.elts)
    )


def _called(node: ast.FunctionDef, functions: frozenset[str]) -> list[ast.Name]:
    names = (inner for inner in walk(node) if isinstance(inner, ast.Name))
    return [name for name in names if name.id in functions]


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
