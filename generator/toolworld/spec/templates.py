"""What templates of texts may be made of: each node, filter and argument is on a list."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from jinja2 import TemplateSyntaxError, nodes
from jinja2.sandbox import SandboxedEnvironment

from toolworld.spec.shapes import ANY, INTEGER, NUMBER, TEXT, Shape

DEEPEST = 20
"""How deep the nodes of a template may be nested."""
MOST_LOOPS = 2
"""How many loops may be nested."""
LONGEST_JOINT, MOST_DIGITS = 10, 6

WORDS = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.Name, nodes.Const, nodes.Filter,
    nodes.If, nodes.CondExpr, nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not,
)  # fmt: skip
"""The nodes that every template may have."""

LISTS = frozenset({"list", "any"})
NUMBERS = frozenset({"integer", "number", "money", "any"})
DAYS, TIMES = frozenset({"date", "datetime", "any"}), frozenset({"datetime", "any"})
NO_WORDS = frozenset({"list", "row", "object"})


@dataclass(frozen=True)
class Filter:
    """How a filter may be used.

    Attributes:
        takes: The names of the shapes that it works on; empty for all that people can say.
        gives: What it makes of them; None for what it is given.
        fits: Whether it may have some arguments, which are constants.
    """

    takes: Collection[str]
    gives: Shape | None
    fits: Callable[[Sequence[object]], bool]


def _nothing(given: Sequence[object]) -> bool:
    return not given


def _digits(given: Sequence[object]) -> bool:
    return not given or [*given] in [[digits] for digits in range(MOST_DIGITS + 1)]


def _joint(given: Sequence[object]) -> bool:
    return len(given) <= 1 and all(
        isinstance(one, str) and len(one) <= LONGEST_JOINT for one in given
    )


def _one_value(given: Sequence[object]) -> bool:
    return len(given) == 1


def _no_longer(given: Sequence[object]) -> bool:
    """Whether one text is put in the place of another, which is no shorter."""
    if len(given) != 2:
        return False
    old, new = given
    return isinstance(old, str) and isinstance(new, str) and 0 < len(old) >= len(new)


def _two_texts(given: Sequence[object]) -> bool:
    return len(given) == 2 and all(isinstance(one, str) for one in given)


WORD = Filter((), TEXT, _nothing)
COUNT = Filter(NUMBERS, NUMBER, _nothing)
ITEM = Filter(LISTS, ANY, _nothing)


@dataclass(frozen=True)
class TemplateRules:
    """What templates of a kind may be made of.

    Attributes:
        nodes: The classes of nodes.
        filters: The filters by name.
        tests: The names of tests.
        mend: What to use instead of anything else.
    """

    nodes: tuple[type[nodes.Node], ...]
    filters: Mapping[str, Filter]
    tests: Collection[str]
    mend: str


PHRASE = TemplateRules(
    nodes=(*WORDS, nodes.Getattr, nodes.For, nodes.Test),
    filters={
        **dict.fromkeys(("lower", "upper", "title", "capitalize", "trim"), WORD),
        "abs": COUNT,
        "float": COUNT,
        "int": Filter(NUMBERS, INTEGER, _nothing),
        "round": Filter(NUMBERS, NUMBER, _digits),
        "length": Filter(LISTS, INTEGER, _nothing),
        "first": ITEM,
        "last": ITEM,
        "join": Filter(LISTS, TEXT, _joint),
        "default": Filter((), None, _one_value),
        "replace": Filter((), TEXT, _no_longer),
        "day": Filter(DAYS, TEXT, _nothing),
        "time": Filter(TIMES, TEXT, _nothing),
    },
    tests=("defined", "none", "undefined"),
    mend="Use {{ variable }}, {{ row.column }}, if, for and simple filters.",
)
"""The templates of ``phrases.yaml``."""

SAYING = TemplateRules(
    nodes=WORDS,
    filters={
        **dict.fromkeys(("capital", "cents", "full", "lower", "sentence"), WORD),
        "plural": Filter((), TEXT, _two_texts),
    },
    tests=(),
    mend="Use {{ fact }} and the filters capital, cents, full, lower, plural, sentence.",
)
"""The texts of scenarios."""


@dataclass(frozen=True)
class TemplateProblem:
    """What is wrong with a template, and what to do about it."""

    message: str
    mend: str


def read_template(
    text: str, rules: TemplateRules
) -> tuple[nodes.Template | None, list[TemplateProblem]]:
    """Return a template's tree, None if it has problems, and those.

    Args:
        text: The template.
        rules: What it may be made of.
    """
    try:
        tree = SandboxedEnvironment().parse(text)
    except TemplateSyntaxError as error:
        return None, [
            TemplateProblem(f"This is no template: {error.message}.", "Correct the braces.")
        ]
    except RecursionError:
        return None, [TOO_DEEP]
    problems = list(dict.fromkeys(_problems(tree, rules)))
    return (None, problems) if problems else (tree, [])


TOO_DEEP = TemplateProblem("The template is nested too deeply.", "Simplify it.")


def _problems(tree: nodes.Template, rules: TemplateRules) -> Iterator[TemplateProblem]:
    # Not by calling itself: what is nested too deeply is to be named.
    waiting: list[tuple[nodes.Node, int, int]] = [(tree, 0, 0)]
    while waiting:
        node, depth, loops = waiting.pop()
        loops += isinstance(node, nodes.For)
        if depth > DEEPEST or loops > MOST_LOOPS:
            yield TOO_DEEP
            return
        yield from _of_node(node, rules)
        waiting += [(child, depth + 1, loops) for child in node.iter_child_nodes()]


def _of_node(node: nodes.Node, rules: TemplateRules) -> Iterator[TemplateProblem]:
    name = getattr(node, "name", type(node).__name__.lower())
    if isinstance(node, nodes.Filter):
        filter_rules = rules.filters.get(node.name)
        if filter_rules is not None and not _has_fitting_arguments(node, filter_rules):
            yield TemplateProblem(
                f"The filter {name} cannot be used in this way.",
                "Give it no arguments, or short constants as in the examples of the README.",
            )
        allowed = filter_rules is not None
    elif isinstance(node, nodes.Test):
        allowed = node.name in rules.tests
    else:
        allowed = isinstance(node, rules.nodes) and _is_plain(node)
    if not allowed:
        yield TemplateProblem(f"A template cannot use {name}.", rules.mend)


def _is_plain(node: nodes.Node) -> bool:
    """Whether a loop is over all of a list, and an attribute is a column of a variable."""
    if isinstance(node, nodes.Getattr):
        return isinstance(node.node, nodes.Name | nodes.Getattr) and node.attr[0] != "_"
    return not isinstance(node, nodes.For) or (node.test is None and not node.recursive)


def _has_fitting_arguments(node: nodes.Filter, rules: Filter) -> bool:
    given = [one.value for one in node.args if isinstance(one, nodes.Const)]
    is_plain = len(given) == len(node.args) and not (
        node.kwargs or node.dyn_args or node.dyn_kwargs
    )
    return is_plain and rules.fits(given)


def misfit(node: nodes.Filter, given: Shape) -> TemplateProblem | None:
    """Return what is wrong with a filter of ``PHRASE`` for a value; None if nothing is."""
    takes = PHRASE.filters[node.name].takes
    fits = given.name in takes if takes else given.name not in NO_WORDS
    if fits:
        return None
    wanted = " or ".join(sorted(str(Shape(name)) for name in takes if name != "any"))
    return TemplateProblem(
        f"The filter {node.name} takes {wanted or 'what people say'}, and this is {given}.",
        "Use another filter, or another variable.",
    )
