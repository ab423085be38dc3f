"""What a player types, read as arguments, and laid out again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolworld.errors import PlayError
from toolworld.jsonvalues import JsonObject, JsonValue
from toolworld.play.completion import completions
from toolworld.play.outline import MOST_ITEMS, outline
from toolworld.play.reading import read_answer, read_arguments, spelled_call

TEXT, COUNT, SWITCH = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
MAYBE = {"anyOf": [{"type": "string", "enum": ["open", "lost"]}, {"type": "null"}]}
PARAMETERS = {
    "name": TEXT,
    "count": COUNT,
    "price": {"type": "number"},
    "gift": SWITCH,
    "status": MAYBE,
    "ids": {"type": "array", "items": TEXT},
    "sizes": {"type": "array", "items": COUNT},
}
TOOL: dict[str, Any] = {"name": "order", "inputSchema": {"properties": PARAMETERS}}


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("", {}),
        ("name=Ada", {"name": "Ada"}),
        ("  name='Ada Brook'   count=3 ", {"name": "Ada Brook", "count": 3}),
        ('name="Ada \\"Brook\\"" gift=yes', {"name": 'Ada "Brook"', "gift": True}),
        ("name=O'Brien", {"name": "O'Brien"}),
        ("name=5 count=5 price=5.5", {"name": "5", "count": 5, "price": 5.5}),
        ("name=null status=null", {"name": "null", "status": None}),
        ('status="null"', {"status": "null"}),
        ("ids=a,b sizes=1,2", {"ids": ["a", "b"], "sizes": [1, 2]}),
        ('ids=["a b", "c"] name=x', {"ids": ["a b", "c"], "name": "x"}),
        ("name=a=b", {"name": "a=b"}),
        ("name=", {"name": ""}),
        ('{"name": "Ada", "count": 3}', {"name": "Ada", "count": 3}),
        ("unheard=of", {"unheard": "of"}),
        ("count=three", {"count": "three"}),
        ("count=NaN", {"count": "NaN"}),
        ("gift=maybe", {"gift": "maybe"}),
    ],
)
def test_arguments_are_read(line: str, arguments: JsonObject) -> None:
    assert read_arguments(line, TOOL) == arguments


@pytest.mark.parametrize(
    "line",
    ["Ada", "name=Ada Brook", "name=a name=b", '{"name": ', '{"a": NaN}', "ids=[1", 'name="a"b']
    + ['{"a": ' + "[" * 100_000, '{"a": ' + "9" * 5_000 + "}"],
)
def test_other_lines_are_one_error(line: str) -> None:
    with pytest.raises(PlayError):
        read_arguments(line, TOOL)


@pytest.mark.parametrize(
    ("typed", "schema", "value"),
    [
        ("two words", TEXT, "two words"),
        ('""', TEXT, ""),
        ('"Hm" she said', TEXT, '"Hm" she said'),
        ("a, b", PARAMETERS["ids"], ["a", "b"]),
        ('["a"]', PARAMETERS["ids"], ["a"]),
        ("No", SWITCH, False),
    ],
)
def test_answers_to_questions_are_read(typed: str, schema: JsonObject, value: JsonValue) -> None:
    assert read_answer(typed, schema) == value


plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(plain | st.text(), lambda inner: st.lists(inner), max_leaves=5)


@given(st.dictionaries(st.sampled_from(["a", "b_2", "längs"]), values))
def test_a_call_is_spelled_as_it_is_read(arguments: JsonObject) -> None:
    schemas = {
        name: {"anyOf": [COUNT, {"type": "number"}, SWITCH, {"type": "null"}]} for name in arguments
    }
    tool = {"inputSchema": {"properties": schemas}}
    line = spelled_call("order", arguments)
    assert read_arguments(line.removeprefix("order"), tool) == arguments


def test_a_short_value_stands_on_one_line() -> None:
    assert outline({"a": 1, "b": {"c": [1, 2]}}, 40) == 'a: 1\nb: {"c": [1, 2]}'
    assert outline({}, 40) == "{}"
    assert outline({"items": []}, 5) == "items: []"
    assert outline("text", 2) == '"text"'


def test_a_long_value_is_laid_out_and_a_long_list_shortened() -> None:
    rows: list[JsonValue] = [{"key": number, "word": "w" * 12} for number in range(25)]
    lines = outline({"items": rows, "total": 25}, 30).splitlines()
    assert lines[:4] == ["items:", "  - key: 0", '    word: "wwwwwwwwwwww"', "  - key: 1"]
    assert lines[-2:] == [f"  ... and {25 - MOST_ITEMS} more", "total: 25"]


TOOLS = {"order": TOOL}


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("", ["help", "order"]),
        ("show ", ["order"]),
        ("order status=", ["open", "lost"]),
        ("call order gift=", ["yes", "no"]),
        ("order unheard=", []),
        ("say ", []),
    ],
)
def test_words_that_may_follow(before: str, words: list[str]) -> None:
    assert completions(before, ["help"], TOOLS) == words


def test_parameters_that_were_given_are_not_offered_again() -> None:
    assert "name=" not in completions("order name=Ada ", [], TOOLS)
    assert "count=" in completions("call order name=Ada ", [], TOOLS)
