"""Checks the Jinja in texts such as ``{{ order.placed_at | day }}`` against an allow-list.

A model writes them, so every node of a template is on a list here, with the types that it fits;
anything else is a problem. What passes cannot fail for its types, and cannot make more than the
values allow: only lists of the data are looped over, a loop inside another takes a list of the
other's item, and of all filters ``replace`` alone makes a text longer, once in a hole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from jinja2 import TemplateSyntaxError, nodes
from jinja2.sandbox import SandboxedEnvironment

from toolworld.spec.findings import suggest
from toolworld.spec.shapes import (
    ANY,
    BOOLEAN,
    INTEGER,
    NONE,
    NUMBER,
    Shape,
    accepts,
    family,
    join,
)
from toolworld.spec.template_filters import ORDERED, SAYABLE, TemplateFilter, kinds

DEEPEST = 16
"""How deep the parts of a template may nest: Python's own compiler has a bound, too."""
MOST_LOOPS = 2
"""How many loops may stand inside one another."""
MOST_WRITTEN = 300
"""The longest text inside a hole."""
LARGEST = 10**12
TARGET = re.compile(r"[a-z][a-z0-9_]{0,39}")
RESERVED = {"loop", "self", "super", "caller", "varargs", "kwargs"}
"""Names that mean something of their own in Jinja."""
LOOP = {"first": BOOLEAN, "last": BOOLEAN, "index": INTEGER, "index0": INTEGER, "length": INTEGER}
TESTS = {"defined", "undefined", "none"}
BRACES = re.compile(r"\{\{|\{%|\{#|\}\}|%\}|#\}")

Place = tuple[str, ...]
"""A name and the columns taken of it."""
Report = Callable[[str, str, str], None]
"""Takes the rule, the message and the mend of a problem."""


def parsed(text: str, report: Report) -> nodes.Template | None:
    """Return a text's syntax tree; a syntax error is a problem and gives None."""
    try:
        tree = SandboxedEnvironment().parse(text)
    except TemplateSyntaxError as error:
        report("template", f"This is no template: {error.message}.", "Correct the braces.")
        return None
    except (RecursionError, MemoryError):
        report("template", "The template is nested too deeply.", "Simplify it.")
        return None
    except ValueError:  # a number that Python does not read
        report("template", "A number of the template is too long.", "Leave it out.")
        return None
    level: list[nodes.Node] = [tree]
    for _ in range(DEEPEST):
        level = [child for node in level for child in node.iter_child_nodes()]
    if level:
        report("template", "The template is nested too deeply.", "Simplify it.")
        return None
    return tree


