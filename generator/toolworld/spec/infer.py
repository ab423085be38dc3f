"""Light type inference over tool code, seed code and invariants.

It finds tables, columns, fields and enum values that the domain does not have, calls that must
fail, and, on the way, the facts effects are made of. Nothing is run. Each function is walked
twice: the first walk learns the shapes of its names, the second reports.
"""

from __future__ import annotations

import ast

from toolworld.spec.annotations import read_annotation
from toolworld.spec.expressions import Expressions
from toolworld.spec.facts import FunctionFacts
from toolworld.spec.findings import FileFindings
from toolworld.spec.growth import check_growth
from toolworld.spec.model import DomainFile, snake
from toolworld.spec.shapes import ANY, DATABASE, Shape, join
from toolworld.spec.signatures import Signature
from toolworld.spec.source import Source
from toolworld.spec.tree_walk import walk
from toolworld.spec.world import ModuleNames


def infer_module(
    source: Source, domain: DomainFile, signatures: list[Signature], findings: FileFindings
) -> dict[str, FunctionFacts]:
    """Check every function of a module; return the facts about each."""
    world = ModuleNames(domain, {signature.name: signature for signature in signatures})
    world.constants = _constants(source, world, findings)
    facts = {}
    for signature in signatures:
        function = FunctionWalk(signature, world, findings)
        facts[signature.name] = function.run()
        check_growth([signature.node], function.latest, findings)
    return facts


def infer_rule(rule: ast.expr, entity: str, domain: DomainFile, findings: FileFindings) -> None:
    """Check an invariant's rule against the domain."""
    world = ModuleNames(domain, writable=False)
    names = {snake(entity): Shape("row", of=entity), "db": DATABASE}
    shape = Expressions(world, findings, names).shape(rule)
    if shape.name not in ("boolean", "any"):
        findings.add(
            rule, "no-condition", f"The rule gives {shape}, which is neither true nor false.",
            "Compare it with something, as in row.column > 0.",
        )  # fmt: skip


def _constants(source: Source, world: ModuleNames, findings: FileFindings) -> dict[str, Shape]:
    shapes: dict[str, Shape] = {}
    for node in source.tree.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Name):
            shape = Expressions(world, findings, dict(shapes)).shape(node.value)
            declared = None
            if isinstance(node, ast.AnnAssign):
                declared = read_annotation(node.annotation, world.domain)
                if declared is None:
                    _refuse_annotation(node.annotation, findings)
            shapes[target.id] = declared or shape
    return shapes


