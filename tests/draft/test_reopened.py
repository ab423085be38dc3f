"""A draft that failed can be opened again: what passed is kept, what failed is asked for anew."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.draft.scripted import Scripted
from tests.draft.settled import BODIES, MENDED, RECORDED, asked, changed, with_seeds
from tests.draft.test_draft import BRIEF
from toolworld.draft import draft, open_draft, trial
from toolworld.draft.blueprint import Blueprint
from toolworld.draft.stages.bodies import bodies
from toolworld.draft.stages.outline import outline
from toolworld.errors import DraftError

BAD = json.dumps({"name": "g"})
NO_CODE = json.dumps({"tools": [{"tool": name, "body": "return None"}
                                for name in with_seeds().tools]})  # fmt: skip


def failed(folder: Path, recorded: Mapping[str, str], why: str) -> Scripted:
    """Draft until it fails, from where it failed before."""
    open_draft(folder, BRIEF, resume=(folder / "brief.json").is_file())
    backend = Scripted(recorded)
    with pytest.raises(DraftError, match=why):
        draft(folder, BRIEF, backend)
    return backend


def test_a_failed_stage_gets_as_many_rounds_again_and_no_more(tmp_path: Path) -> None:
    bad = {f"outline.{number}": BAD for number in range(1, 10)}
    for first in (1, 4, 7):
        prompts = failed(tmp_path / "draft", bad, "asks for it up to 3 times more").asked
        assert [prompt.id for prompt in prompts] == [f"outline.{first + n}" for n in range(3)]
        assert [prompt.left for prompt in prompts] == [2, 1, 0]


def test_it_goes_on_with_the_answer_that_mends_it(tmp_path: Path) -> None:
    failed(tmp_path, {f"outline.{n}": BAD for n in (1, 2, 3)}, "title: Field required")
    made = Blueprint(BRIEF)
    again = asked(tmp_path, outline, made, {"outline.4": RECORDED["outline.1"]})
    assert made.world == with_seeds().world
    assert "title: Field required" in again.asked[0].text
    assert asked(tmp_path, outline, made, {}).asked == []


def test_a_prompt_says_how_often_it_may_still_be_mended(tmp_path: Path) -> None:
    bad = {f"outline.{number}": BAD for number in (1, 2, 3)}
    first, second, third = failed(tmp_path, bad, "did not pass").asked
    assert "Your last answer" not in first.text
    assert "you may mend it once more" in second.text
    assert "This is the last time" in third.text


def test_a_stopped_stage_gets_only_the_rounds_that_were_left(tmp_path: Path) -> None:
    failed(tmp_path, {"outline.1": BAD}, r"Nobody answers outline\.2")
    prompts = failed(tmp_path, {f"outline.{n}": BAD for n in (2, 3)}, "did not pass").asked
    assert [prompt.id for prompt in prompts] == ["outline.2", "outline.3"]


def test_tools_that_nothing_can_go_on_without_are_asked_for_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "_linted", lambda _: [])
    bad = {f"bodies-lending-1{turn}.{number}": NO_CODE
           for turn in ("", "-again") for number in (1, 2, 3)}  # fmt: skip
    with pytest.raises(
        DraftError, match="Nothing is left that uses Game, Loan, Member.*up to 3 times more"
    ):
        asked(tmp_path, bodies, with_seeds(), bad)
    [mended] = json.loads(RECORDED[MENDED])["tools"]
    good = changed(BODIES, lambda answer: answer["tools"].append(mended))
    made = with_seeds()
    again = asked(tmp_path, bodies, made, {"bodies-lending-1-again.4": good})
    assert [prompt.id for prompt in again.asked] == ["bodies-lending-1-again.4"]
    assert made.dropped == {}
