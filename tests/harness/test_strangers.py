"""Whatever a stranger's server answers gives a verdict: no traceback, no hang, no false success."""

from __future__ import annotations

import gc
import json
import shlex
import socket
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from toolworld.cli import app
from toolworld.harness import Timeouts, replay_calls
from toolworld.harness.report import Report
from toolworld.visible import visible

SERVER = Path(__file__).with_name("strangers.py")
SECONDS = 1.0


def replayed(folder: Path, mode: str, expect: str, count: int = 1, *more: str) -> Report:
    calls = folder / "calls.json"
    calls.write_text(json.dumps([{"tool": "odd", "expect": expect}] * count), "utf-8")
    command = shlex.join([sys.executable, str(SERVER), mode, *more])
    return replay_calls(command, calls, timeouts=Timeouts(call=SECONDS))


@pytest.mark.parametrize("mode", ["mismatch", "nothing", "regex", "wrong", "no_object"])
def test_an_answer_that_cannot_be_used_is_no_error_of_the_tool(tmp_path: Path, mode: str) -> None:
    began = time.monotonic()
    report = replayed(tmp_path, mode, "error")
    (failure,) = report.by_package[0].failures
    assert "The answer cannot be used" in failure.reason or "time" in failure.reason
    assert time.monotonic() - began < 12


@pytest.mark.parametrize(
    "mode",
    ["digits", "deep", "surrogate", "nan", "ends", "hangs", "loop", "endless", "deepest_schema"],
)
def test_an_odd_answer_gives_a_verdict(tmp_path: Path, mode: str) -> None:
    report = replayed(tmp_path, mode, "error")
    assert report.failed == 1
    gc.collect()  # A pipe that is still open warns, and a warning fails the test.


def test_what_is_sound_passes_however_deep_and_however_many_pages_there_are(
    tmp_path: Path,
) -> None:
    assert [replayed(tmp_path, mode, "ok").failed for mode in ("deep_schema", "pages")] == [0, 0]


def test_a_reference_to_elsewhere_is_never_fetched(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as asked:
        asked.settimeout(0)
        url = f"http://127.0.0.1:{asked.getsockname()[1]}/schema.json"
        report = replayed(tmp_path, "remote", "ok", 1, url)
        with pytest.raises(BlockingIOError):
            asked.accept()
    (failure,) = report.by_package[0].failures
    assert "The answer cannot be used" in failure.reason


def test_an_error_that_is_expected_passes(tmp_path: Path) -> None:
    assert replayed(tmp_path, "error", "error").failed == 0
    assert replayed(tmp_path, "error", "ok").failed == 1


def test_calls_that_were_not_made_are_not_counted(tmp_path: Path) -> None:
    report = replayed(tmp_path, "ends", "ok", count=3)
    assert (report.tasks, report.failed, report.calls, report.of) == (3, 3, 1, "calls")


def test_what_a_server_says_is_shown_with_its_control_characters(tmp_path: Path) -> None:
    calls = tmp_path / "calls.json"
    calls.write_text('[{"tool": "odd", "text": "nothing like it"}]', "utf-8")
    command = shlex.join([sys.executable, str(SERVER), "control"])
    line = ["replay", "--server", command, "--calls", str(calls), "--timeout", "5"]
    shown = CliRunner().invoke(app, line).output
    assert "\\x1b[31mred\\x07 \\u202eback" in shown
    assert "\x1b" not in shown and "\u202e" not in shown
    assert "made" in shown and "tasks" not in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, caf\xe9\n\tline", "plain, caf\xe9\n\tline"),
        ("a\rb\x00\x9b", "a\\rb\\x00\\x9b"),
        ("\ud800\u2066\u2028", "\\ud800\\u2066\\u2028"),
    ],
)
def test_control_characters_are_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown
