"""Rules for the templates of ``phrases.yaml``: they can only fill holes, with what is there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from jinja2 import nodes

from toolworld.spec.findings import suggest
from toolworld.spec.model import DomainFile, Tool, row_name, snake
from toolworld.spec.reading import Notes
from toolworld.spec.shapes import ANY, Shape, field_shape, join_all, literal, type_shape
from toolworld.spec.templates import PHRASE, misfit, read_template
from toolworld.spec.yamltext import Path


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
        tree, problems = read_template(text, PHRASE)
        for one in problems:
            self.add("template", one.message, one.mend)
        if tree is not None:
            self._walk(tree, self.known)

    def _walk(self, node: nodes.Node, known: dict[str, Shape]) -> None:
        if isinstance(node, nodes.For):
            self._loop(node, known)
        elif isinstance(node, nodes.Name | nodes.Getattr | nodes.Filter):
            self._shape(node, known)
        else:
            for child in node.iter_child_nodes():
                self._walk(child, known)

    def _loop(self, node: nodes.For, known: dict[str, Shape]) -> None:
        source = self._shape(node.iter, known)
        inner = {**known, "loop": ANY}
        if source is None or source.name not in ("list", "any"):
            self.add("template", "A template loops over what is no list.", "Loop over a parameter.")
        elif isinstance(node.target, nodes.Name):
            inner[node.target.name] = source.element
        for child in [*node.body, *node.else_]:
            self._walk(child, inner)

    def _shape(self, node: nodes.Node, known: dict[str, Shape]) -> Shape | None:
        """Return the shape of a value; None when there is no such variable or column."""
        if isinstance(node, nodes.Filter) and node.node is not None:
            return self._filtered(node, self._shape(node.node, known))
        if isinstance(node, nodes.CondExpr):
            return self._either(node, known)
        if isinstance(node, nodes.Const):
            return literal(node.value) if isinstance(node.value, str) else ANY
        if isinstance(node, nodes.Name):
            if node.name not in known:
                self.add(
                    "template", f"There is no variable {node.name}.",
                    suggest(node.name, known, "There are"),
                )  # fmt: skip
            return known.get(node.name)
        if not isinstance(node, nodes.Getattr):
            self._walk(node, known)
            return ANY
        owner = self._shape(node.node, known)
        if owner is None or owner.name == "any":
            return owner
        fields = self._fields(owner)
        if node.attr not in fields:
            self.add("template", f"There is no {node.attr} in {owner}.", suggest(node.attr, fields))
        return fields.get(node.attr)

    def _filtered(self, node: nodes.Filter, given: Shape | None) -> Shape | None:
        """Return the shape of what a filter makes of a value."""
        problem = misfit(node, given or ANY)
        if problem is not None:
            self.add("template", problem.message, problem.mend)
        return PHRASE.filters[node.name].gives or given

    def _either(self, node: nodes.CondExpr, known: dict[str, Shape]) -> Shape:
        self._walk(node.test, known)
        ways = [node.expr1] if node.expr2 is None else [node.expr1, node.expr2]
        return join_all(tuple(self._shape(way, known) or ANY for way in ways))

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
