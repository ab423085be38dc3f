"""A file of calls, replayed against an MCP server that is not toolworld's."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolworld import LaunchError, ToolworldError
from toolworld.harness import Report, Timeouts, replay_calls

SERVER = Path(__file__).with_name("counter_server.py")
COMMAND = shlex.join([sys.executable, str(SERVER)])


@pytest.fixture
def replay(tmp_path: Path) -> Any:
    """Replays calls against the counter, over stdio unless a server is named."""

    def run(*calls: dict[str, Any], server: str = COMMAND, timeout: float = 20) -> Report:
        path = tmp_path / "calls.json"
        path.write_text(json.dumps(calls))
        return replay_calls(server, path, timeouts=Timeouts(timeout, timeout))

    return run


def reasons(report: Report) -> list[str]:
    return [failure.reason for row in report.by_package for failure in row.failures]


def test_calls_that_go_as_expected_pass(replay: Any) -> None:
    report = replay(
        {"tool": "add", "arguments": {"by": 2}, "result": {"total": 2}},
        {"tool": "add", "arguments": {"by": {"$step": 0, "path": "total"}}, "text": "4"},
        {"tool": "add", "arguments": {"by": 1}, "result": {"history": [{"at": 5}]}},
        {"tool": "plain", "result": {"total": 5}},
        {"tool": "fail", "expect": "error", "text": "cannot be done"},
    )
    assert reasons(report) == []
    assert (report.tasks, report.passed, report.failed, report.calls) == (5, 5, 0, 5)
    assert report.by_package[0].name == COMMAND


def test_each_surprise_is_reported_with_its_call(replay: Any) -> None:
    report = replay(
        {"tool": "add", "arguments": {"by": 2}, "result": {"total": 3}},
        {"tool": "add", "result": {"history": [{"at": 3}, {"at": 4}]}},
        {"tool": "add", "result": {"average": 1}},
        {"tool": "add", "expect": "error"},
        {"tool": "fail"},
        {"tool": "add", "text": "a hundred"},
        {"tool": "add", "arguments": {"by": {"$step": 4, "path": "total"}}},
        {"tool": "add"},
    )
    assert (report.passed, report.failed) == (1, 7)
    wrong_value, wrong_list, missing, no_error, error, text, unresolved = reasons(report)
    assert wrong_value == "The result differs at total: 3 was expected, not 2."
    assert wrong_list.startswith("The result differs at history: ")
    assert missing == "The result differs at average: 1 was expected, not nothing."
    assert no_error == "error was expected, but the outcome is ok."
    assert error == "ok was expected, but the outcome is error."
    assert text == "The text does not contain 'a hundred'."
    assert unresolved == "The call cannot be made."
    failures = report.by_package[0].failures
    assert [failure.step for failure in failures] == [0, 1, 2, 3, 4, 5, 6]
    assert failures[0].detail.splitlines()[0] == 'call: add {"by": 2}'
    assert "Step 4 has no result" in failures[6].detail


def test_true_is_not_one(replay: Any) -> None:
    report = replay({"tool": "add", "result": {"total": True}})
    assert reasons(report) == ["The result differs at total: true was expected, not 1."]


def test_a_server_that_dies_says_why(replay: Any) -> None:
    report = replay({"tool": "add"}, {"tool": "die"}, {"tool": "add"}, {"tool": "add"})
    assert (report.passed, report.failed) == (1, 3)
    died, *later = reasons(report)
    assert died == "The server ended or closed the connection while die ran."
    assert later == ["Not called: the server was lost before."] * 2
    assert "the counter fell off the table" in report.by_package[0].failures[0].detail


def test_a_server_that_hangs_is_given_up(replay: Any) -> None:
    report = replay({"tool": "add"}, {"tool": "hang"}, timeout=2)
    assert reasons(report) == ["The server did not answer in time while hang ran."]


def test_garbage_on_standard_output_is_a_failure(
    replay: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    report = replay({"tool": "shout"})
    assert reasons(report) == ["The server prints to standard output what is no JSON-RPC."]
    assert "COUNTING!" in report.by_package[0].failures[0].detail
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("raise SystemExit('no counter today')", "no counter today"),
        ("print('Welcome to the counter!')", "Welcome to the counter!"),
        ("import time; print('Please wait', flush=True); time.sleep(3600)", "Please wait"),
    ],
)
def test_a_server_that_never_starts_says_why(
    replay: Any, script: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcp.client.session.DISCOVER_TIMEOUT_SECONDS", 1)
    server = shlex.join([sys.executable, "-c", script])
    with pytest.raises(LaunchError, match="could not be started") as caught:
        replay({"tool": "add"}, server=server, timeout=2)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("server", "message"),
    [
        ("/no/such/program --at-all", "/no/such/program --at-all could not be started"),
        ("   ", "empty"),
        ("program 'with an open quote", "cannot be read"),
        ("http://127.0.0.1:1/mcp", "http://127.0.0.1:1/mcp cannot be reached"),
    ],
)
def test_a_server_that_is_not_there(replay: Any, server: str, message: str) -> None:
    with pytest.raises(ToolworldError, match=message):
        replay({"tool": "add"}, server=server, timeout=5)


@pytest.fixture
def url() -> Iterator[str]:
    with subprocess.Popen(
        [sys.executable, SERVER, "--http"], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        yield process.stderr.readline().strip()
        process.terminate()


def test_a_server_at_a_url(replay: Any, url: str) -> None:
    report = replay(
        {"tool": "add", "arguments": {"by": 2}, "result": {"total": 2}},
        {"tool": "fail"},
        {"tool": "die"},
        server=url,
    )
    unexpected, lost = reasons(report)
    assert unexpected == "ok was expected, but the outcome is error."
    assert lost.endswith("while die ran.")


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        ("[{]", [":1:3: this is no JSON"]),
        ("7", ["the file: Input should be a valid list."]),
        ("[]", ["there are no calls"]),
        ('{"call": []}', ['an object must have "calls"']),
        (
            '{"calls": [{"tool": 3}, {"tool": "add", "expect": "maybe", "retries": 1}, 4]}',
            [
                "calls[0].tool: Input should be a valid string.",
                "calls[1].expect: Input should be 'ok' or 'error'.",
                "calls[1].retries: Extra inputs are not permitted.",
                "calls[2]: ",
            ],
        ),
    ],
)
def test_every_problem_of_a_bad_file_is_reported(
    tmp_path: Path, content: str, problems: list[str]
) -> None:
    path = tmp_path / "calls.json"
    path.write_text(content)
    with pytest.raises(ToolworldError) as caught:
        replay_calls(COMMAND, path)
    lines = str(caught.value).splitlines()
    assert len(lines) == len(problems)
    for line, problem in zip(lines, problems, strict=True):
        assert line.startswith(str(path))
        assert problem in line


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ToolworldError, match="calls.json cannot be read: No such file"):
        replay_calls(COMMAND, tmp_path / "calls.json")
