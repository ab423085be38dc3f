"""Rules for ``phrases.yaml``: every tool is asked for, in templates that can only fill holes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from jinja2 import TemplateSyntaxError, nodes
from jinja2.sandbox import SandboxedEnvironment

from toolworld.spec.findings import suggest
from toolworld.spec.model import DomainFile, Phrases, Tool, snake
from toolworld.spec.reading import Notes
from toolworld.spec.shapes import Shape, field_shape, type_shape
from toolworld.spec.yamltext import Path

LEAST_PERSONAS = 6
LEAST_PHRASES = 2
FILTERS = {
    "lower", "upper", "title", "capitalize", "trim", "round", "abs", "int", "float", "length",
    "join", "first", "last", "default", "replace",
}  # fmt: skip
NODES = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.Name, nodes.Getattr, nodes.Const,
    nodes.Filter, nodes.If, nodes.For, nodes.CondExpr, nodes.Compare, nodes.Operand, nodes.And,
    nodes.Or, nodes.Not, nodes.Test,
)  # fmt: skip
TESTS = {"defined", "none", "undefined"}


def lint_phrases(
    domain: DomainFile, tools: tuple[Tool, ...], phrases: Phrases, notes: Notes
) -> None:
    """Check personas, and each tool's phrases."""
    _lint_personas(phrases, notes)
    by_name = {tool.name: tool for tool in tools}
    for name in sorted(set(by_name) - set(phrases.tools)):
        notes.add(
            ("tools",), "missing-phrases", f"Nobody asks for {name}.",
            f"Add at least {LEAST_PHRASES} phrases for it.",
        )  # fmt: skip
    for name, texts in phrases.tools.items():
        path: Path = ("tools", name)
        if name not in by_name:
            notes.add(path, "unknown-tool", f"There is no tool {name}.", suggest(name, by_name))
            continue
        if len(texts) < LEAST_PHRASES:
            notes.add(
                path, "missing-phrases", f"{name} has too few phrases.",
                f"Give at least {LEAST_PHRASES}, worded differently.",
            )  # fmt: skip
        for number, text in enumerate(texts):
            _Phrase(domain, by_name[name], (*path, number), notes).lint(text, by_name)


def _lint_personas(phrases: Phrases, notes: Notes) -> None:
    names = [persona.name for persona in phrases.personas]
    if len(names) < LEAST_PERSONAS:
        notes.add(
            ("personas",), "personas", f"There are only {len(names)} personas.",
            f"Give at least {LEAST_PERSONAS}.",
        )  # fmt: skip
    for number, name in enumerate(names):
        if name in names[:number]:
            notes.add(
                ("personas", number), "duplicate-name", f"The persona {name} stands here twice.",
                "Rename one of them.",
            )  # fmt: skip


class _Phrase:
    """One phrase of one tool."""

    def __init__(self, domain: DomainFile, tool: Tool, path: Path, notes: Notes) -> None:
        self.domain = domain
        self.path = path
        self.notes = notes
        self.known = dict(_variables(domain, tool))

    def add(self, rule: str, message: str, mend: str) -> None:
        self.notes.add(self.path, rule, message, mend)

    def lint(self, text: str, tools: Iterable[str]) -> None:
        for name in sorted(tools):
            if "_" in name and re.search(rf"\b{name}\b", text):
                self.add("names-tool", f"A phrase names the tool {name}.", "Say it as people do.")
        for entity in self.domain.entities.values():
            if entity.prefix and re.search(rf"\b{entity.prefix}-\d", text):
                self.add(
                    "internal-id", f"A phrase holds an id, {entity.prefix}-...",
                    f"Use a variable of {entity.table} instead.",
                )  # fmt: skip
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
            columns = domain.entities[owner.of].columns
            return {name: field_shape(domain, column) for name, column in columns.items()}
        if owner.name == "object":
            fields = domain.objects[owner.of].fields
            return {name: field_shape(domain, field) for name, field in fields.items()}
        return {}


def _variables(domain: DomainFile, tool: Tool) -> Iterator[tuple[str, Shape]]:
    """Return what a phrase may say: the parameters, and the rows that ids stand for."""
    for parameter in tool.parameters:
        yield parameter.name, type_shape(domain, parameter.type)
        if parameter.type in domain.entities:
            row = Shape("row", of=parameter.type)
            yield snake(parameter.type), row
            if parameter.name.endswith("_id"):
                yield parameter.name.removesuffix("_id"), row
