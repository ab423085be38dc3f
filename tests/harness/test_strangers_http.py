"""Whatever a stranger's HTTP server does gives a verdict: no traceback, no hang, no success."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.harness import strangers_http
from toolworld.errors import LaunchError
from toolworld.harness import Timeouts, replay_calls
from toolworld.harness.report import Report

LOST = "The server ended or closed the connection while odd ran."
LATE = "The server did not answer in time while odd ran."
UNUSABLE = "The answer cannot be used: "
VERDICTS = {
    **dict.fromkeys(strangers_http.ODD, UNUSABLE),
    **dict.fromkeys(("closes", "half", "garbage", "packed", "endless", "endless_stream"), LOST),
    **dict.fromkeys(("never", "drips", "other_id"), LATE),
}


@contextmanager
def serving(mode: str) -> Iterator[str]:
    command = [sys.executable, strangers_http.__file__, mode]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/mcp"
        finally:
            process.kill()


def replayed(folder: Path, mode: str) -> Report:
    calls = folder / "calls.json"
    calls.write_text(json.dumps([{"tool": "odd", "expect": "error"}]), "utf-8")
    start, call = 1 if "first" in mode else 20, 1 if VERDICTS.get(mode) == LATE else 20
    with serving(mode) as url:
        return replay_calls(url, calls, timeouts=Timeouts(start, call))


@pytest.mark.parametrize("mode", VERDICTS)
def test_what_is_no_answer_is_no_error_of_the_tool(
    tmp_path: Path, mode: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (failure,) = replayed(tmp_path, mode).by_package[0].failures
    assert failure.reason.startswith(VERDICTS[mode])
    assert "\n" not in failure.reason
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("mode", ["never", "drips", "garbage", "endless", "html", "redirect"])
def test_a_server_that_does_not_greet_is_told(
    tmp_path: Path, mode: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(LaunchError, match=r"^http://.*cannot be reached: "):
        replayed(tmp_path, f"first_{mode}")
    assert capfd.readouterr().err == ""


def test_the_times_to_start_and_to_answer_are_apart(tmp_path: Path) -> None:
    calls = tmp_path / "calls.json"
    calls.write_text(json.dumps([{"tool": "odd"}]), "utf-8")
    with serving("first_never") as url, pytest.raises(LaunchError, match="within 0.5 seconds"):
        replay_calls(url, calls, timeouts=Timeouts(start=0.5, call=600))
    with serving("never") as url:
        report = replay_calls(url, calls, timeouts=Timeouts(start=600, call=0.5))
    assert [failure.reason for failure in report.by_package[0].failures] == [LATE]
