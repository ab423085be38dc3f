"""The filters for templated texts, with the types of their inputs and results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from toolworld.spec.shapes import INTEGER, NUMBER, TEXT, Shape, join

NUMBERS = frozenset({"integer", "number", "money"})
ORDERED = NUMBERS | {"date", "datetime"}
"""What can be more or less than another."""
SAYABLE = ORDERED | {"text", "enum", "boolean", "any"}
"""What a hole can say; of a list or a row it takes a part."""
LIST_TO_SAY = "list to say"
"""A list of what can be said."""
MOST_GIVEN = 60
"""The longest text that a filter is given."""
MOST_PLACES = 6


@dataclass(frozen=True)
class TemplateFilter:
    """A filter.

    Attributes:
        takes: The kinds of value that it fits.
        gives: The shape of what it makes of one.
        accepts: Whether it can be given some literals.
        example: How it is written; empty if it is given nothing.
        once: Whether a hole can have it only once.
    """

    takes: frozenset[str]
    gives: Callable[[Shape], Shape]
    accepts: Callable[[Sequence[object]], bool]
    example: str = ""
    once: bool = False

    def usage(self, name: str) -> str:
        """Return how to use it, for the message of a problem."""
        return f"Write `{self.example}`." if self.example else f"Write `| {name}`, without more."


def kinds(shape: Shape) -> frozenset[str]:
    """Return the kinds that a value is of, as filters take them."""
    listed = shape.name == "list" and shape.element.name in SAYABLE
    return frozenset({shape.name, LIST_TO_SAY} if listed else {shape.name})


def _text(_: Shape) -> Shape:
    return TEXT


def _integer(_: Shape) -> Shape:
    return INTEGER


def _number(shape: Shape) -> Shape:
    return INTEGER if shape.name == "integer" else NUMBER


def _same(shape: Shape) -> Shape:
    return shape.not_none()


def _element(shape: Shape) -> Shape:
    return shape.element


def _or_text(shape: Shape) -> Shape:
    return join(shape.not_none(), TEXT)


def _nothing(given: Sequence[object]) -> bool:
    return not given


def _is_text(value: object, least: int = 0) -> bool:
    return isinstance(value, str) and least <= len(value) <= MOST_GIVEN


def _texts(given: Sequence[object], least: int, most: int) -> bool:
    return least <= len(given) <= most and all(_is_text(one) for one in given)


def _places(given: Sequence[object]) -> bool:
    return not given or len(given) == 1 and type(given[0]) is int and 0 <= given[0] <= MOST_PLACES


def _replacement(given: Sequence[object]) -> bool:
    return len(given) == 2 and _is_text(given[0], least=1) and _is_text(given[1])


def _fallback(given: Sequence[object]) -> bool:
    return bool(given) and _is_text(given[0]) and list(given[1:]) in ([], [True])


_WORDS = TemplateFilter(SAYABLE, _text, _nothing)
_FIGURE = TemplateFilter(NUMBERS, _same, _nothing)
_ITEM = TemplateFilter(frozenset({"list"}), _element, _nothing)

PHRASES: Mapping[str, TemplateFilter] = {
    **dict.fromkeys(("lower", "upper", "title", "capitalize", "trim"), _WORDS),
    "replace": TemplateFilter(SAYABLE, _text, _replacement, "| replace('_', ' ')", once=True),
    "default": TemplateFilter(SAYABLE, _or_text, _fallback, "| default('any', true)"),
    "round": TemplateFilter(NUMBERS, _number, _places, "| round(1)"),
    "abs": _FIGURE,
    "int": TemplateFilter(NUMBERS, _integer, _nothing),
    "float": TemplateFilter(NUMBERS, lambda _: NUMBER, _nothing),
    "length": TemplateFilter(frozenset({"list"}), _integer, _nothing),
    "join": TemplateFilter(
        frozenset({LIST_TO_SAY}), _text, partial(_texts, least=0, most=1), "| join(', ')", once=True
    ),
    "first": _ITEM,
    "last": _ITEM,
    "day": TemplateFilter(frozenset({"date", "datetime"}), _text, _nothing),
    "time": TemplateFilter(frozenset({"datetime"}), _text, _nothing),
}
"""The filters of ``phrases.yaml``."""

FACTS: Mapping[str, TemplateFilter] = {
    **dict.fromkeys(("sentence", "full", "capital", "lower", "cents"), _WORDS),
    "plural": TemplateFilter(
        SAYABLE, _text, partial(_texts, least=2, most=2), "| plural('are', 'is')"
    ),
}
"""The filters of the words of scenarios."""
