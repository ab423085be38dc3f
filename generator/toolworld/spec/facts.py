"""The facts about one function's own code, without its callees."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

GENERAL_CODE = "rejected"
"""The code of a rejection that has none of its own."""


@dataclass(frozen=True)
class HelperCall:
    """A call of another function of the module.

    Attributes:
        callee: The function called.
        passed: Its parameters that get one of the caller's parameters unchanged.
    """

    callee: str
    passed: tuple[tuple[str, str], ...]


@dataclass
class FunctionFacts:
    """What one function does by itself.

    Attributes:
        reads: Tables and ``table.column`` names looked at.
        writes: ``table.column`` names updated.
        requires: Parameter and entity of each ``get`` of a parameter.
        rejects: Messages, f-string holes as ``{...}``.
        codes: Codes of its rejections, those of ``get``, ``page`` and ``money`` included.
    """

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    creates: set[str] = field(default_factory=set)
    deletes: set[str] = field(default_factory=set)
    requires: dict[tuple[str, str], None] = field(default_factory=dict)
    rejects: dict[str, None] = field(default_factory=dict)
    codes: dict[str, None] = field(default_factory=dict)
    calls: dict[HelperCall, None] = field(default_factory=dict)


def code_of(rejection: ast.Call) -> str:
    """Return the code of a rejection; one that has only a message has the general one."""
    first = rejection.args[0] if len(rejection.args) > 1 else None
    return str(first.value) if isinstance(first, ast.Constant) else GENERAL_CODE


def message_of(node: ast.expr) -> str:
    """Return a rejection's message; what is only known at run time becomes ``{...}``."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{...}" for part in node.values
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return message_of(node.left) + message_of(node.right)
    return "{...}"
