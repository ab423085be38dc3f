"""Rules for ``phrases.yaml``: every tool has phrases, and every hole can be filled."""

from __future__ import annotations

from collections.abc import Collection

from toolworld.spec.drafts import Phrases
from toolworld.spec.findings import suggest
from toolworld.spec.lint_templates import Template, Text, variables
from toolworld.spec.model import DomainFile, ObjectField, Tool, snake
from toolworld.spec.reading import Notes
from toolworld.spec.shapes import Shape
from toolworld.spec.template_check import BRACES
from toolworld.spec.yamltext import Path

LEAST_PERSONAS = 6
LEAST_PHRASES = 2
LEAST_VALUES = 6


def lint_phrases(
    domain: DomainFile, tools: tuple[Tool, ...], phrases: Phrases, notes: Notes
) -> None:
    """Check personas, and the phrases for each tool, row and value."""
    by_name = {tool.name: tool for tool in tools}
    _lint_personas(domain, by_name, phrases, notes)
    _lint_tools(domain, by_name, phrases, notes)
    _lint_known_ids(domain, phrases, notes)
    _lint_rows(domain, by_name, phrases, notes)
    _lint_asks(domain, by_name, phrases, notes)
    _lint_values(domain, by_name, phrases, notes)


def _lint_tools(
    domain: DomainFile, by_name: dict[str, Tool], phrases: Phrases, notes: Notes
) -> None:
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
        _enough(texts, LEAST_PHRASES, path, notes)
        known = dict(variables(domain, by_name[name]))
        for number, text in enumerate(texts):
            Template(domain, known, (*path, number), notes).lint(text, by_name)


def _enough(texts: tuple[str, ...], least: int, path: Path, notes: Notes) -> None:
    if len(texts) < least:
        notes.add(
            path, "missing-phrases", f"{path[-1]} has too few phrases.",
            f"Give at least {least}, worded differently.",
        )  # fmt: skip


def _lint_known_ids(domain: DomainFile, phrases: Phrases, notes: Notes) -> None:
    for number, name in enumerate(phrases.known_ids):
        if name not in domain.entities:
            mend = suggest(name, domain.entities)
            notes.add(
                ("known_ids", number), "unknown-entity", f"There is no entity {name}.", mend
            )  # fmt: skip


def _lint_rows(
    domain: DomainFile, by_name: dict[str, Tool], phrases: Phrases, notes: Notes
) -> None:
    for name, texts in phrases.rows.items():
        path: Path = ("rows", name)
        if name not in domain.entities:
            mend = suggest(name, domain.entities)
            notes.add(path, "unknown-entity", f"There is no entity {name}.", mend)
            continue
        _enough(texts, LEAST_PHRASES, path, notes)
        known = {snake(name): Shape("row", of=name)}
        for number, text in enumerate(texts):
            Template(domain, known, (*path, number), notes).lint(text, by_name)


def _lint_asks(
    domain: DomainFile, by_name: dict[str, Tool], phrases: Phrases, notes: Notes
) -> None:
    shapes: dict[str, dict[str, ObjectField]] = {
        **{name: dict(entity.columns) for name, entity in domain.entities.items()},
        **{name: dict(found.fields) for name, found in domain.objects.items()},
    }
    for name, asked in phrases.asks.items():
        if name not in shapes:
            mend = suggest(name, shapes)
            notes.add(("asks", name), "unknown-type", f"There is no {name}.", mend)
            continue
        for column, text in asked.items():
            path: Path = ("asks", name, column)
            if column not in shapes[name]:
                mend = suggest(column, shapes[name])
                notes.add(path, "unknown-column", f"{name} has no {column}.", mend)
            _Words(domain, path, notes).lint(text, by_name)


def _lint_values(
    domain: DomainFile, by_name: dict[str, Tool], phrases: Phrases, notes: Notes
) -> None:
    texts = {
        f"{tool.name}.{parameter.name}"
        for tool in by_name.values()
        for parameter in tool.parameters
        if parameter.type == "text"
    }
    for name, said in phrases.values.items():
        path: Path = ("values", name)
        if name not in texts:
            message = f"{name} is no text argument of a tool."
            notes.add(path, "unknown-argument", message, suggest(name, texts, "There are"))
            continue
        _enough(said, LEAST_VALUES, path, notes)
        for number, text in enumerate(said):
            if text in said[:number]:
                notes.add(
                    (*path, number), "duplicate-value", "The same text stands here twice.",
                    "Word one of them differently.",
                )  # fmt: skip
            _Words(domain, (*path, number), notes).lint(text, by_name)


class _Words(Text):
    """A text without holes."""

    def lint(self, text: str, tools: Collection[str]) -> None:
        super().lint(text, tools)
        if BRACES.search(text):
            self.add("template", "This text is no template.", "Write it out, without braces.")


def _lint_personas(
    domain: DomainFile, by_name: dict[str, Tool], phrases: Phrases, notes: Notes
) -> None:
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
    for number, persona in enumerate(phrases.personas):
        for part, texts in (("opens", persona.opens), ("closes", persona.closes)):
            for place, text in enumerate(texts):
                path: Path = ("personas", number, part, place)
                _Words(domain, path, notes).lint(text, by_name)
