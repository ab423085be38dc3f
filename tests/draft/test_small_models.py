"""What helps small models: counts in schemas, examples of their own world, mends that say how."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.draft.scripted import Scripted
from toolworld.draft import Brief, draft, open_draft
from toolworld.errors import DraftError
from toolworld.llm.journal import replies_of

BRIEF = Brief("a library that lends board games", 4)
TINY = Path(__file__).parent / "recordings" / "tiny.jsonl"


def asked(folder: Path, brief: Brief, answers: dict[str, str]) -> Scripted:
    """Draft with the answers there are, until one is missing."""
    backend = Scripted(answers)
    open_draft(folder, brief, resume=False)
    with pytest.raises(DraftError, match="Nobody answers"):
        draft(folder, brief, backend)
    return backend


def recorded(*prompts: str) -> dict[str, Any]:
    replies = replies_of(TINY)
    return {name: json.loads(replies[name].text) for name in prompts}


def test_a_plan_of_one_area_cannot_have_too_many_tools(tmp_path: Path) -> None:
    answers = recorded("outline.1", "plan.1")
    outline = {"outline.1": json.dumps(answers["outline.1"])}
    schema = asked(tmp_path / "draft", BRIEF, outline).asked[-1].schema
    jsonschema.validate(answers["plan.1"], schema)
    answers["plan.1"]["areas"][0]["tools"].append("burn_game")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(answers["plan.1"], schema)


def test_a_plan_is_shown_names_after_its_own_things(tmp_path: Path) -> None:
    answers = {"outline.1": json.dumps(recorded("outline.1")["outline.1"])}
    plan = asked(tmp_path / "draft", BRIEF, answers).asked[-1]
    assert "`find_member_by_name`, `list_loans`" in plan.text


def test_an_id_of_another_type_is_told_the_type_it_is_to_have(tmp_path: Path) -> None:
    answers = recorded("outline.1", "plan.1", "tools-lending.1")
    [lend] = [tool for tool in answers["tools-lending.1"]["tools"] if tool["name"] == "lend_game"]
    lend["arguments"][1]["type"] = "integer"
    lend["arguments"][0] |= {"name": "owner_id", "type": "text"}
    texts = {name: json.dumps(answer) for name, answer in answers.items()}
    findings = asked(tmp_path / "draft", BRIEF, texts).findings["tools-lending.1"]
    assert 'lend_game: "game_id" is integer; let its type be Game.' in findings
    assert 'lend_game: "owner_id" is text; let its type be Member or Game or Loan.' in findings
