"""The core: what a player can do, and what is refused."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.play.conftest import Open
from toolworld.errors import PackageLoadError, PlayError, ToolworldError
from toolworld.jsonvalues import JsonObject
from toolworld.packages import load_package
from toolworld.play import PlaySession, open_session, task_rows
from toolworld.play.steps import Exchange, MadeCall

GRETA = "greta.novak7@example.com"


def renew(session: PlaySession, loan: str = "LOA-00014") -> MadeCall:
    return session.call("renew_loan", {"loan_id": loan})


def test_the_first_task_is_opened_by_default(library: Open, golden_package: Path) -> None:
    opening = library().opening
    first = load_package(golden_package).tasks()[0]
    assert (opening.task, opening.message) == (first["id"], first["instruction"])
    assert opening.tools == len(first["tools"])


def test_a_call_tells_its_result_and_what_it_changed(library: Open) -> None:
    session = library()
    found = session.call("find_member", {"email": GRETA})
    assert (found.outcome, found.changes) == ("ok", ())
    assert isinstance(found.result, dict)
    assert found.result["email"] == GRETA
    renewed = renew(session)
    (change,) = renewed.changes
    assert (change["table"], change["key"]) == ("loans", "LOA-00014")
    assert list(renewed.changes) == session.diff()


def test_a_call_that_does_nothing_says_why(library: Open) -> None:
    session = library()
    rejected = session.call("find_member", {"email": "nobody@example.com"})
    assert (rejected.outcome, rejected.result, rejected.changes) == ("rejected", None, ())
    assert rejected.code
    invalid = session.call("find_member", {"mail": GRETA})
    assert invalid.outcome == "invalid"
    assert session.diff() == []


def test_what_cannot_be_done_is_no_step(library: Open) -> None:
    session = library()
    with pytest.raises(PlayError, match="no tool"):
        session.call("fly", {})
    with pytest.raises(PlayError, match="nobody to talk to"):
        session.say("Hello?")
    assert session.log == []


def test_undo_takes_back_one_step_after_the_other(library: Open) -> None:
    session = library()
    renew(session)
    once = session.diff()
    renew(session, "LOA-00025")
    assert len(session.diff()) == 2
    undone = session.undo()
    assert isinstance(undone, MadeCall)
    assert undone.arguments == {"loan_id": "LOA-00025"}
    assert session.diff() == once
    session.undo()
    assert (session.diff(), session.log) == ([], [])
    with pytest.raises(PlayError, match="Nothing"):
        session.undo()


def test_a_finished_task_is_graded_and_can_be_taken_up_again(library: Open) -> None:
    session = library()
    with pytest.raises(PlayError, match="once the task is finished"):
        session.gold()
    assert session.finish().reward == 0.0
    for after in (renew, PlaySession.finish):
        with pytest.raises(PlayError, match="is finished"):
            after(session)
    session.undo()
    session.call("find_member", {"email": GRETA})
    renew(session)
    renew(session, "LOA-00025")
    grade = session.finish("Both are yours until 2026-03-23.")
    assert (grade.reward, grade.score) == (1.0, 1.0)


def test_gold_is_shown_with_its_results(library: Open) -> None:
    session = library()
    session.finish()
    gold = session.gold()
    assert all(isinstance(step, MadeCall) and step.outcome == "ok" for step in gold.steps)
    assert [change["key"] for change in gold.changes] == ["LOA-00014", "LOA-00025"]
    assert session.diff() == []


def test_a_seed_varies_the_keys_of_new_rows(bikes: Path) -> None:
    rent: JsonObject = {"customer_id": "CUS-90001", "bike_id": "BIK-90001", "days": 3}
    sessions = [open_session(bikes, "rent_an_electric_bike", seed) for seed in (0, 1)]
    keys = [session.call("rent_bike", rent).changes[0]["key"] for session in sessions]
    assert len(set(keys)) == 2


def test_what_a_silent_person_knows_is_told_on_request(library: Open) -> None:
    assert library().known == {"email": GRETA}


def test_a_person_answers_and_undo_unsays(bikes: Path, talking: dict[str, Any]) -> None:
    session = open_session(bikes, talking["id"])
    assert session.opening.role == "customer"
    question = talking["gold"][0]["say"]
    reply = session.say(question)
    assert "@example.com" in reply
    assert session.undo() == Exchange(question, reply)
    assert session.say(question) == reply
    with pytest.raises(PlayError, match="say"):
        _ = session.known


def test_playing_as_gold_does_earns_the_reward(bikes: Path, talking: dict[str, Any]) -> None:
    shown = open_session(bikes, talking["id"])
    shown.finish()
    session = open_session(bikes, talking["id"])
    for step in shown.gold().steps:
        if isinstance(step, Exchange):
            assert session.say(step.message) == step.reply
        else:
            assert session.call(step.tool, step.arguments).text == step.text
    assert session.finish().reward == 1.0
    assert len(session.log) == len(talking["gold"]) + 1


def test_the_policy_is_shown_without_the_marks_of_its_clauses(bikes: Path) -> None:
    policy = open_session(bikes).policy
    assert "wait for a yes" in policy
    assert "[conduct:" not in policy


def test_tools_are_found_by_a_word(library: Open) -> None:
    session = library()
    assert [tool["name"] for tool in session.tools("RENEW")][:1] == ["renew_loan"]
    assert len(session.tools()) == session.opening.tools
    assert session.tools("zebra") == []
    with pytest.raises(PlayError, match="zebra"):
        session.tool("zebra")


def test_the_tasks_are_listed(bikes: Path) -> None:
    rows = task_rows(bikes)
    assert {"", "rent_one", "bring_back"} == {row["scenario"] for row in rows}
    assert all(len(row["message"]) < 50 and "\n" not in row["message"] for row in rows)


def test_a_tool_that_breaks_is_an_error_and_changes_nothing(
    library: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = library()

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setitem(session._environment._tools, "renew_loan", broken)
    with pytest.raises(PlayError, match="defect of the package.*division by zero"):
        renew(session)
    assert (session.diff(), session.log) == ([], [])


@pytest.mark.parametrize(("content", "message"), [("", "has no tasks"), ("{}\n", "is no task")])
def test_a_package_without_good_tasks_is_refused(
    golden_package: Path, tmp_path: Path, content: str, message: str
) -> None:
    path = shutil.copytree(golden_package, tmp_path / "library")
    (file,) = path.glob("src/*/tasks/tasks.jsonl")
    file.write_text(content)
    with pytest.raises(PackageLoadError, match=message):
        open_session(path)


def test_an_unknown_task_is_one_line_that_says_how_to_list_them(library: Open) -> None:
    with pytest.raises(ToolworldError, match=r"no task \"atlantis\".*--list") as caught:
        library("atlantis")
    assert "\n" not in str(caught.value)


def test_a_task_that_does_not_fit_the_database_is_refused(
    golden_package: Path, tmp_path: Path
) -> None:
    path = shutil.copytree(golden_package, tmp_path / "library")
    (file,) = path.glob("src/*/tasks/tasks.jsonl")
    file.write_text('{"id": "odd", "instruction": "Hello.", "initial": {"zebras": {"Z": {}}}}\n')
    with pytest.raises(PlayError, match="zebras"):
        open_session(path)
