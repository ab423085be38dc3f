"""What the package templates are given: a spec turned into the names and texts they lay out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from toolworld.emit.docstrings import docstring, line_docstring
from toolworld.emit.imports import EVENTS, LIBRARY, SCENARIOS, imports, used_names
from toolworld.spec.model import (
    CodeFile,
    Column,
    DomainFile,
    Entity,
    Invariant,
    ObjectField,
    snake,
)
from toolworld.spec.spec import Spec

FUNCTION = ast.FunctionDef

SCALAR_TYPES = {
    "text": "Text",
    "integer": "Integer",
    "number": "Number",
    "money": "Money",
    "boolean": "Boolean",
    "date": "Date",
    "datetime": "Datetime",
}


@dataclass(frozen=True)
class RecordView:
    """A value object as ``models.py`` shows it: its docstring and typed fields."""

    name: str
    docstring: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class InvariantView:
    """An invariant as ``invariants.py`` shows it.

    Attributes:
        columns: The columns of the row that the rule reads, as code.
        tables: The tables that it reads, as code.
    """

    name: str
    says: str
    rule: str
    function: str
    docstring: str
    columns: str
    tables: str


@dataclass(frozen=True)
class EntityView(RecordView):
    """An entity as ``models.py`` and ``invariants.py`` show it.

    Attributes:
        variable: What one row is called in code.
        noun: What one row is called in words.
        references: The path and table of each reference, nested ones included.
        policies: The match policy of each column that is not compared exactly.
    """

    table: str
    key: str
    prefix: str | None
    variable: str
    noun: str
    unique: tuple[str, ...]
    references: tuple[tuple[tuple[str, ...], str], ...]
    policies: dict[str, str]
    invariants: tuple[InvariantView, ...]


def objects(domain: DomainFile) -> list[RecordView]:
    """Return the value objects of a domain, in file order."""
    return [
        RecordView(
            name=name,
            docstring=_record_docstring(
                f"A {_words(name)} value.", found.description, found.fields
            ),
            fields=tuple(
                f"{field}: {type_expression(domain, column)}"
                for field, column in found.fields.items()
            ),
        )
        for name, found in domain.objects.items()
    ]


def entities(domain: DomainFile) -> list[EntityView]:
    """Return the entities of a domain, in file order."""
    return [_entity(domain, name, entity) for name, entity in domain.entities.items()]


def _entity(domain: DomainFile, name: str, entity: Entity) -> EntityView:
    return EntityView(
        name=name,
        docstring=_record_docstring(
            f"A row of {entity.table}.", entity.description, entity.columns
        ),
        fields=tuple(_column(domain, name, entity, column) for column in entity.columns),
        table=entity.table,
        key=entity.key,
        prefix=entity.prefix,
        variable=snake(name),
        noun=_words(name),
        unique=tuple(key for key, column in entity.columns.items() if column.unique),
        references=tuple(_references(domain, (), entity.columns)),
        policies=dict(_policies(entity)),
        invariants=tuple(
            _invariant(domain, entity, snake(name), invariant) for invariant in entity.invariants
        ),
    )


def _words(name: str) -> str:
    return snake(name).replace("_", " ")


def _column(domain: DomainFile, name: str, entity: Entity, column: str) -> str:
    if column == entity.key:
        return f"{column}: {name}Id"
    return f"{column}: {type_expression(domain, entity.columns[column])}"


def type_expression(domain: DomainFile, field: ObjectField) -> str:
    """Return the Python annotation of a column or field, with its default if it has one."""
    kind = domain.kind(field.item_type)
    inner = {
        "scalar": SCALAR_TYPES.get(field.item_type, ""),
        "reference": f"{field.item_type}Id",
    }.get(kind, field.item_type)
    for _ in range(field.type.count("list of ")):
        inner = f"tuple[{inner}, ...]"
    return f"{inner} | None = None" if field.nullable else inner


def _record_docstring(summary: str, description: str, fields: Mapping[str, ObjectField]) -> str:
    said = {
        name: f"{field.description}{f' In {field.unit}.' if field.unit else ''}"
        for name, field in fields.items()
    }
    return docstring(description, said, summary)


def _references(
    domain: DomainFile, path: tuple[str, ...], fields: Mapping[str, ObjectField]
) -> Iterator[tuple[tuple[str, ...], str]]:
    for name, field in fields.items():
        kind = domain.kind(field.item_type)
        if kind == "reference":
            yield (*path, name), domain.entities[field.item_type].table
        elif kind == "object":
            inner = domain.objects[field.item_type].fields
            yield from _references(domain, (*path, name), inner)


def _policies(entity: Entity) -> Iterator[tuple[str, str]]:
    for name, column in entity.columns.items():
        policy = _policy(entity, name, column)
        if policy != "hard":
            yield name, policy


def _policy(entity: Entity, name: str, column: Column) -> str:
    return "exempt" if name == entity.key and entity.prefix else column.match


def _invariant(
    domain: DomainFile, entity: Entity, variable: str, invariant: Invariant
) -> InvariantView:
    tables = {other.table for other in domain.entities.values()}
    return InvariantView(
        name=invariant.name,
        says=invariant.says,
        rule=" ".join(invariant.rule.split()),
        function=f"{entity.table}_{invariant.name}",
        docstring=docstring(invariant.says, summary="Return whether a row keeps this rule."),
        columns=_frozenset(read_of(invariant.rule, variable, set(entity.columns))),
        tables=_frozenset(read_of(invariant.rule, "db", tables)),
    )


def read_of(rule: str, name: str, known: set[str]) -> set[str]:
    """Return which known attributes of a name a rule reads; all, if it uses the name bare."""
    nodes = list(ast.walk(ast.parse(f"({rule})")))
    attributes = [
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
    ]
    uses = sum(isinstance(node, ast.Name) and node.id == name for node in nodes)
    return known & set(attributes) if uses == len(attributes) else known


def _frozenset(names: set[str]) -> str:
    listed = ", ".join(repr(name) for name in sorted(names))
    return f"frozenset({{{listed}}})" if names else "frozenset()"


def tool_imports(spec: Spec) -> list[str]:
    """Return the import lines that ``tools.py`` needs."""
    return imports(spec.domain, used_names(spec.tools_code), LIBRARY)


@dataclass(frozen=True)
class AreaView:
    """A module of ``tools`` as its template shows it.

    Attributes:
        docstring: The whole docstring, its quotes included.
        imports: The import lines it needs, those of other areas included.
        code: Everything after them.
        tools: The tools in it, in file order.
    """

    name: str
    docstring: str
    imports: tuple[str, ...]
    code: str
    tools: tuple[str, ...]


def areas(spec: Spec) -> list[AreaView]:
    """Return the modules of a spec's tools; none if all are in ``tools.py``."""
    return [_area(spec, file, "tools", LIBRARY) for file in spec.tools_files]


