"""Tools read from the functions of ``tools.py``: parameters, documentation and result type."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from toolworld.spec.annotations import MEND, read_annotation
from toolworld.spec.docstrings import Docstring, parse_docstring
from toolworld.spec.findings import FileFindings, suggest
from toolworld.spec.model import LIST_PREFIX, DomainFile, Parameter, Tool
from toolworld.spec.shapes import ANY, DATABASE, Shape
from toolworld.spec.source import Source

PARAMETER_SHAPES = {
    "text", "integer", "number", "money", "boolean", "date", "datetime", "enum", "object", "list",
}  # fmt: skip
DEFAULTS: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "enum": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}


@dataclass(frozen=True)
class Slot:
    """One parameter of a function, as inference needs it."""

    name: str
    shape: Shape
    required: bool


@dataclass(frozen=True)
class Signature:
    """One function of a module, tool or helper."""

    name: str
    slots: tuple[Slot, ...]
    result: Shape
    node: ast.FunctionDef

    @property
    def is_helper(self) -> bool:
        """Whether it is private to its module."""
        return self.name.startswith("_")


def read_signatures(source: Source, domain: DomainFile, findings: FileFindings) -> list[Signature]:
    """Read every function's types; a missing or unknown one is a finding and becomes ``any``."""
    return [_signature(node, domain, findings) for node in source.functions]


def _signature(node: ast.FunctionDef, domain: DomainFile, findings: FileFindings) -> Signature:
    arguments = [*node.args.args, *node.args.kwonlyargs]
    plain = len(node.args.args) - len(node.args.defaults)
    slots = []
    for number, argument in enumerate(arguments):
        shape = _slot_shape(argument, domain, findings)
        slots.append(Slot(argument.arg, shape, number < plain))
    return Signature(node.name, tuple(slots), _result_shape(node, domain, findings), node)


def _slot_shape(argument: ast.arg, domain: DomainFile, findings: FileFindings) -> Shape:
    if argument.annotation is None:
        findings.add(
            argument, "untyped-parameter", f"The parameter {argument.arg} has no type.", MEND
        )
        return ANY
    return _known(argument.annotation, domain, findings)


def _result_shape(node: ast.FunctionDef, domain: DomainFile, findings: FileFindings) -> Shape:
    if node.returns is None:
        findings.add(
            node, "untyped-result", f"{node.name} does not say what it returns.",
            "Write `-> Type` before the colon.",
        )  # fmt: skip
        return ANY
    return _known(node.returns, domain, findings)


def _known(annotation: ast.expr, domain: DomainFile, findings: FileFindings) -> Shape:
    shape = read_annotation(annotation, domain)
    if shape is not None:
        return shape
    text = ast.unparse(annotation)
    known = {"str", "int", "float", "bool", "Money", "date", "datetime", "list", "Page"}
    known |= {*domain.enums, *domain.objects, *domain.entities}
    known |= {f"{entity}Id" for entity in domain.entities}
    hint = suggest(text, known)
    mend = f"{hint} {MEND}" if hint.startswith("Did") else MEND
    findings.add(annotation, "unknown-type", f"The type {text} is not known here.", mend)
    return ANY


def read_tools(
    signatures: list[Signature], domain: DomainFile, findings: FileFindings
) -> list[Tool]:
    """Make the tools of the public functions; their effects are filled in later."""
    return [
        _tool(signature, domain, findings) for signature in signatures if not signature.is_helper
    ]


def _tool(signature: Signature, domain: DomainFile, findings: FileFindings) -> Tool:
    node = signature.node
    words = _documentation(signature, findings)
    if not signature.slots or signature.slots[0] != Slot("db", DATABASE, True):
        findings.add(
            node, "first-parameter", f"{node.name} does not start with the database.",
            "Make `db: Database` the first parameter.",
        )  # fmt: skip
    result = _tool_result(signature, domain, findings)
    return Tool.model_construct(
        name=node.name,
        summary=words.summary,
        details=words.details,
        parameters=tuple(_parameters(signature, words, findings)),
        result=result.of,
        paged=signature.result.name == "page",
        rejections=tuple(text for name, text in words.raises if name == "Rejected"),
        line=node.lineno,
    )


