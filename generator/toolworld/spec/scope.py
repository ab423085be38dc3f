"""The names that code of the subset may use and bind."""

from __future__ import annotations

import ast
from typing import Protocol

from toolworld.spec.dialect import Dialect
from toolworld.spec.findings import FileFindings, suggest
from toolworld.spec.rules import CALLABLE, SUBSET_NAMES, TYPE_NAMES


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


class Scope:
    """The names in scope; a name that is unknown, shadowed or misused is a finding."""

    def __init__(
        self,
        words: Words,
        findings: FileFindings,
        functions: frozenset[str],
        constants: frozenset[str],
        mutable: frozenset[str],
        dialect: Dialect,
    ) -> None:
        """Take the module's functions and constants; some constants are lists or dicts.

        Args:
            words: What the domain adds.
            findings: Where problems go.
            functions: The functions of the module.
            constants: Its constants.
            mutable: Those that are lists or dicts.
            dialect: What its kind of module may use.
        """
        self.words = words
        self.findings = findings
        self.functions = functions
        self.constants = constants
        self.mutable = mutable
        self.dialect = dialect
        self.services = frozenset({"db", "fake", *dialect.services})
        self.scope: set[str] = set()
        self.line = 0
        """Where the walk is, for the parts of syntax that have no line of their own."""
        self.callable = CALLABLE | words.objects | functions | dialect.functions

    def _bind(self, node: ast.AST, name: str) -> None:
        """Check a name that a parameter, an assignment or a loop makes."""
        if name == "_":
            return
        if name.startswith("_"):
            self.findings.add(
                node, "underscore", f"The name {name} starts with an underscore.",
                "Drop it; only helper functions, and `_` for what is not used, have one.",
            )  # fmt: skip
        taken = (
            SUBSET_NAMES
            | self.services
            | self.dialect.functions
            | self.words.types
            | self.functions
            | self.constants
        )
        if name in taken:
            self.findings.add(
                node, "shadowing", f"{name} has a meaning of its own here.", "Choose another name."
            )

    def _visit_name(self, node: ast.Name) -> None:
        name = node.id
        if name == "math" or name in self.services:
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
        use = uses.get(name, f"{name}.<method>(...), or give it to a helper")
        self.findings.add(node, "service", f"{name} is used as a value.", f"Use {use}.")

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

    def _pass_service(self, node: ast.Call, argument: ast.Name) -> None:
        helper = isinstance(node.func, ast.Name) and node.func.id in self.functions
        if not helper or argument.id not in self.scope:
            self._bare_service(argument, argument.id)
