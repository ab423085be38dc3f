"""Rules for the templates of ``phrases.yaml``: holes only, with names that exist."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from toolworld.spec.model import DomainFile, Tool, row_name, snake
from toolworld.spec.reading import Notes
from toolworld.spec.shapes import Shape, field_shape, type_shape
from toolworld.spec.template_check import TemplateCheck, parsed
from toolworld.spec.template_filters import PHRASES
from toolworld.spec.yamltext import Path

WORD = re.compile(r"\w+")


class Text:
    """A text that people say; it names neither tools nor ids."""

    def __init__(self, domain: DomainFile, path: Path, notes: Notes) -> None:
        """Take the domain, and the notes for problems of the text."""
        self.domain = domain
        self.path = path
        self.notes = notes

    def add(self, rule: str, message: str, mend: str) -> None:
        """Keep a problem of the text."""
        self.notes.add(self.path, rule, message, mend)

    def lint(self, text: str, tools: Collection[str]) -> None:
        """Check that no tool and no id is named."""
        for name in sorted(set(WORD.findall(text))):
            if "_" in name and name in tools:
                self.add("names-tool", f"A phrase names the tool {name}.", "Say it as people do.")
        for entity in self.domain.entities.values():
            if entity.prefix and re.search(rf"\b{entity.prefix}-\d", text):
                self.add(
                    "internal-id", f"A phrase holds an id, {entity.prefix}-...",
                    f"Use a variable of {entity.table} instead.",
                )  # fmt: skip


class Template(Text):
    """A text with holes for a few known names."""

    def __init__(
        self, domain: DomainFile, known: Mapping[str, Shape], path: Path, notes: Notes
    ) -> None:
        """Take the domain, the names that holes may use, and the notes for problems."""
        super().__init__(domain, path, notes)
        self.known = dict(known)

    def lint(self, text: str, tools: Collection[str]) -> None:
        """Check the text and its holes."""
        super().lint(text, tools)
        tree = parsed(text, self.add)
        if tree is not None:
            TemplateCheck(self.known, PHRASES, self.add, self._fields).check(tree)

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
        key_of = entity if name == domain.entities[entity].key else ""
        yield name, field_shape(domain, column, key_of)


def variables(domain: DomainFile, tool: Tool) -> Iterator[tuple[str, Shape]]:
    """Return the names a phrase may use: parameters, and the rows that id parameters name."""
    for parameter in tool.parameters:
        missing = parameter.nullable or not parameter.required
        shape = type_shape(domain, parameter.type)
        yield parameter.name, shape.or_none() if missing else shape
        if parameter.type in domain.entities:
            row = Shape("row", of=parameter.type, null=missing)
            yield snake(parameter.type), row
            if parameter.name.endswith("_id"):
                yield parameter.name.removesuffix("_id"), row
