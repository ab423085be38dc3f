"""Changes to the text of a domain's files, as a model or an attacker could make them."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable

Random = random.Random
Change = Callable[[str, Random], str]

EXPRESSIONS = (
    "1 / 0", "10 ** 10 ** 10", "'a' * 999999999", "[0] * 10 ** 9", "().__class__", "db", "None",
    "__import__('os').system('true')", "open('/etc/passwd').read()", "eval('1')", "globals()",
    "print", "(lambda: 1)()", "[x for x in iter(int, 1)]", "date(99999, 1, 1)",
    "Decimal('1e999999')",
    "range(10 ** 18)", "sum(n for n in range(10 ** 12))", "list(list(list([])))", "...", "{}",
    "{**{}}", "db.__dict__", "getattr(db, 'x')", "type(db)", "exec('1')", "b'x'", "1j", "f'{db}'",
    "f'{1:{10 ** 9}}'", "'%999999999d' % 1", "db.today", "not_there", "-9 ** 99999", "True",
    "str(db).__len__()", "vars()", "breakpoint()", "(yield)", "await db",
    "''.join(['a'] * 10 ** 9)",
)  # fmt: skip
STATEMENTS = (
    "import os", "from os import system", "while True:\n    pass",
    "for x in iter(int, 1):\n    pass",
    "class A:\n    pass", "global db", "del db", "raise SystemExit", "raise Rejected('x')",
    "return", "assert False", "with open('x') as f:\n    pass", "try:\n    pass\nexcept:\n    pass",
    "db = None", "x = [1]\nfor y in x:\n    x.append(y)", "def inner():\n    return inner()",
    "text = 'a'\nfor n in range(99):\n    text *= 1000", "exec('1')", "yield 1", "nonlocal z", "1",
    "x: int", "@print\ndef f():\n    pass", "match db:\n    case _:\n        pass", "pass; pass",
)  # fmt: skip
SCALARS = (
    "null", "[]", "{}", "true", "0", "-1", "1e999", ".nan", ".inf", "9" * 400, "''", "'\\0'",
    "'{{ 1 }}'", "&a [*a]", "*nobody", "!!python/object/apply:os.system ['true']", "!!binary x",
    "'" + "x" * 20_000 + "'", "[" * 500, "{a: " * 200, "2026-02-30", "2026-13-01T99:00:00Z",
    "__class__",
    "'../../etc/passwd'", "\u202e", "\ufeff", "'\\ud800'", "|\n", ">-\n", "? x", "- x", "<<: *a",
    "int", "list of list of Rental", "Money", "date", "enum", "self", "None", "lambda", "id", "db",
)  # fmt: skip
ATOMS = (
    "1", "'a'", "price", "first_name", "item", "day", "reason", "None", "true", "[]", "{}", "self",
    "loop", "range(10 ** 9)", "''.__class__", "price.__class__", "config", "cycler", "lipsum()",
    "namespace()", "-1", "1.5", "'%s'", "not_there", "joiner", "dict(a=1)", "99 ** 99",
)  # fmt: skip
FILTERS = (
    "lower", "upper", "full", "short", "day", "sentence", "plural('a', 'b')", "replace('a', 'aa')",
    "round(400000000, 'ceil')", "center(10 ** 9)", "format(1)", "attr('__class__')", "map('upper')",
    "join('x' * 9)", "list", "batch(10)", "tojson", "pprint", "xmlattr", "wordwrap(1)",
    "indent(10 ** 8)",
    "default('x')", "first", "random", "safe", "e", "urlize", "sum", "groupby('a')",
    "select('odd')",
)  # fmt: skip
BLOCKS = (
    "{{% for x in range(10 ** 9) %}}{0}{{% endfor %}}", "{{% if {0} %}}a{{% endif %}}",
    "{{% set x = {0} %}}", "{{% include '/etc/passwd' %}}", "{{% import 'x' as y %}}",
    "{{% macro m() %}}{{{{ m() }}}}{{% endmacro %}}{{{{ m() }}}}", "{{% raw %}}", "{{# {0}",
    "{{{{ {0}",
    "{{% extends 'x' %}}", "{{% block a %}}{{% endblock %}}", "{{% do 1 %}}", "}}}}", "{{% %}}",
)  # fmt: skip
NOISE = (
    "\x00",
    "\r",
    "\t",
    "\u2028",
    "\ufeff",
    "'",
    '"',
    "(",
    "]",
    "{",
    "#",
    "\\",
    "\U0001f600",
    ":",
)
FILLED = re.compile(r"\{\{.*?\}\}")
VALUE = re.compile(r"(?m)^([ \t-]*[\w.]+:[ \t]*)(.+)$")
INDENT = "    "


def in_code(text: str, rng: Random) -> str:
    """Return Python code with an expression or a statement changed."""
    return rng.choice((_expression, _expression, _swapped, _nested, _statement, _noise))(text, rng)


def in_yaml(text: str, rng: Random) -> str:
    """Return YAML with a value, a line or a part changed."""
    return rng.choice((_value, _value, _value, _line, _noise, _cut))(text, rng)


def in_templates(text: str, rng: Random) -> str:
    """Return YAML with a template in it changed."""
    found = list(FILLED.finditer(text))
    if not found:
        return _value(text, rng)
    place = rng.choice(found)
    return text[: place.start()] + _template(rng) + text[place.end() :]


def in_words(text: str, rng: Random) -> str:
    """Return a text for people with a line changed."""
    return rng.choice((_line, _noise, _cut))(text, rng)


def _template(rng: Random) -> str:
    """Return a template of atoms, filters and blocks."""
    inside = rng.choice(ATOMS)
    for _ in range(rng.choice((0, 1, 1, 2, 3, 40))):
        inside = rng.choice((
            f"{inside} | {rng.choice(FILTERS)}", f"({inside}) | {rng.choice(FILTERS)}",
            f"({inside} * 999999)", f"({inside}).x", f"({inside})[0]",
            f"{inside} ~ {inside}"[:9_999], f"({inside})()", f"{inside} if 1 else 2",
        ))  # fmt: skip
    if rng.random() < 0.25:
        return rng.choice(BLOCKS).format(inside)
    return "{{ " + inside + " }}"


def _nodes(text: str) -> list[tuple[int, int]]:
    """Return where each expression of some code begins and ends."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return [
        (
            starts[node.lineno - 1] + node.col_offset,
            starts[node.end_lineno - 1] + node.end_col_offset,
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.expr) and node.end_lineno and node.end_col_offset is not None
    ]


