"""Shapes of values in tool code, inferred without running it.

A shape is deliberately coarse: ``any`` stands for everything not understood, and nothing is
ever held against it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from toolworld.spec.model import LIST_PREFIX, DomainFile, ObjectField


@dataclass(frozen=True)
class Shape:
    """What is known of a value.

    Attributes:
        name: ``text``, ``integer``, ``row``, ``list`` and so on.
        of: The entity, enum, object or table meant; for a text, the entity whose id it is.
        items: What it holds: one shape for a list, key and value for a dict.
        null: Whether it may be None.
        literals: All texts it can be: those in the code, or an enum's values.
    """

    name: str
    of: str = ""
    items: tuple[Shape, ...] = ()
    null: bool = False
    literals: frozenset[str] | None = None

    def or_none(self) -> Shape:
        """Return this, or None."""
        return replace(self, null=True)

    def not_none(self) -> Shape:
        """Return this without None."""
        return replace(self, null=False)

    @property
    def element(self) -> Shape:
        """What looping over it gives."""
        if self.name == "text":
            return TEXT
        if self.name == "pair":
            return join_all(self.items)
        return self.items[0] if self.items else ANY

    def __str__(self) -> str:
        """The words for a person."""
        words = WORDS.get(self.name, self.name)
        if self.name == "list":
            words = f"a list of {str(self.element).removeprefix('a ')}" if self.items else "a list"
        words = words.format(self.of)
        return f"an {words[2:]}" if words.startswith("a ") and words[2] in "AEIOUaeiou" else words


ANY = Shape("any")
NONE = Shape("none")
TEXT = Shape("text")
INTEGER = Shape("integer")
NUMBER = Shape("number")
MONEY = Shape("money")
BOOLEAN = Shape("boolean")
DATE = Shape("date")
DATETIME = Shape("datetime")
TIMEDELTA = Shape("timedelta")
DATABASE = Shape("database")
FAKE = Shape("fake")

WORDS = {
    "any": "anything",
    "none": "None",
    "text": "a text",
    "integer": "a whole number",
    "number": "a number",
    "money": "money (Decimal)",
    "boolean": "true or false",
    "date": "a date",
    "datetime": "a datetime",
    "timedelta": "a timedelta",
    "enum": "a {}",
    "row": "a {} row",
    "object": "a {} object",
    "page": "a page",
    "pair": "a tuple",
    "dict": "a dict",
    "set": "a set",
    "iterator": "an iterator",
}
SEQUENCES = {"list", "pair", "iterator"}
NUMBERS = {"integer", "number", "money", "boolean"}
EXACT = {"date", "datetime", "timedelta", "boolean", "database", "fake"}


def list_of(element: Shape) -> Shape:
    """Return the shape of a list, a tuple of any length or a column's list."""
    return Shape("list", items=(element,))


def literal(text: str) -> Shape:
    """Return the shape of a text literal."""
    return Shape("text", literals=frozenset([text]))


def field_shape(domain: DomainFile, field: ObjectField, key_of: str = "") -> Shape:
    """Return the shape of a column or field; ``key_of`` is given for an entity's key."""
    shape = type_shape(domain, field.type)
    if key_of and shape.name == "text":
        shape = Shape("text", of=key_of)
    return shape.or_none() if field.nullable else shape


def type_shape(domain: DomainFile, type_name: str) -> Shape:
    """Return the shape of a type name of ``domain.yaml``; ``any`` for unknown names."""
    if type_name.startswith(LIST_PREFIX):
        return list_of(type_shape(domain, type_name.removeprefix(LIST_PREFIX)))
    try:
        kind = domain.kind(type_name)
    except KeyError:
        return ANY
    if kind == "scalar":
        return Shape(type_name)
    if kind == "reference":
        return Shape("text", of=type_name)
    if kind == "enum":
        return enum_shape(domain, type_name)
    return Shape(kind, of=type_name)


def enum_shape(domain: DomainFile, name: str) -> Shape:
    """Return the shape of an enum's values."""
    return Shape("enum", of=name, literals=frozenset(domain.enums[name].values))


def join_all(shapes: tuple[Shape, ...]) -> Shape:
    """Return the common shape of several values; ``any`` if there is none."""
    if not shapes:
        return ANY
    result = shapes[0]
    for shape in shapes[1:]:
        result = join(result, shape)
    return result


def join(one: Shape, other: Shape) -> Shape:
    """Return the shape of a value that has one of two shapes."""
    if one == other:
        return one
    if one.name == "none" or other.name == "none":
        return (other if one.name == "none" else one).or_none()
    null = one.null or other.null
    if one.name == other.name:
        return _join_alike(one, other, null)
    if {one.name, other.name} <= NUMBERS:
        return _join_numbers(one, other, null)
    if {one.name, other.name} == {"text", "enum"}:
        return _join_texts(one, other, null)
    if {one.name, other.name} <= SEQUENCES:
        return replace(list_of(join(one.element, other.element)), null=null)
    return ANY


def _join_alike(one: Shape, other: Shape, null: bool) -> Shape:
    if one.name == "text" or (one.name == "enum" and one.of != other.of):
        return _join_texts(one, other, null)
    if one.of != other.of:
        return ANY
    return replace(one, items=_join_items(one, other), null=null)


def _join_texts(one: Shape, other: Shape, null: bool) -> Shape:
    if one.literals is None or other.literals is None:
        return Shape("text", one.of if one.of == other.of else "", (), null)
    literals = one.literals | other.literals
    for whole in (one, other):
        if whole.name == "enum" and whole.literals == literals:
            return replace(whole, null=null)
    return Shape("text", "", (), null, literals)


def _join_items(one: Shape, other: Shape) -> tuple[Shape, ...]:
    if not one.items or not other.items:
        return one.items or other.items
    if len(one.items) != len(other.items):
        return (join_all(one.items + other.items),)
    return tuple(join(a, b) for a, b in zip(one.items, other.items, strict=True))


def _join_numbers(one: Shape, other: Shape, null: bool) -> Shape:
    for name in ("money", "number", "integer"):
        if name in (one.name, other.name):
            return Shape(name, null=null)
    return ANY


def accepts(wanted: Shape, given: Shape) -> bool:
    """Return whether a value may fit a wanted shape; in doubt it may."""
    if "any" in (wanted.name, given.name) or given.name == "none":
        return True  # None is for the type checker, which narrows
    if wanted.name == "enum":
        return _enum_accepts(wanted, given)
    if wanted.name == "text":
        return given.name == "enum" or given.name == "text" and _same_id(wanted, given)
    if wanted.name == "number":
        return given.name in ("integer", "number")
    if wanted.name in SEQUENCES:
        return given.name in SEQUENCES and accepts(wanted.element, given.element)
    if wanted.name == "page":
        return given.name == "page" and accepts(wanted.element, given.element)
    return wanted.name == given.name and wanted.of == given.of


def _enum_accepts(wanted: Shape, given: Shape) -> bool:
    if given.literals is None or wanted.literals is None:
        return False
    return given.name == "text" or given.literals <= wanted.literals


def _same_id(wanted: Shape, given: Shape) -> bool:
    return not wanted.of or not given.of or wanted.of == given.of


def family(shape: Shape) -> str:
    """Return the group of shapes that may be compared with this one; empty in doubt."""
    if shape.name in NUMBERS:
        return "a number"
    if shape.name in ("text", "enum"):
        return "a text"
    if shape.name in EXACT | {"row", "object"}:
        return str(shape)
    return ""
