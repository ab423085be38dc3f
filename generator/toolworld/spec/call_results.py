"""Results of calls that depend on the arguments."""

from __future__ import annotations

from dataclasses import replace

from toolworld.spec.shapes import ANY, INTEGER, NONE, Shape, join, join_all, list_of


def resolved(result: Shape, owner: Shape) -> Shape:
    """Return a method's result, where it depends on the object."""
    key, value = (*owner.items, ANY, ANY)[:2] if owner.name == "dict" else (ANY, ANY)
    placeholders = {
        "self": owner,
        "element": owner.element,
        "keys": Shape("iterator", items=(key,)),
        "values": Shape("iterator", items=(value,)),
        "items": Shape("iterator", items=(Shape("pair", items=(key, value)),)),
        "page-items": list_of(owner.element),
    }
    return placeholders.get(result.name, result)


def value_in_dict(method: str, owner: Shape, given: list[Shape]) -> Shape:
    """Return the result of a dictionary's method: one of its values, or a default."""
    value = owner.items[1] if len(owner.items) > 1 else ANY
    if len(given) > 1:
        return join(value, given[1])
    return value.or_none() if method == "get" and value != ANY else value


def made_up(result: Shape, given: list[Shape]) -> Shape:
    """Return the shape of the result of a method of ``Fake``."""
    element = given[0].element if given else ANY
    if result.name == "element":
        return element
    return list_of(element) if result.name == "list-of-element" else result


def result_of_builtin(name: str, given: list[Shape], named: dict[str, Shape]) -> Shape:
    """Return the result of a builtin function, by the shapes of its arguments."""
    first = given[0] if given else ANY
    if name in ("list", "sorted", "tuple", "reversed"):
        items = (first.element,) if given and first.element != ANY else ()
        return Shape("iterator" if name == "reversed" else "list", items=items)
    if name == "set":
        return Shape("set", items=(first.element,) if given else ())
    if name == "dict":
        return first if first.name == "dict" else Shape("dict")
    if name in ("min", "max"):
        found = join_all(tuple(given)) if len(given) > 1 else first.element
        return join(found, named["default"]) if "default" in named else found
    if name == "sum":
        start = given[1] if len(given) > 1 else named.get("start", INTEGER)
        return replace(join(first.element, start), null=False)
    return _plain_result(name, given, first)


def _plain_result(name: str, given: list[Shape], first: Shape) -> Shape:
    if name == "abs":
        return first
    if name == "round":
        return INTEGER if len(given) == 1 else first
    if name == "range":
        return Shape("iterator", items=(INTEGER,))
    if name == "enumerate":
        return Shape("iterator", items=(Shape("pair", items=(INTEGER, first.element)),))
    if name == "zip":
        pair = Shape("pair", items=tuple(shape.element for shape in given))
        return Shape("iterator", items=(pair,))
    if name == "page":
        return Shape("page", items=(first.element,))
    return NONE if name == "print" else ANY
