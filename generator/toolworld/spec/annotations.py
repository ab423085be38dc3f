"""Reading type annotations of tool code: a closed grammar, never evaluated."""

from __future__ import annotations

import ast

from toolworld.spec.model import DomainFile
from toolworld.spec.shapes import (
    ANY,
    BOOLEAN,
    DATABASE,
    DATE,
    DATETIME,
    FAKE,
    INTEGER,
    MONEY,
    NONE,
    NUMBER,
    TEXT,
    TIMEDELTA,
    Shape,
    enum_shape,
    join,
    list_of,
)

SIMPLE = {
    "str": TEXT,
    "int": INTEGER,
    "float": NUMBER,
    "bool": BOOLEAN,
    "Money": MONEY,
    "Decimal": MONEY,
    "date": DATE,
    "datetime": DATETIME,
    "timedelta": TIMEDELTA,
    "Database": DATABASE,
    "Fake": FAKE,
}
GENERIC = {"list": 1, "set": 1, "dict": 2, "Page": 1}
MEND = (
    "Use str, int, float, bool, Money, date, datetime, an enum, an entity or its ...Id, an "
    "object, list[...] or one of these with ` | None`."
)


def read_annotation(node: ast.expr, domain: DomainFile) -> Shape | None:
    """Return the shape of an annotation, or None if it is outside the grammar."""
    if isinstance(node, ast.Constant) and node.value is None:
        return NONE
    if isinstance(node, ast.Name):
        return _named(node.id, domain)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        left, right = read_annotation(node.left, domain), read_annotation(node.right, domain)
        if left is None or right is None or left == right == NONE:
            return None
        return join(left, right)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        return _generic(node.value.id, node.slice, domain)
    return None


def _named(name: str, domain: DomainFile) -> Shape | None:
    if name in SIMPLE:
        return SIMPLE[name]
    if name in domain.enums:
        return enum_shape(domain, name)
    if name in domain.objects:
        return Shape("object", of=name)
    if name in domain.entities:
        return Shape("row", of=name)
    entity = name.removesuffix("Id")
    if entity != name and entity in domain.entities:
        return Shape("text", of=entity)
    return None


def _generic(name: str, arguments: ast.expr, domain: DomainFile) -> Shape | None:
    nodes = arguments.elts if isinstance(arguments, ast.Tuple) else [arguments]
    if name == "tuple":
        return _tuple(nodes, domain)
    if len(nodes) != GENERIC.get(name):
        return None
    items = [read_annotation(node, domain) for node in nodes]
    known = tuple(item for item in items if item is not None)
    return Shape(name.lower(), items=known) if len(known) == len(items) else None


def _tuple(nodes: list[ast.expr], domain: DomainFile) -> Shape | None:
    last = nodes[-1] if nodes else None
    endless = isinstance(last, ast.Constant) and last.value is ...
    items = [read_annotation(node, domain) for node in (nodes[:-1] if endless else nodes)]
    known = tuple(item for item in items if item is not None)
    if len(known) != len(items):
        return None
    return list_of(known[0] if known else ANY) if endless else Shape("pair", items=known)