def scenario_areas(spec: Spec) -> list[AreaView]:
    """Return the modules of ``making`` that hold the scenarios of a spec."""
    known = {**LIBRARY, **SCENARIOS}
    return [_area(spec, file, "making", known) for file in spec.scenario_files]


def predicate_imports(spec: Spec, code: str, room: str) -> list[str]:
    """Return the import lines that code of ``conduct.py`` or ``laws.py`` needs in its room."""
    return imports(spec.domain, used_names(code), {**LIBRARY, **EVENTS}, room)


def _area(spec: Spec, file: CodeFile, room: str, known: Mapping[str, str]) -> AreaView:
    functions = [node.name for node in ast.parse(file.code).body if isinstance(node, FUNCTION)]
    own = imports(spec.domain, used_names(file.code), known, room)
    others = [f"from .{area} import {name}" for area, names in file.uses.items() for name in names]
    return AreaView(
        name=file.name,
        docstring=line_docstring(file.docstring),
        imports=(*own, *others),
        code=file.code.lstrip("\n"),
        tools=tuple(name for name in functions if not name.startswith("_")),
    )


def invariant_imports(spec: Spec) -> list[str]:
    """Return the import lines that ``invariants.py`` needs for its rules and annotations."""
    used = {"Database"}
    for name, entity in spec.domain.entities.items():
        for invariant in entity.invariants:
            used |= {name, *used_names(f"({invariant.rule})")}
    return imports(spec.domain, used, LIBRARY, "database")


def without_docstring(code: str) -> str:
    """Return a module's code without its docstring: the emitted module has one of its own."""
    body = ast.parse(code).body
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        # Not splitlines(): Python counts fewer characters as the end of a line.
        return "\n".join(code.split("\n")[first.end_lineno :]).lstrip("\n")
    return code
