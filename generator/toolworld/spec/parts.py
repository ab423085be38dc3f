"""YAML data put into the models of a spec; shape errors become problems with lines."""

from __future__ import annotations

import json
from typing import Annotated, Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from toolworld.spec.drafts import CaseDraft, Explanation, Phrases, SuspectExplanation, TaskDraft
from toolworld.spec.findings import FileFindings, suggest
from toolworld.spec.model import DomainFile, SnakeName
from toolworld.spec.scenarios import ScenarioWords
from toolworld.spec.yamltext import Document, Path

PartT = TypeVar(
    "PartT",
    DomainFile,
    Phrases,
    tuple[TaskDraft, ...],
    tuple[CaseDraft, ...],
    tuple[Explanation, ...],
    tuple[SuspectExplanation, ...],
    dict[SnakeName, ScenarioWords],
)

MENDS = {
    "missing": "Add it.",
    "string_type": "Write a text; put it in quotes if YAML takes it for something else.",
    "int_type": "Write a whole number.",
    "int_parsing": "Write a whole number.",
    "bool_type": "Write true or false.",
    "bool_parsing": "Write true or false.",
    "dict_type": "Write `name: value` lines, indented.",
    "model_type": "Write `name: value` lines, indented.",
    "tuple_type": "Write a list, with a dash before each item.",
    "list_type": "Write a list, with a dash before each item.",
    "literal_error": "Use one of these.",
    "too_short": "Give at least one.",
    "string_too_short": "Write at least one character.",
    "string_too_long": "Shorten it.",
    "timezone_aware": "End it in Z, for UTC.",
    "datetime_from_date_parsing": "Write it as 2026-03-02T09:00:00Z.",
    "datetime_parsing": "Write it as 2026-03-02T09:00:00Z.",
}
NAMES = {
    r"^[a-z][a-z0-9_]{0,39}$": "Use up to 40 lower-case letters, digits and _, a letter first.",
    r"^[A-Z][A-Za-z0-9]{0,39}$": "Use letters and digits, a capital first, as in GiftCard.",
    r"^(list of )*[A-Za-z][A-Za-z0-9]*$": "Use a type such as text, Loan or list of Fee.",
    r"^[A-Z][A-Z0-9]{0,7}$": "Use up to 8 capitals and digits, a capital first.",
    r"^[a-z][a-z0-9_]{1,30}$": "Use 2 to 31 lower-case letters, digits and _, a letter first.",
    r"^[a-z0-9_]{1,80}$": "Use lower-case letters, digits and _.",
    r"^[A-Za-z_][A-Za-z0-9_]*$": "Write the name of a function or constant of the tools.",
}
ADAPTERS: dict[type, TypeAdapter[Any]] = {}


def read_part(kind: type[PartT], document: Document, findings: FileFindings) -> PartT | None:
    """Make a part of a spec from YAML data; every shape error is a finding."""
    adapter = TypeAdapter[PartT](kind)
    value = document.value
    if value is None:
        findings.add(1, "empty", "The file is empty.", "Write its content.")
        return None
    try:
        return adapter.validate_json(json.dumps(value), strict=True)
    except ValidationError as error:
        for details in error.errors(include_url=False):
            _report(details, document, findings, kind)
        return None


def _report(
    details: ErrorDetails, document: Document, findings: FileFindings, kind: object
) -> None:
    path = tuple(part for part in details["loc"] if part != "[key]")
    line = document.line(path)
    where = ".".join(str(part) for part in path) or "The file"
    if details["type"] == "extra_forbidden":
        known = _fields_beside(kind, path, document)
        findings.add(
            line, "unknown-key", f"The key {where} is not known.",
            suggest(str(path[-1]), known) if known else "Leave it out.",
        )  # fmt: skip
        return
    rule = "missing-key" if details["type"] == "missing" else "bad-value"
    message = f"{where} is missing." if rule == "missing-key" else f"{where}: {details['msg']}."
    pattern = str(details.get("ctx", {}).get("pattern", ""))
    mend = NAMES.get(pattern) or MENDS.get(details["type"], "Correct the value.")
    findings.add(line, rule, message, mend)


def _fields_beside(kind: object, path: Path, document: Document) -> set[str]:
    """Return the keys the model around an unknown key does have."""
    model: object = kind
    for part in path[:-1]:
        model = _step(model, part)
    if isinstance(model, type) and issubclass(model, BaseModel):
        return set(model.model_fields)
    return set()


def _step(annotation: object, part: str | int) -> object:
    """Return the model one step down a path."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        field = annotation.model_fields.get(str(part))
        return _strip(field.annotation) if field else None
    arguments = get_args(annotation)
    if not arguments:
        return None
    return _strip(arguments[0] if isinstance(part, int) else arguments[-1])


def _strip(annotation: object) -> object:
    """Take ``Annotated`` and ``| None`` off."""
    arguments = [a for a in get_args(annotation) if a is not type(None)]
    optional = len(arguments) == 1 and type(None) in get_args(annotation)
    if get_origin(annotation) is Annotated or optional:
        return _strip(arguments[0])
    return annotation
