"""Rules inside ``domain.yaml`` that need more than one of its parts."""

from __future__ import annotations

from collections.abc import Mapping

from toolworld.spec.findings import suggest
from toolworld.spec.model import SCALARS, Column, DomainFile, Entity, ObjectField, snake
from toolworld.spec.reading import Notes
from toolworld.spec.rules import (
    DANGEROUS_ATTRIBUTES,
    MODEL_ATTRIBUTES,
    RESERVED_TYPES,
    SUBSET_NAMES,
    TABLE_ATTRIBUTES,
    is_keyword,
)
from toolworld.spec.yamltext import Path

WITH_UNIT = ("integer", "number", "money")
HIDDEN_FIELDS = MODEL_ATTRIBUTES | DANGEROUS_ATTRIBUTES | {"replace", "self"}
MOST_VALUE = 100


def lint_domain(domain: DomainFile, notes: Notes) -> None:
    """Check names, types, keys and columns of a domain."""
    _lint_names(domain, notes)
    _lint_enums(domain, notes)
    for name, value in domain.objects.items():
        _lint_fields(domain, value.fields, ("objects", name, "fields"), notes)
    _lint_object_cycles(domain, notes)
    for name, entity in domain.entities.items():
        _lint_fields(domain, entity.columns, ("entities", name, "columns"), notes)
        _lint_key(name, entity, notes)
        for column_name, column in entity.columns.items():
            _lint_column(column, ("entities", name, "columns", column_name), notes)
    _lint_shared_names(domain, notes)


def _lint_names(domain: DomainFile, notes: Notes) -> None:
    """Check type names: each names one thing, and nothing that code already knows."""
    seen: dict[str, str] = {}
    for group in ("enums", "objects", "entities"):
        for name in getattr(domain, group):
            new_names = (name, f"{name}Id") if group == "entities" else (name,)
            for new in new_names:
                if new in seen:
                    notes.add(
                        (group, name), "duplicate-name", f"{new} is already among the {seen[new]}.",
                        "Give each enum, object and entity a name of its own.",
                    )  # fmt: skip
                seen.setdefault(new, group)
                if new in RESERVED_TYPES or is_keyword(new):
                    notes.add(
                        (group, name), "reserved-name", f"The name {new} has a meaning of its own.",
                        "Choose another name.",
                    )  # fmt: skip


def _lint_enums(domain: DomainFile, notes: Notes) -> None:
    for name, enum in domain.enums.items():
        path: Path = ("enums", name, "values")
        for number, value in enumerate(enum.values):
            if value in enum.values[:number]:
                notes.add(
                    (*path, number), "duplicate-value", f'{name} has "{value}" twice.',
                    "Keep one of them.",
                )  # fmt: skip
            if not value or value != value.strip() or len(value) > MOST_VALUE or "\n" in value:
                notes.add(
                    (*path, number), "bad-value", f"{name} has an odd value, {value[:40]!r}.",
                    "Use short texts on one line.",
                )  # fmt: skip


def _lint_fields(
    domain: DomainFile, fields: Mapping[str, ObjectField], path: Path, notes: Notes
) -> None:
    known = {*SCALARS, *domain.enums, *domain.objects, *domain.entities}
    for name, field in fields.items():
        if field.item_type not in known:
            notes.add(
                (*path, name, "type"), "unknown-type", f"The type {field.item_type} is not known.",
                suggest(field.item_type, known, "The types are"),
            )  # fmt: skip
        if field.unit is not None and field.item_type not in WITH_UNIT:
            notes.add(
                (*path, name, "unit"), "unit", f"{name} has a unit but is no number.",
                "Drop the unit, or make it integer, number or money.",
            )  # fmt: skip
        if name in HIDDEN_FIELDS or is_keyword(name):
            notes.add(
                (*path, name), "reserved-name", f"The name {name} has a meaning in emitted code.",
                f"Choose another, such as {name}_value.",
            )  # fmt: skip


def _lint_object_cycles(domain: DomainFile, notes: Notes) -> None:
    """An object inside itself would have no end."""
    inside = {
        name: {f.item_type for f in value.fields.values()} & set(domain.objects)
        for name, value in domain.objects.items()
    }
    for name in inside:
        reached: set[str] = set()
        waiting = [*inside[name]]
        while waiting:
            other = waiting.pop()
            if other not in reached:
                reached.add(other)
                waiting += inside[other]
        if name in reached:
            notes.add(
                ("objects", name), "object-cycle", f"{name} is nested in itself.",
                "Make it an entity, and refer to its rows.",
            )  # fmt: skip


def _lint_key(name: str, entity: Entity, notes: Notes) -> None:
    path: Path = ("entities", name)
    key = entity.columns.get(entity.key)
    if key is None:
        notes.add(
            (*path, "key"), "key", f"The key {entity.key} of {name} is not among its columns.",
            suggest(entity.key, entity.columns),
        )  # fmt: skip
        return
    if key.type != "text" or key.nullable:
        notes.add(
            (*path, "columns", entity.key), "key", f"The key {entity.key} is not plain text.",
            "Make it `type: text`, and not nullable.",
        )  # fmt: skip
    if next(iter(entity.columns)) != entity.key:
        notes.add(
            (*path, "columns", entity.key), "key", f"The key {entity.key} is not listed first.",
            "Put it before the other columns.",
        )  # fmt: skip


def _lint_column(column: Column, path: Path, notes: Notes) -> None:
    if column.match == "semantic" and column.type != "text":
        notes.add(
            (*path, "match"), "match", f"{path[-1]} is matched by meaning but is no text.",
            "Use hard or exempt.",
        )  # fmt: skip
    if column.unique and (column.is_list or column.type == "boolean"):
        notes.add(
            (*path, "unique"), "unique", f"{path[-1]} cannot be unique.",
            "Only single texts, numbers, dates and references can.",
        )  # fmt: skip


def _lint_shared_names(domain: DomainFile, notes: Notes) -> None:
    """Check that entities differ in tables, prefixes, row names and invariants."""
    seen: dict[tuple[str, str], str] = {}
    for name, entity in domain.entities.items():
        path: Path = ("entities", name)
        claims = [("table", entity.table), ("row name", snake(name))]
        if entity.prefix is not None:
            claims.append(("prefix", entity.prefix))
        for what, value in claims:
            _claim(seen, (what, value), name, (*path, what), notes)
        if entity.table in TABLE_ATTRIBUTES or is_keyword(entity.table):
            notes.add(
                (*path, "table"), "reserved-name", f"A table cannot be called {entity.table}.",
                "Choose another name, in the plural.",
            )  # fmt: skip
        if snake(name) in SUBSET_NAMES or is_keyword(snake(name)):
            notes.add(
                path, "reserved-name", f"A row of {name} would be called {snake(name)} in rules.",
                "Choose another name.",
            )  # fmt: skip
        for number, invariant in enumerate(entity.invariants):
            place = (*path, "invariants", number, "name")
            _claim(seen, ("invariant", invariant.name), name, place, notes)
            if is_keyword(invariant.name) or invariant.name in SUBSET_NAMES:
                notes.add(
                    place, "reserved-name", f"A rule cannot be called {invariant.name}.",
                    "Choose another name.",
                )  # fmt: skip


def _claim(
    seen: dict[tuple[str, str], str], claim: tuple[str, str], owner: str, path: Path, notes: Notes
) -> None:
    if claim in seen:
        what, value = claim
        notes.add(
            path, "duplicate-name", f"The {what} {value} of {owner} is also {seen[claim]}'s.",
            "Choose another.",
        )  # fmt: skip
    seen.setdefault(claim, owner)
