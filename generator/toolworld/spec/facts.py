"""What one function was seen to do, before what it calls is added."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field


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
class Facts:
    """What one function does by itself.

    Attributes:
        reads: Tables and ``table.column`` names looked at.
        writes: ``table.column`` names updated.
        requires: Parameter and entity of each ``get`` of a parameter.
        rejects: Messages, f-string holes as ``{...}``.
        checks: Whether it can reject in other ways: ``get``, ``page`` or ``money``.
    """

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    creates: set[str] = field(default_factory=set)
    deletes: set[str] = field(default_factory=set)
    requires: dict[tuple[str, str], None] = field(default_factory=dict)
    rejects: dict[str, None] = field(default_factory=dict)
    calls: dict[HelperCall, None] = field(default_factory=dict)
    checks: bool = False


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