def _tool_result(signature: Signature, domain: DomainFile, findings: FileFindings) -> Shape:
    result = signature.result.element if signature.result.name == "page" else signature.result
    if signature.result != ANY and (result.name not in ("row", "object") or result.null):
        findings.add(
            signature.node.returns or signature.node,
            "result-type",
            f"{signature.name} returns {signature.result}, which is no JSON object.",
            "Return an entity, an object of domain.yaml, or Page[...] of one of these.",
        )
    return result


def _documentation(signature: Signature, findings: FileFindings) -> Docstring:
    node, name = signature.node, signature.name
    text = ast.get_docstring(node, clean=False) or ""
    words = parse_docstring(text)
    lines = [line.strip() for line in text.splitlines()]
    if not lines or not lines[0]:
        findings.add(
            node, "no-docstring", f"{name} does not say what it does.",
            "Say it in the first line of a docstring.",
        )  # fmt: skip
        return words
    if lines[0][-1] not in ".?!" or any(lines[1:2]):
        findings.add(
            node.body[0], "summary", f"The docstring of {name} opens with no one-line sentence.",
            "End its first line in a full stop, and leave the next one empty.",
        )  # fmt: skip
    parameters = {slot.name for slot in signature.slots[1:]}
    for extra in sorted(set(words.arguments) - parameters):
        findings.add(
            node.body[0], "unknown-parameter", f"{name} documents {extra}, which it does not take.",
            suggest(extra, parameters, "It takes"),
        )  # fmt: skip
    for raised, _ in words.raises:
        if raised != "Rejected":
            findings.add(
                node.body[0], "raises", f"{name} documents {raised} under Raises.",
                "A tool raises Rejected only: one `Rejected: ...` line for each way.",
            )  # fmt: skip
    return words


def _parameters(signature: Signature, words: Docstring, findings: FileFindings) -> list[Parameter]:
    arguments = {argument.arg: argument for argument in signature.node.args.args}
    defaults = dict(
        zip(
            reversed(signature.node.args.args), reversed(signature.node.args.defaults), strict=False
        )
    )
    found = []
    for slot in signature.slots[1:]:
        argument = arguments.get(slot.name)
        if argument is None:
            continue  # keyword-only: the subset check refuses it
        if not words.arguments.get(slot.name) and words.summary:
            findings.add(
                argument, "undocumented-parameter", f"The parameter {slot.name} is not described.",
                f"Add `{slot.name}: ...` under Args.",
            )  # fmt: skip
        found.append(
            Parameter.model_construct(
                name=slot.name,
                type=_type_name(slot, argument, findings),
                description=words.arguments.get(slot.name, ""),
                nullable=slot.shape.null,
                required=slot.required,
                default=_default(slot, argument, defaults.get(argument), findings),
            )
        )
    return found


def _type_name(slot: Slot, argument: ast.arg, findings: FileFindings) -> str:
    """Return a parameter's type as ``domain.yaml`` writes it."""
    name = type_name(slot.shape)
    if name is None and slot.shape != ANY:
        findings.add(
            argument, "parameter-type", f"The parameter {slot.name} cannot be {slot.shape}.", MEND
        )
    return name or "text"


def type_name(shape: Shape) -> str | None:
    """Return the name ``domain.yaml`` has for a shape, or None if tools cannot take it."""
    if shape.name not in PARAMETER_SHAPES:
        return None
    if shape.name == "list":
        inner = None if shape.element.null else type_name(shape.element)
        return inner and LIST_PREFIX + inner
    return shape.of or shape.name


def _default(
    slot: Slot, argument: ast.arg, node: ast.expr | None, findings: FileFindings
) -> str | int | float | bool | None:
    if node is None:
        if slot.shape.null:
            findings.add(
                argument, "default", f"The parameter {slot.name} may be None but has no default.",
                "Give it `= None`.",
            )  # fmt: skip
        return None
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        value = ...
    if _suits(slot.shape, value):
        return value  # type: ignore[no-any-return]
    findings.add(
        argument, "default", f"The default of {slot.name} is not {slot.shape}.",
        "Write a literal of the parameter's type, or `X | None = None`.",
    )  # fmt: skip
    return None


def _suits(shape: Shape, value: object) -> bool:
    if value is None:
        return shape.null or shape == ANY
    if isinstance(value, bool) and shape.name != "boolean":
        return False
    if shape.name == "enum" and value not in (shape.literals or ()):
        return False
    return isinstance(value, DEFAULTS.get(shape.name, ()))
