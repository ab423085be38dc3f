"""``toolworld new`` as a user meets it: what is wrong is one message, and nothing is lost."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from toolworld.cli import app

TINY = Path(__file__).parent / "recordings" / "tiny.jsonl"
WISH = "a library that lends board games"


def new(folder: Path, wish: str, model: str, *more: str) -> Result:
    arguments = ["new", wish, "--model", model, "--out", str(folder), "--tools", "4", *more]
    return CliRunner().invoke(app, arguments)


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


def test_a_recording_is_made_into_a_world(tmp_path: Path) -> None:
    copy = shutil.copy(TINY, tmp_path / "recording.jsonl")
    result = new(tmp_path / "out", WISH, f"replay:{copy}", "--tasks", "0")
    assert result.exit_code == 0, result.stderr
    assert "4 of 4: 3 at answer 1, 1 at answer 2" in result.stdout
    report = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert report["tools"]["delivered"] == 4
    assert report["proof"]["uncovered"] == []
    assert "<title>" in (tmp_path / "out" / "report.html").read_text("utf-8")
    assert (tmp_path / "out" / "package" / "server.json").is_file()