class TemplateCheck:
    """Walks a template with the names in scope, and reports everything not allowed."""

    def __init__(
        self,
        known: Mapping[str, Shape],
        filters: Mapping[str, TemplateFilter],
        report: Report,
        fields: Callable[[Shape], Mapping[str, Shape]] | None = None,
    ) -> None:
        """Take what is known.

        Args:
            known: What holes can name.
            filters: The filters there are, by name.
            report: Where problems go.
            fields: Gives what can be read of a row or object; None where holes name no parts and
                nothing is looped over.
        """
        self.known, self.filters, self.report = dict(known), filters, report
        self.fields = fields
        self.filled: set[str] = set()
        self._sure: frozenset[Place] = frozenset()
        self._loops: tuple[str, ...] = ()

    def check(self, tree: nodes.Template) -> None:
        """Check all of a template."""
        self._block(tree.body)

    # Statements

    def _block(self, body: list[nodes.Node]) -> None:
        for node in body:
            if isinstance(node, nodes.Output):
                self._output(node)
            elif isinstance(node, nodes.If):
                self._if(node)
            elif isinstance(node, nodes.For) and self.fields is not None:
                self._for(node)
            else:
                self._refuse(node)

    def _output(self, node: nodes.Output) -> None:
        for part in node.nodes:
            if isinstance(part, nodes.TemplateData):
                if BRACES.search(part.data):
                    self._problem("A text holds braces.", "Write it without braces.")
            else:
                self._fits(self.shape(part), SAYABLE, "is said")

    def _if(self, node: nodes.If) -> None:
        self.shape(node.test)
        with self._knowing(_sure_if(node.test, holds=True)):
            self._block(node.body)
        with self._knowing(_sure_if(node.test, holds=False)):
            for other in node.elif_:
                self._if(other)
            self._block(node.else_)

    def _for(self, node: nodes.For) -> None:
        source = self.shape(node.iter)
        path = place_of(node.iter)
        if source.name not in ("list", "any") or not path:
            self._problem("A template loops over what is no list.", "Loop over a list by its name.")
        elif source.null and path not in self._sure:
            self._problem(
                f"The list {'.'.join(path)} may be missing.",
                f"Write {{% if {'.'.join(path)} %}} around the loop.",
            )
        if node.test is not None or node.recursive:
            self._problem("A loop has a condition of its own.", "Write the if inside the loop.")
        if self._loops and (not path or path[0] != self._loops[-1]):
            self._problem(
                "A loop inside another goes over a list of its own.",
                f"Loop over a list of {self._loops[-1]}, or one loop after the other.",
            )
        if len(self._loops) >= MOST_LOOPS:
            self._problem("The loops are nested too deeply.", "Say less of each item.")
        self._loop_body(node, source.element)
        self._block(node.else_)

    def _loop_body(self, node: nodes.For, element: Shape) -> None:
        target = node.target.name if isinstance(node.target, nodes.Name) else ""
        if not TARGET.fullmatch(target) or target in RESERVED | self.known.keys():
            self._problem(
                "A loop gives its items no name of their own.",
                "Write {% for item in items %}, with a name that nothing else has.",
            )
        before = self.known, self._loops
        self.known = {**self.known, target: element, "loop": Shape("loop")}
        self._loops = (*self._loops, target)
        self._block(node.body)
        self.known, self._loops = before

    @contextmanager
    def _knowing(self, sure: frozenset[Place]) -> Iterator[None]:
        """Know of some places that they hold something."""
        before, self._sure = self._sure, self._sure | sure
        yield
        self._sure = before

    # Expressions

    def shape(self, node: nodes.Node) -> Shape:
        """Check an expression with all its parts, and return its type."""
        if isinstance(node, nodes.Const):
            return self._const(node)
        if isinstance(node, nodes.Name | nodes.Getattr):
            found = self._name(node) if isinstance(node, nodes.Name) else self._part(node)
            return found.not_none() if place_of(node) in self._sure else found
        if isinstance(node, nodes.Filter):
            return self._filter(node)
        if isinstance(node, nodes.CondExpr):
            return self._either(node)
        if isinstance(node, nodes.And | nodes.Or):
            return self._both(node)
        if isinstance(node, nodes.Not):
            self.shape(node.node)
            return BOOLEAN
        if isinstance(node, nodes.Test):
            return self._test(node)
        if isinstance(node, nodes.Compare):
            return self._compare(node)
        self._refuse(node)
        return ANY

    def _const(self, node: nodes.Const) -> Shape:
        value = node.value
        if isinstance(value, str):
            if len(value) > MOST_WRITTEN:
                self._problem("A text in a hole is too long.", "Write it outside of the braces.")
            return Shape("text", literals=frozenset([value]))
        if isinstance(value, bool) or value is None:
            return NONE if value is None else BOOLEAN
        if not abs(value) <= LARGEST:
            self._problem("A number in a hole is too large.", "Leave it out.")
        return INTEGER if isinstance(value, int) else NUMBER

    def _name(self, node: nodes.Name) -> Shape:
        self.filled.add(node.name)
        if node.name in RESERVED and not (node.name == "loop" and self._loops):
            self._problem(f"A template cannot use {node.name}.", "Name a value.")
        elif node.name not in self.known:
            self.unknown(node.name)
        return self.known.get(node.name, ANY)

    def unknown(self, name: str) -> None:
        """Report a name that nothing has."""
        names = [known for known in self.known if known != "loop"]
        self._problem(f"There is no variable {name}.", suggest(name, names, "There are"))

    def _part(self, node: nodes.Getattr) -> Shape:
        if self.fields is None or not place_of(node):
            self._refuse(node)
            return ANY
        owner = self.shape(node.node)
        fields = LOOP if owner.name == "loop" else self.fields(owner)
        if owner.name != "any" and node.attr not in fields:
            self._problem(f"There is no {node.attr} in {owner}.", suggest(node.attr, fields))
        return fields.get(node.attr, ANY)

    def _filter(self, node: nodes.Filter) -> Shape:
        found = self.filters.get(node.name)
        if found is None or node.node is None:
            self._problem(
                f"A template cannot use {node.name}.", suggest(node.name, self.filters, "There are")
            )
            return ANY
        self._arguments(node, found)
        owner = self.shape(node.node)
        fits = self._fits(owner, found.takes, f"goes through {node.name}")
        if found.once and any(inner.name == node.name for inner in _filters(node.node)):
            self._problem(f"A hole has {node.name} twice.", "Leave one of them out.")
        return found.gives(owner) if fits else ANY

    def _arguments(self, node: nodes.Filter, found: TemplateFilter) -> None:
        values = [part.value for part in node.args if isinstance(part, nodes.Const)]
        plain = len(values) == len(node.args) and not (
            node.kwargs or node.dyn_args or node.dyn_kwargs
        )
        if not plain or not found.accepts(values):
            self._problem(
                f"The filter {node.name} is given what it does not take.", found.usage(node.name)
            )

    def _either(self, node: nodes.CondExpr) -> Shape:
        self.shape(node.test)
        with self._knowing(_sure_if(node.test, holds=True)):
            one = self.shape(node.expr1)
        if node.expr2 is None:
            self._problem("What is said otherwise is missing.", "End it in `else '...'`.")
            return one
        with self._knowing(_sure_if(node.test, holds=False)):
            return join(one, self.shape(node.expr2))

    def _both(self, node: nodes.And | nodes.Or) -> Shape:
        left = self.shape(node.left)
        with self._knowing(_sure_if(node.left, holds=isinstance(node, nodes.And))):
            right = self.shape(node.right)
        return join(left, right)

    def _test(self, node: nodes.Test) -> Shape:
        plain = not (node.args or node.kwargs or node.dyn_args or node.dyn_kwargs)
        if node.name not in TESTS or not plain:
            self._problem(f"A template cannot ask `is {node.name}`.", "Use `is none`, or compare.")
        self.shape(node.node)
        return BOOLEAN

    def _compare(self, node: nodes.Compare) -> Shape:
        left = self.shape(node.expr)
        for operand in node.ops:
            right = self.shape(operand.expr)
            if "any" not in (left.name, right.name):
                self._operand(operand.op, left, right)
            left = right
        return BOOLEAN

    def _operand(self, op: str, left: Shape, right: Shape) -> None:
        if op in ("in", "notin"):
            fits = _may_hold(right, left)
        elif op in ("eq", "ne"):
            fits = _alike(left, right)
            self._enum_value(left, right)
            self._enum_value(right, left)
        else:
            fits = _alike(left, right) and {left.name, right.name} <= ORDERED
            if fits and (left.null or right.null):
                self._problem(
                    "What is compared may be missing.", "Ask first: {% if name is not none %}."
                )
        if not fits:
            self._problem(
                f"{str(left).capitalize()} is compared with {right}.",
                "Compare values of one kind; ids and rows with nothing.",
            )

    def _enum_value(self, enum: Shape, text: Shape) -> None:
        if enum.name == "enum" and text.name == "text" and text.literals is not None:
            for strange in sorted(text.literals - (enum.literals or set())):
                values = enum.literals or ()
                self._problem(
                    f'"{strange}" is no {enum.of}.', suggest(strange, values, "Its values are")
                )

    # Problems

    def _fits(self, shape: Shape, kinds_wanted: frozenset[str], what: str) -> bool:
        """Return whether a value is of one of some kinds; report one that is not."""
        if kinds(shape) & (kinds_wanted | {"any"}):
            return True
        mend = "Loop over it, or use join." if shape.name == "list" else "Use another filter."
        if shape.name in ("row", "object"):
            mend = "Name one of its columns."
        self._problem(f"Here {shape} {what}.", mend)
        return False

    def _refuse(self, node: nodes.Node) -> None:
        self._problem(
            f"A template cannot use {type(node).__name__.lower()}.",
            "Use {{ variable }}, {{ row.column }}, if, for and simple filters."
            if self.fields is not None
            else "Use {{ fact }}, if, and the filters there are.",
        )

    def _problem(self, message: str, mend: str) -> None:
        self.report("template", message, mend)


