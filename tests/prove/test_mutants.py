"""The mistakes that are made in code: which, in what words, and what becomes of the code."""

from __future__ import annotations

import ast
import copy

import pytest

from toolworld.prove.code import Code
from toolworld.prove.mutants import edits_of, mutants_of

LONG = "f(" + " + ".join(["number"] * 9) + ", {})"
CHAIN = """FIRST = 5
SECOND = FIRST + 1


def tool(db, number):
    return number > SECOND
"""
RANDOM_PLACES = """def tool(db, number):
    if number > 1:
        number = 2
    return number
"""


def mistakes(source: str) -> list[tuple[str, str, str]]:
    """Return each mistake at the outermost node of a statement: kind, words, and the code then."""
    [statement] = ast.parse(source).body
    found = []
    for node in [statement, *ast.iter_child_nodes(statement)]:
        place = list(ast.walk(statement)).index(node)
        for kind, change, edit in edits_of(node):
            other = copy.deepcopy(statement)
            edit(list(ast.walk(other))[place])
            found.append((kind, change, ast.unparse(other)))
    return [one for one in found if one[0] != "dropped statement" or "=" not in source]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a == b", [("comparison", "== became != in: a == b", "x = a != b")]),
        ("x = a is b", [("comparison", "is became is not in: a is b", "x = a is not b")]),
        (
            "x = a < b",
            [
                ("comparison", "< became >= in: a < b", "x = a >= b"),
                ("boundary", "< became <= in: a < b", "x = a <= b"),
            ],
        ),
        ("x = a and b", [("boolean operator", "and became or in: a and b", "x = a or b")]),
        ("x = a - b", [("arithmetic", "- became + in: a - b", "x = a + b")]),
        ("x += b", [("arithmetic", "+ became - in: x += b", "x -= b")]),
        ("x = 'a' + b", []),
        ("x = f'{a}' + b", []),
        ("x = a ** b", []),
        ("x = not a", [("boolean operator", "not a without not", "x = not not a")]),
        ("x = -a", []),
        ("x = True", [("constant", "True became False", "x = False")]),
        ("x = 3", [("constant", "3 became 4", "x = 4")]),
        ("x = 0.5", [("constant", "0.5 became 1.5", "x = 1.5")]),
        ("x = 'abc'", [("constant", "'abc' became 'abc-'", "x = 'abc-'")]),
        ("x = ''", [("constant", "'' became '-'", "x = '-'")]),
        ("x = '1.5'", [("constant", "'1.5' became '2.5'", "x = '2.5'")]),
        ("x = None", []),
        ("x = f(a, b)", [("swapped arguments", "f(a, b)", "x = f(b, a)")]),
        (
            "x = f(a, b, c)",
            [
                ("swapped arguments", "f(a, b, c)", "x = f(b, a, c)"),
                ("swapped arguments", "f(a, b, c)", "x = f(a, c, b)"),
            ],
        ),
        ("x = f(a, a)", []),
        ("x = f(a)", []),
        ("x = max(a, b)", []),
        ("x = db.max(a, b)", [("swapped arguments", "db.max(a, b)", "x = db.max(b, a)")]),
        ("x = f(*a, b)", []),
        ("x = f(a, *b)", []),
        ("x = f((n for n in a), b)", []),
        (
            "if a:\n    raise Wrong",
            [("dropped check", "if a: raise ...", "if False:\n    raise Wrong")],
        ),
        ("if a:\n    b = c", []),
        ("f()", [("dropped statement", "f()", "None")]),
    ],
)
def test_what_mistakes_are_made(source: str, expected: list[tuple[str, str, str]]) -> None:
    assert mistakes(source) == expected


def test_long_code_is_shown_to_its_ninetieth_character() -> None:
    for length, shown in ((90, 90), (91, 90)):
        source = LONG.format("x" * (length - len(LONG.format(""))))
        [(_, change, _)] = mistakes(f"x = {source}")
        assert len(change) == shown
        assert change.endswith("...") == (length > 90)
        assert source.startswith(change.removesuffix("...") if length > 90 else change)


def test_a_constant_is_met_where_others_that_it_makes_are_used() -> None:
    [mutant] = [one for one in mutants_of(Code({"tools.py": CHAIN}), "FIRST")]
    assert mutant.statements == {(6, 4)}


def test_a_mutant_says_the_statement_that_a_call_must_run_to_meet_it() -> None:
    made = mutants_of(Code({"tools.py": RANDOM_PLACES}), "tool")
    assert {one.change: set(one.statements) for one in made} == {
        "> became <= in: number > 1": {(2, 4)},
        "> became >= in: number > 1": {(2, 4)},
        "1 became 2": {(2, 4)},
        "2 became 3": {(3, 8)},
    }


def test_a_report_says_where_a_survivor_is_and_what_its_line_says() -> None:
    code = Code({"tools.py": RANDOM_PLACES})
    last = mutants_of(code, "tool")[-1]
    told = last.as_json(code)
    assert told == {
        "function": "tool",
        "file": "tools.py",
        "line": 3,
        "source": "number = 2",
        "kind": "constant",
        "change": "2 became 3",
    }