class FunctionWalk(Expressions):
    """One function: its statements in order, its names with all they are ever given."""

    def __init__(self, signature: Signature, world: ModuleNames, findings: FileFindings) -> None:
        """Start from the signature."""
        super().__init__(world, findings, {slot.name: slot.shape for slot in signature.slots})
        self.signature = signature
        self.parameters -= _assigned(signature.node)

    def run(self) -> FunctionFacts:
        """Walk the body, first to learn and then to report."""
        findings, self.findings = self.findings, FileFindings(self.findings.file)
        self._block(self.signature.node.body)
        self.findings = findings
        self.fresh_facts()
        self._block(self.signature.node.body)
        self._check_end()
        return self.facts

    def _block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign):
            self._assign(node)
        elif isinstance(node, ast.AnnAssign):
            self._declare(node)
        elif isinstance(node, ast.AugAssign):
            self._augment(node)
        elif isinstance(node, ast.For):
            source = self.shape(node.iter)
            self.refuse_set(node.iter, source)
            self.bind(node.target, source.element)
            self._block([*node.body, *node.orelse])
        elif isinstance(node, ast.If):
            self.shape(node.test)
            self._block([*node.body, *node.orelse])
        elif isinstance(node, ast.Return):
            self._return(node)
        elif isinstance(node, ast.Raise) and node.exc is not None:
            self.shape(node.exc)
        elif isinstance(node, ast.Expr):
            self.shape(node.value)

    def _assign(self, node: ast.Assign) -> None:
        shape = self.shape(node.value)
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                self._put(target, shape)
            self.bind(target, shape)

    def _declare(self, node: ast.AnnAssign) -> None:
        declared = read_annotation(node.annotation, self.world.domain)
        if declared is None:
            _refuse_annotation(node.annotation, self.findings)
            return
        if node.value is not None:
            self.fit(node.value, self.shape(node.value), declared, "this name")
        self.bind(node.target, declared)

    def _augment(self, node: ast.AugAssign) -> None:
        left = ANY if isinstance(node.target, ast.Attribute) else self.shape(node.target)
        right = self.shape(node.value)
        result = self.operate(node, node.op, left, right)
        if isinstance(node.target, ast.Name):
            self.bind(node.target, result)

    def _return(self, node: ast.Return) -> None:
        wanted = self.signature.result
        if node.value is None:
            return
        given = self.shape(node.value)
        if wanted.name != "none":
            self.fit(node.value, given, wanted, f"the result of {self.signature.name}")
        if given.name == "none" and not wanted.null and wanted.name in ("row", "object", "page"):
            self.findings.add(
                node, "wrong-type", f"None is returned where {wanted} is promised.",
                "Raise Rejected, or find the row with get().",
            )  # fmt: skip

    def _check_end(self) -> None:
        wanted = self.signature.result
        if wanted.name in ("any", "none") or wanted.null or _leaves(self.signature.node.body):
            return
        self.findings.add(
            self.signature.node.body[-1], "no-result",
            f"{self.signature.name} can end without returning {wanted}.",
            "Return or raise on every path.",
        )  # fmt: skip

    def _put(self, target: ast.Subscript, value: Shape) -> None:
        """Give a dict that starts empty the shape of its first entries."""
        owner = self.shape(target.value)
        key = self.shape(target.slice)
        if isinstance(target.value, ast.Name) and owner.name == "dict" and not owner.items:
            self.names[target.value.id] = Shape("dict", items=(key, value))

    def _learn(self, function: ast.Attribute, owner: Shape, given: list[Shape]) -> None:
        base = function.value
        if not isinstance(base, ast.Name) or owner.items or not given:
            return
        if function.attr in ("append", "add"):
            self.names[base.id] = Shape(owner.name, items=(given[-1],))
        elif function.attr in ("extend", "update") and owner.name != "dict":
            self.names[base.id] = Shape(owner.name, items=(given[-1].element,))

    def bind(self, target: ast.expr, shape: Shape) -> None:
        """Bind a name to everything it is ever given; rows of two entities are refused."""
        if not isinstance(target, ast.Name) or target.id not in self.names:
            super().bind(target, shape)
            return
        known = self.names[target.id]
        records = {known.name, shape.name} <= {"row", "object"}
        if records and (known.name, known.of) != (shape.name, shape.of):
            self.findings.add(
                target, "name-changes-type",
                f"{target.id} is {known} before and {shape} here.", "Give the second its own name.",
            )  # fmt: skip
            return
        self.names[target.id] = join(known, shape)


def _refuse_annotation(node: ast.expr, findings: FileFindings) -> None:
    findings.add(
        node, "unknown-type", f"The type {ast.unparse(node)} is not known here.",
        "Leave it out, or use a type of the subset.",
    )  # fmt: skip


def _assigned(node: ast.FunctionDef) -> frozenset[str]:
    """Return the names a function assigns to."""
    names = (inner for inner in walk(node) if isinstance(inner, ast.Name))
    return frozenset(name.id for name in names if isinstance(name.ctx, ast.Store))


def _leaves(body: list[ast.stmt]) -> bool:
    """Return whether a block surely ends in a return or raise."""
    last = body[-1] if body else None
    if isinstance(last, ast.Return | ast.Raise):
        return True
    return isinstance(last, ast.If) and _leaves(last.body) and _leaves(last.orelse)
