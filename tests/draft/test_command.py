"""``toolworld new`` as a user meets it: what is wrong is one message, and nothing is lost."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.draft.conftest import TINY, WISH, Made, new


@pytest.mark.parametrize(
    ("wish", "model", "said"),
    [
        ("", "replay:x", "says nothing to draft from"),
        ("tea", "gpt", 'There is no model "gpt"'),
        ("tea", "replay:none.jsonl", "There is no recording"),
        ("tea", "openai:", "There is no model"),
    ],
)
def test_what_is_wrong_is_one_message(tmp_path: Path, wish: str, model: str, said: str) -> None:
    result = new(tmp_path / "out", wish, model)
    assert result.exit_code == 1
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_broken_source_is_named(tmp_path: Path) -> None:
    source = tmp_path / "api.json"
    source.write_text("{", "utf-8")
    result = new(tmp_path / "out", "tea", f"replay:{TINY}", "--from", str(source))
    assert result.exit_code == 1
    assert "api.json is broken" in result.stderr


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    result = new(tmp_path, "tea", f"replay:{TINY}")
    assert result.exit_code == 1
    assert "is in use" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_broken_draft_is_not_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "brief.json").write_text("{", "utf-8")
    result = new(tmp_path, "tea", f"replay:{TINY}", "--resume")
    assert result.exit_code == 1
    assert "brief.json is broken" in result.stderr


def test_a_budget_stops_cleanly_and_says_how_to_go_on(tmp_path: Path) -> None:
    result = new(tmp_path / "out", WISH, f"replay:{TINY}", "--max-tokens", "100")
    assert result.exit_code == 1
    assert "tokens of 100" in result.stderr
    assert "--resume goes on with it" in result.stderr
    assert len((tmp_path / "out" / "journal.jsonl").read_text("utf-8").splitlines()) == 1


def test_ctrl_c_keeps_what_there_is(tmp_path: Path) -> None:
    prompts, out = tmp_path / "prompts", tmp_path / "out"
    command = [sys.executable, "-m", "toolworld", "new", "tea", "--model", f"files:{prompts}"]
    with subprocess.Popen(
        [*command, "--out", str(out)], stderr=subprocess.PIPE, text=True
    ) as process:
        end = time.monotonic() + 60
        while not (prompts / "001.prompt.json").exists() and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "--resume goes on with it" in said
    assert "Traceback" not in said
    assert json.loads((out / "brief.json").read_text("utf-8"))["wish"] == "tea"


def test_a_recording_is_made_into_a_world(made: Made) -> None:
    assert made.exit_code == 0, made.said
    assert "4 of 4: 3 at answer 1, 1 at answer 2" in made.printed
    assert made.report["tools"]["delivered"] == 4
    assert made.report["proof"]["uncovered"] == []
    assert "<title>" in (made.folder / "report.html").read_text("utf-8")
    assert (made.folder / "package" / "server.json").is_file()