def place_of(node: nodes.Node) -> Place:
    """Return a name and the columns read from it; None for other expressions."""
    if isinstance(node, nodes.Name):
        return (node.name,)
    if isinstance(node, nodes.Getattr):
        owner = place_of(node.node)
        return (*owner, node.attr) if owner else ()
    return ()


def _sure_if(test: nodes.Node, *, holds: bool) -> frozenset[Place]:
    """Return the places that surely hold something if a test holds, or if it does not."""
    if isinstance(test, nodes.Name | nodes.Getattr):
        return frozenset([place_of(test)] if holds else [])
    if isinstance(test, nodes.Not):
        return _sure_if(test.node, holds=not holds)
    if isinstance(test, nodes.Test):
        return frozenset([place_of(test.node)] if test.name == "none" and not holds else [])
    both = isinstance(test, nodes.And) and holds or isinstance(test, nodes.Or) and not holds
    if both and isinstance(test, nodes.And | nodes.Or):
        return _sure_if(test.left, holds=holds) | _sure_if(test.right, holds=holds)
    return frozenset()


def _filters(node: nodes.Node) -> Iterator[nodes.Filter]:
    if isinstance(node, nodes.Filter):
        yield node
    yield from node.find_all(nodes.Filter)


def _alike(left: Shape, right: Shape) -> bool:
    """Return whether two values may be equal; ids are said as phrases, so they never are."""
    if "none" in (left.name, right.name):
        return True
    ids = [shape for shape in (left, right) if shape.name == "text" and shape.of]
    return not ids and bool(family(left)) and family(left) == family(right)


def _may_hold(whole: Shape, part: Shape) -> bool:
    if whole.name == "list":
        return _alike(whole.element, part) and accepts(whole.element, part.not_none())
    return {whole.name, part.name} <= {"text", "enum"} and _alike(whole, part) and not whole.null
