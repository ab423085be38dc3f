"""The subset's rules for literals: sizes, plain decimals, plain formats."""

from __future__ import annotations

import ast
import math

from toolworld.spec.findings import FileFindings
from toolworld.spec.rules import (
    DATE_FORMAT,
    LARGEST_INTEGER,
    MOST_DECIMALS,
    MOST_TEXT,
    NUMBER_FORMAT,
)


def check_literal(node: ast.Constant, findings: FileFindings) -> None:
    """Refuse literals of types outside the subset, and literals that are too large."""
    value = node.value
    message = ""
    if isinstance(value, str):
        message = "The text is too long." if len(value) > MOST_TEXT else ""
    elif isinstance(value, float):
        message = "" if math.isfinite(value) else "The number is too large."
    elif isinstance(value, int):
        message = "The number is too large." if abs(value) > LARGEST_INTEGER else ""
    elif value is not None:
        message = f"A {type(value).__name__} is not allowed."
    if message:
        findings.add(node, "literal", message, "Use a plain text, number or None.")


def check_decimal(node: ast.Call, findings: FileFindings) -> None:
    """Refuse ``Decimal`` of a literal that is no plain number, such as an exponent."""
    for argument in node.args:
        value = argument.value if isinstance(argument, ast.Constant) else None
        if isinstance(value, str) and not MOST_DECIMALS.fullmatch(value):
            findings.add(
                argument, "literal", f"Decimal({value[:20]!r}) is no plain number.",
                'Write it as Decimal("12.50").',
            )  # fmt: skip


def check_format(node: ast.FormattedValue, findings: FileFindings) -> None:
    """Refuse formats that are computed, very wide, or neither for a number nor for a date."""
    spec = node.format_spec
    if spec is None:
        return
    parts = spec.values if isinstance(spec, ast.JoinedStr) else [spec]
    text = "".join(str(p.value) if isinstance(p, ast.Constant) else "{" for p in parts)
    is_date = "%" in text and DATE_FORMAT.fullmatch(text)
    if not is_date and not NUMBER_FORMAT.fullmatch(text):
        _refuse_format(node, findings)


def check_time_format(node: ast.Call, findings: FileFindings) -> None:
    """Refuse ``strftime`` with anything but a plain literal format."""
    for argument in [*node.args, *(word.value for word in node.keywords)]:
        value = argument.value if isinstance(argument, ast.Constant) else None
        if not isinstance(value, str) or not DATE_FORMAT.fullmatch(value):
            _refuse_format(argument, findings)


def _refuse_format(node: ast.AST, findings: FileFindings) -> None:
    findings.add(
        node, "format", "The format is not a plain one.",
        "Use one such as {n:05d}, {x:.2f} or {day:%d.%m.%Y}, with no holes in it.",
    )  # fmt: skip
