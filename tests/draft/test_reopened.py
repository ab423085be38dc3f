"""A draft that failed can be opened again: what passed is kept, what failed is asked for anew."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.draft.scripted import Scripted
from tests.draft.test_draft import BRIEF, answers, texts
from toolworld.draft import draft, open_draft
from toolworld.errors import DraftError

BAD = json.dumps({"name": "g"})


def failed(folder: Path, recorded: Mapping[str, str], why: str) -> Scripted:
    """Draft until it fails."""
    open_draft(folder, BRIEF, resume=(folder / "brief.json").is_file())
    backend = Scripted(recorded)
    with pytest.raises(DraftError, match=why):
        draft(folder, BRIEF, backend)
    return backend


def test_a_failed_stage_gets_as_many_rounds_again_and_no_more(tmp_path: Path) -> None:
    bad = {f"outline.{number}": BAD for number in range(1, 10)}
    for first in (1, 4, 7):
        asked = failed(tmp_path / "draft", bad, "asks for it up to 3 times more").asked
        assert [prompt.id for prompt in asked] == [f"outline.{first + n}" for n in range(3)]
        assert [prompt.left for prompt in asked] == [2, 1, 0]


def test_it_ends_as_a_draft_that_did_not_fail(tmp_path: Path) -> None:
    recorded = answers()
    good = recorded.pop("outline.1")
    failed(tmp_path / "draft", {f"outline.{n}": BAD for n in (1, 2, 3)}, "title: Field required")
    open_draft(tmp_path / "draft", BRIEF, resume=True)
    again = Scripted({**recorded, "outline.4": good})
    drafted = draft(tmp_path / "draft", BRIEF, again)
    open_draft(tmp_path / "other", BRIEF, resume=False)
    other = draft(tmp_path / "other", BRIEF, Scripted({**recorded, "outline.1": good}))
    assert texts(drafted.folder) == texts(other.folder)


def test_a_prompt_says_how_often_it_may_still_be_mended(tmp_path: Path) -> None:
    bad = {f"outline.{number}": BAD for number in (1, 2, 3)}
    first, second, third = failed(tmp_path / "draft", bad, "did not pass").asked
    assert "Your last answer" not in first.text
    assert "you may mend it once more" in second.text
    assert "This is the last time" in third.text


def test_a_stopped_stage_gets_only_the_rounds_that_were_left(tmp_path: Path) -> None:
    failed(tmp_path / "draft", {"outline.1": BAD}, "Nobody answers outline.2")
    bad = {f"outline.{number}": BAD for number in (2, 3)}
    asked = failed(tmp_path / "draft", bad, "did not pass").asked
    assert [prompt.id for prompt in asked] == ["outline.2", "outline.3"]


def test_tools_that_nothing_can_go_on_without_are_asked_for_once_more(tmp_path: Path) -> None:
    bad = {
        f"bodies-lending-1{again}.{number}": json.dumps(
            {"tools": [{"tool": name, "body": "return None"} for name in NEEDED]}
        )
        for again in ("", "-again")
        for number in range(1, 4)
    }
    recorded = {name: text for name, text in answers().items() if "bodies" not in name} | bad
    asked = failed(tmp_path / "draft", recorded, "Nothing is left that uses").asked
    assert [one.id for one in asked][-1] == "bodies-lending-1-again.3"
    good = answers()["bodies-lending-1.1"]
    mended = answers()["bodies-lending-1.2"]
    open_draft(tmp_path / "draft", BRIEF, resume=True)
    recorded |= {"bodies-lending-1-again.4": good, "bodies-lending-1-again.5": mended}
    drafted = draft(tmp_path / "draft", BRIEF, Scripted(recorded))
    assert drafted.tools["delivered"] == 4


NEEDED = ("list_games", "lend_game", "list_loans", "return_game")
