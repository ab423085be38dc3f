"""Whatever a model answers, it is taken, told what is wrong with it, or refused: soon, in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from tests.draft.settled import RECORDED, asked, changed, with_code, with_tools
from toolworld.draft.answers import (
    Asking,
    Bodies,
    Call,
    Cases,
    Outline,
    People,
    Plan,
    Policy,
    Row,
    Seeds,
    ThingPlans,
    ToolPlans,
)  # fmt: skip
from toolworld.draft.blueprint import Blueprint
from toolworld.draft.stages.outline import outline, plan
from toolworld.draft.stages.tools import tools
from toolworld.errors import DraftError
from toolworld.llm.reading import Unfit, read_answer, unfenced

MEGABYTES = 2 * 2**20
KINDS: dict[str, type[BaseModel]] = {
    "outline.1": Outline, "plan.1": Plan, "tools-lending.1": ToolPlans, "things-1.1": ThingPlans,
    "seeds-1.1": Seeds, "bodies-lending-1.1": Bodies, "policy.1": Policy, "people.1": People,
    "asking-1.1": Asking, "cases-1.1": Cases,
}  # fmt: skip
ODD: tuple[Any, ...] = (
    None, 0, 1.5, True, "", [], {}, "class", "A" * 5000, [[]], ["x"] * 3000, "\x00", 10**30,
    "\"\\\n{{}}{%%}",
)  # fmt: skip
WHOLE = {
    "a long text": json.dumps({"name": "x" * MEGABYTES}),
    "a long key": json.dumps({"x" * MEGABYTES: 1}),
    "a deep list": "[" * 200_000 + "]" * 200_000,
    "deep objects": '{"a":' * 50_000 + "1" + "}" * 50_000,
    "half a character, escaped": '{"name": "\\ud800"}',
    "half a character": '{"name": "\ud800"}',
    "a long number": '{"name": ' + "1" * 100_000 + "}",
    "nothing": "",
    "null": "null",
    "an endless fence": "```json\n" + "\n" * 1_000_000,
    "many fences": "```json\n" * 100_000,
    "a list": "[]",
    "many keys": json.dumps(dict.fromkeys(map(str, range(100_000)), 1)),
}


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE)
def test_an_answer_that_is_none_is_told_what_is_wrong(text: str) -> None:
    with pytest.raises(Unfit) as caught:
        read_answer(Outline, text, {})
    assert caught.value.findings
    assert all(len(finding) < 500 for finding in caught.value.findings)


@pytest.mark.parametrize("prompt", KINDS)
def test_a_wrong_value_anywhere_is_taken_or_told(prompt: str) -> None:
    answer, names = json.loads(RECORDED[prompt]), with_code().names
    for path in nodes(answer):
        for value in ODD:
            with suppress(Unfit):
                read_answer(KINDS[prompt], json.dumps(put(answer, path, value)), names)


def nodes(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value[:2])
    for key, part in inner if isinstance(value, dict | list) else ():
        yield from nodes(part, (*path, key)) if isinstance(part, dict | list) else [(*path, key)]


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


def test_a_key_given_twice_is_told() -> None:
    twice = '{"name": "other",' + RECORDED["outline.1"][1:]
    with pytest.raises(Unfit, match='has the key "name" twice'):
        read_answer(Outline, twice, {})


def test_half_a_character_is_kept_as_it_came_and_told(tmp_path: Path) -> None:
    made = Blueprint(with_tools().brief)
    bad = {f"outline.{number}": '{"name": "\ud800"}' for number in (1, 2, 3)}
    with pytest.raises(DraftError, match="half of a character"):
        asked(tmp_path, outline, made, bad)
    again = asked(tmp_path, outline, made, {"outline.4": RECORDED["outline.1"]})
    again.asked[0].text.encode()


@pytest.mark.parametrize("text", ["```json\n{}\n```", "\n```\n{}\n```  \n", "{}"])
def test_a_fence_is_taken_off(text: str) -> None:
    assert json.loads(unfenced(text)) == {}


@pytest.mark.parametrize("name", ["return", "import", "print", "reset"])
def test_a_tool_cannot_be_called_what_code_keeps_for_itself(tmp_path: Path, name: str) -> None:
    def plant(answer: Any) -> None:
        answer["areas"][0]["tools"][0] = name

    assert f'"{name}" cannot name a tool' in refused_plan(tmp_path, plant)


@pytest.mark.parametrize(
    ("field", "names", "said"),
    [
        ("tools", ["list_games2", "list_games_2"], '"list_games_2" is too like "list_games2"'),
        ("tools", ["list_games", "list_games"], '"list_games" stands there twice'),
        ("choices", ["GameKind", "GAMEKind"], '"GAMEKind" is too like "GameKind"'),
        ("choices", ["LOAN", "LoanStatus"], '"LOAN" is too like "Loan"'),
    ],
)
def test_names_that_come_to_the_same_are_told(
    tmp_path: Path, field: str, names: list[str], said: str
) -> None:
    def plant(answer: Any) -> None:
        if field == "tools":
            answer["areas"][0]["tools"][:2] = names
        for choice, name in zip(answer["choices"], names, strict=True):
            choice["name"] = name if field == "choices" else choice["name"]

    assert said in refused_plan(tmp_path, plant)


def refused_plan(folder: Path, plant: Any) -> str:
    made = with_tools()
    made.things, made.tools, made.plan = {}, {}, None
    bad = changed("plan.1", plant)
    with pytest.raises(DraftError) as caught:
        asked(folder, plan, made, {f"plan.{number}": bad for number in (1, 2, 3)})
    return str(caught.value)


def test_thousands_of_tools_are_told_in_few_words(tmp_path: Path) -> None:
    def plant(answer: Any) -> None:
        answer["tools"] *= 4000

    made = with_tools()
    made.tools = {}
    bad = changed("tools-lending.1", plant)
    with pytest.raises(DraftError, match="at most 14 items") as caught:
        asked(tmp_path, tools, made, {f"tools-lending.{number}": bad for number in (1, 2, 3)})
    assert len(str(caught.value)) < 2000


@pytest.mark.parametrize(
    "columns",
    ["{", "[]", '"text"', "[" * 3000, '{"a": NaN}', '{"a": "\\ud800"}', 3, [], "{" + " " * 5000,
     '{"a":' * 20 + "1" + "}" * 20, '{"a": ' + "1" * 4000 + "0" * 400],
)  # fmt: skip
def test_columns_that_are_no_object_are_told(columns: Any) -> None:
    row = {"thing": "Loan", "id": "LOA-90001", "columns": columns}
    with pytest.raises(Unfit, match="columns"):
        read_answer(Row, json.dumps(row), with_tools().names)


def test_columns_and_arguments_are_taken_as_objects_and_as_their_text() -> None:
    names = with_tools().names
    for given in ({"days": 3, "name": "Zo\u00eb"}, '{"days": 3, "name": "Zo\u00eb"}'):
        call = read_answer(Call, json.dumps({"tool": "lend_game", "arguments": given}), names)
        assert json.loads(call.arguments) == {"days": 3, "name": "Zo\u00eb"}
    for nothing in (None, "null"):
        row = {"thing": "Loan", "id": "LOA-00001", "columns": nothing}
        assert read_answer(Row, json.dumps(row), names).columns == "null"
