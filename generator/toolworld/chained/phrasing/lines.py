"""Phrases as compiled templates, each with the variables it uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any

from jinja2 import StrictUndefined, Template, UndefinedError, nodes
from jinja2.sandbox import SandboxedEnvironment

from toolworld.chained.phrasing.english import soft
from toolworld.chained.phrasing.spoken import Day, Moment
from toolworld.spec.filling import TooMuchText, filled

Path = tuple[str, ...]

WORDS = ("lower", "upper", "title", "capitalize", "trim")
FIGURES = ("round", "abs", "int", "float", "length")
"""The filters that are Jinja's own."""


class NothingToSay(Exception):
    """A phrase has a hole for which nothing is known; another phrase has to do."""


@dataclass(frozen=True)
class PhraseLine:
    """One phrase.

    Attributes:
        uses: The variables, each with the columns taken of it: ``("order", "total")``.
    """

    source: str
    template: Template = field(repr=False)
    uses: frozenset[Path]

    @cached_property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.source.rstrip().endswith("?")

    def names(self, variable: str) -> bool:
        """Return whether it says anything of a variable."""
        return any(path[0] == variable for path in self.uses)

    def say(self, values: Mapping[str, Any]) -> str:
        """Fill the holes.

        Raises:
            NothingToSay: A hole has no value, or one that is too long to be said.
        """
        try:
            text = filled(self.template, values)
        except (UndefinedError, TooMuchText) as error:
            raise NothingToSay(self.source) from error
        return text if self.source.startswith("{{") else soft(text)


def line_of(source: str) -> PhraseLine:
    """Compile a phrase."""
    tree = ENVIRONMENT.parse(source)
    return PhraseLine(source, ENVIRONMENT.from_string(source), frozenset(_uses(tree)))


def _uses(node: nodes.Node) -> Iterator[Path]:
    path = _path(node)
    if path:
        yield path
        return
    for child in node.iter_child_nodes():
        yield from _uses(child)


def _path(node: nodes.Node) -> Path:
    if isinstance(node, nodes.Name):
        return (node.name,)
    if isinstance(node, nodes.Getattr):
        owner = _path(node.node)
        return (*owner, node.attr) if owner else ()
    return ()


def _printed(value: Any) -> Any:
    if value is None:
        raise NothingToSay
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value


def _day(value: Day | None) -> str:
    return _printed(value).day()  # type: ignore[no-any-return]


def _time(value: Moment | None) -> str:
    return _printed(value).time()  # type: ignore[no-any-return]


def _of_words(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a text filter that works on what is said of a value, and on nothing missing."""

    @wraps(function)
    def of_words(value: Any, *rest: Any, **named: Any) -> Any:
        return function(str(_printed(value)), *rest, **named)

    return of_words


def _of_something(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a filter that says nothing of what is missing, rather than fail."""

    @wraps(function)
    def of_something(value: Any, *rest: Any) -> Any:
        if value is None:
            raise NothingToSay
        return function(value, *rest)

    return of_something


def _joined(value: Sequence[Any], between: str = "") -> str:
    return between.join(str(_printed(part)) for part in value)


def _item(place: int) -> Callable[[Sequence[Any]], Any]:
    """Return a filter that takes one item of a list."""

    def item(value: Sequence[Any]) -> Any:
        if not value:
            raise NothingToSay
        return value[place]

    return item


def _environment() -> SandboxedEnvironment:
    environment = SandboxedEnvironment(undefined=StrictUndefined, finalize=_printed)
    environment.globals.clear()  # Phrases call nothing, and each filling would copy them.
    jinja = environment.filters
    environment.filters = {
        "default": jinja["default"],
        **{name: _of_something(jinja[name]) for name in FIGURES},
        **{name: _of_words(jinja[name]) for name in WORDS},
        "replace": _of_words(str.replace),
        "join": _of_something(_joined),
        "first": _item(0),
        "last": _item(-1),
        "day": _of_something(_day),
        "time": _of_something(_time),
    }
    return environment


ENVIRONMENT = _environment()
