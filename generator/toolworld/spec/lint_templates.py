"""Rules for the templates of ``phrases.yaml``: they can only fill holes, with what is there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from jinja2 import TemplateSyntaxError, nodes
from jinja2.sandbox import SandboxedEnvironment

from toolworld.spec.findings import suggest
from toolworld.spec.model import DomainFile, Tool, row_name, snake
from toolworld.spec.reading import Notes
from toolworld.spec.shapes import Shape, field_shape, type_shape
from toolworld.spec.yamltext import Path

FILTERS = {
    "lower", "upper", "title", "capitalize", "trim", "round", "abs", "int", "float", "length",
    "join", "first", "last", "default", "replace", "day", "time",
}  # fmt: skip
NODES = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.Name, nodes.Getattr, nodes.Const,
    nodes.Filter, nodes.If, nodes.For, nodes.CondExpr, nodes.Compare, nodes.Operand, nodes.And,
    nodes.Or, nodes.Not, nodes.Test,
)  # fmt: skip
TESTS = {"defined", "none", "undefined"}


class Text:
    """A text that people say; it names neither tools nor ids."""

    def __init__(self, domain: DomainFile, path: Path, notes: Notes) -> None:
        """Take the domain, and where problems of the text go."""
        self.domain = domain
        self.path = path
        self.notes = notes

    def add(self, rule: str, message: str, mend: str) -> None:
        """Keep a problem of the text."""
        self.notes.add(self.path, rule, message, mend)

    def lint(self, text: str, tools: Iterable[str]) -> None:
        """Check that no tool and no id is named."""
        for name in sorted(tools):
            if "_" in name and re.search(rf"\b{name}\b", text):
                self.add("names-tool", f"A phrase names the tool {name}.", "Say it as people do.")
        for entity in self.domain.entities.values():
            if entity.prefix and re.search(rf"\b{entity.prefix}-\d", text):
                self.add(
                    "internal-id", f"A phrase holds an id, {entity.prefix}-...",
                    f"Use a variable of {entity.table} instead.",
                )  # fmt: skip


class Template(Text):
    """A text with holes for what is known under a few names."""

    def __init__(
        self, domain: DomainFile, known: Mapping[str, Shape], path: Path, notes: Notes
    ) -> None:
        """Take the domain, what the holes can name, and where problems go."""
        super().__init__(domain, path, notes)
        self.known = dict(known)

    def lint(self, text: str, tools: Iterable[str]) -> None:
        """Check the text and its holes."""
        super().lint(text, tools)
        try:
            tree = SandboxedEnvironment().parse(text)
        except TemplateSyntaxError as error:
            self.add("template", f"This is no Jinja: {error.message}.", "Correct the braces.")
        except RecursionError:
            self.add("template", "The template is nested too deeply.", "Simplify it.")
        else:
            self._walk(tree, self.known)

    def _walk(self, node: nodes.Node, known: dict[str, Shape]) -> None:
        if not isinstance(node, NODES) or isinstance(node, nodes.Filter | nodes.Test):
            self._check_call(node)
        if isinstance(node, nodes.For):
            self._loop(node, known)
            return
        if isinstance(node, nodes.Name | nodes.Getattr):
            self._shape(node, known)
            return
        for child in node.iter_child_nodes():
            self._walk(child, known)

    def _check_call(self, node: nodes.Node) -> None:
        if isinstance(node, nodes.Filter) and node.name in FILTERS:
            return
        if isinstance(node, nodes.Test) and node.name in TESTS:
            return
        name = getattr(node, "name", type(node).__name__.lower())
        self.add(
            "template", f"A template cannot use {name}.",
            "Use {{ variable }}, {{ row.column }}, if, for and simple filters.",
        )  # fmt: skip

    def _loop(self, node: nodes.For, known: dict[str, Shape]) -> None:
        source = self._shape(node.iter, known)
        inner = {**known, "loop": Shape("any")}
        if source is None or source.name not in ("list", "any"):
            self.add("template", "A template loops over what is no list.", "Loop over a parameter.")
        elif isinstance(node.target, nodes.Name):
            inner[node.target.name] = source.element
        for child in [*node.body, *node.else_]:
            self._walk(child, inner)

    def _shape(self, node: nodes.Node, known: dict[str, Shape]) -> Shape | None:
        """Return the shape of a variable or of a column of one; None when it is neither."""
        if isinstance(node, nodes.Name):
            if node.name not in known:
                self.add(
                    "template", f"There is no variable {node.name}.",
                    suggest(node.name, known, "There are"),
                )  # fmt: skip
            return known.get(node.name)
        if not isinstance(node, nodes.Getattr):
            return None
        owner = self._shape(node.node, known)
        if owner is None or owner.name == "any":
            return owner
        fields = self._fields(owner)
        if node.attr not in fields:
            self.add("template", f"There is no {node.attr} in {owner}.", suggest(node.attr, fields))
        return fields.get(node.attr)

    def _fields(self, owner: Shape) -> dict[str, Shape]:
        domain = self.domain
        if owner.name == "row":
            return dict(_columns(domain, owner.of))
        if owner.name == "object":
            fields = domain.objects[owner.of].fields
            return {name: field_shape(domain, field) for name, field in fields.items()}
        return {}


def _columns(domain: DomainFile, entity: str) -> Iterator[tuple[str, Shape]]:
    """Return the rows that a row's references lead to, and its columns."""
    columns = domain.entities[entity].columns
    for name, column in columns.items():
        if column.type in domain.entities:
            yield row_name(name, column.type), Shape("row", of=column.type)
    for name, column in columns.items():
        yield name, field_shape(domain, column)


def variables(domain: DomainFile, tool: Tool) -> Iterator[tuple[str, Shape]]:
    """Return what a phrase may say: the parameters, and the rows that ids stand for."""
    for parameter in tool.parameters:
        yield parameter.name, type_shape(domain, parameter.type)
        if parameter.type in domain.entities:
            row = Shape("row", of=parameter.type)
            yield snake(parameter.type), row
            if parameter.name.endswith("_id"):
                yield parameter.name.removesuffix("_id"), row
