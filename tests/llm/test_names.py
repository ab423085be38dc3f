"""What earlier stages settled stands in the schemas of later ones, and nothing else passes."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from pydantic import ValidationError

from toolworld.draft.answers import Bodies, Outline, ToolPlans
from toolworld.llm.names import schema_of

NAMES = {
    "thing": ["Pet", "Owner"],
    "type": ["text", "date", "Species", "Pet", "Owner"],
    "result": ["Pet", "Owner", "summary"],
    "tool": ["find_pet"],
    "argument": [],
}


def plan(**changes: Any) -> dict[str, Any]:
    tool = {
        "name": "find_pet",
        "does": "Find a pet.",
        "arguments": [{"name": "name", "type": "text", "says": "Its name."}],
        "returns": "page of Pet",
        "refuses": [],
        "changes": [],
    }
    return {"tools": [{**tool, **changes}]}


def test_a_sound_answer_fits_the_schema_and_the_type() -> None:
    jsonschema.validate(plan(), schema_of(ToolPlans, NAMES))
    assert ToolPlans.model_validate(plan(), context=NAMES).tools[0].returns == "page of Pet"


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "find_dog"},
        {"returns": "page of Dog"},
        {"returns": "list of Pet"},
        {"arguments": [{"name": "dog_id", "type": "Dog", "says": "The dog."}]},
        {"changes": [{"does": "adds", "thing": "Dog"}]},
        {"changes": [{"does": "sells", "thing": "Pet"}]},
        {"note": "one more"},
    ],
)
def test_a_dangling_name_fits_neither(changes: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plan(**changes), schema_of(ToolPlans, NAMES))
    with pytest.raises(ValidationError):
        ToolPlans.model_validate(plan(**changes), context=NAMES)


def test_the_refusal_of_a_name_says_which_there_are() -> None:
    with pytest.raises(ValidationError, match='there is no tool "find_pat". Did you mean "find_p'):
        ToolPlans.model_validate(plan(name="find_pat"), context=NAMES)


def test_schemas_carry_only_the_names_they_use() -> None:
    assert "$defs" in schema_of(Bodies, NAMES)
    assert {"tool"} == {*NAMES} & {*schema_of(Bodies, NAMES)["$defs"]}
    assert not {*NAMES} & {*schema_of(Outline, {})["$defs"]}