def _put(text: str, rng: Random, make: Callable[[str], str]) -> str:
    nodes = _nodes(text)
    if not nodes:
        return _noise(text, rng)
    start, end = rng.choice(nodes)
    return text[:start] + make(text[start:end]) + text[end:]


def _expression(text: str, rng: Random) -> str:
    return _put(text, rng, lambda _: f"({rng.choice(EXPRESSIONS)})")


def _swapped(text: str, rng: Random) -> str:
    start, end = rng.choice(_nodes(text) or [(0, 0)])
    return _put(text, rng, lambda _: text[start:end])


def _nested(text: str, rng: Random) -> str:
    deep = rng.choice((2, 20, 200, 2_000))
    left, right = rng.choice((("list(", ")"), ("(", ")"), ("[", "][0]"), ("-", ""), ("not ", "")))
    return _put(text, rng, lambda old: left * deep + old + right * deep)


def _statement(text: str, rng: Random) -> str:
    lines = text.split("\n")
    places = [n for n, line in enumerate(lines) if line.startswith(INDENT) and line.strip()]
    place = rng.choice(places or [0])
    indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
    added = [indent + line for line in rng.choice(STATEMENTS).split("\n")]
    return "\n".join([*lines[:place], *added, *lines[place + rng.choice((0, 1)) :]])


def _value(text: str, rng: Random) -> str:
    found = list(VALUE.finditer(text))
    if not found:
        return _noise(text, rng)
    place = rng.choice(found)
    return text[: place.start(2)] + rng.choice(SCALARS) + text[place.end(2) :]


def _line(text: str, rng: Random) -> str:
    lines = text.split("\n")
    place = rng.randrange(len(lines))
    line = lines[place]
    put = rng.choice(
        ([], [line, line], [line] * 300, [INDENT + line], [line.lstrip()], lines[:place])
    )
    return "\n".join([*lines[:place], *put, *lines[place + 1 :]])


def _noise(text: str, rng: Random) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + rng.choice(NOISE) * rng.choice((1, 1, 3, 5_000)) + text[place:]


def _cut(text: str, rng: Random) -> str:
    start = rng.randrange(len(text) + 1)
    return text[:start] if rng.random() < 0.5 else text[:start] + text[start + rng.randrange(400) :]


def change_for(file: str) -> Change:
    """Return the function that changes the text of a file."""
    if file.endswith(".py"):
        return in_code
    return in_yaml if file.endswith(".yaml") else in_words
