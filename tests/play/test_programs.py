"""The face for programs, through a real process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.play.conftest import Open
from toolworld.play.programs import answer

Json = dict[str, Any]


def play(path: Path, *lines: object, task: str = "") -> list[Json]:
    """Return what the command writes, given lines: bytes as they are, other values as JSON."""
    text = b"\n".join(
        line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines
    )
    command = [sys.executable, "-m", "toolworld", "play", str(path), *filter(None, [task])]
    done = subprocess.run([*command, "--json"], input=text, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_whole_task(golden_package: Path) -> None:
    opening, tools, found, *renewed, policy, diff, grade, late = play(
        golden_package,
        {"tools": None},
        {"call": {"tool": "find_member", "arguments": {"email": "greta.novak7@example.com"}}},
        {"call": {"tool": "renew_loan", "arguments": {"loan_id": "LOA-00014"}}},
        {"call": {"tool": "renew_loan", "arguments": {"loan_id": "LOA-00025"}}},
        {"policy": None},
        {"diff": None},
        {"finish": "Both are extended."},
        {"say": "Anything else?"},
    )
    assert opening.keys() == {"task", "message", "role", "tools"}
    assert (opening["task"], opening["tools"]) == ("renew_all_loans", len(tools["tools"]))
    assert "inputSchema" in tools["tools"][0]
    assert found["result"]["member_id"] == "MEM-00007"
    assert [call["result"]["loan_id"] for call in renewed] == [
        change["key"] for change in diff["changes"]
    ]
    assert "town library" in policy["policy"]
    assert (grade["ok"], grade["reward"], grade["score"]) == (True, 1.0, 1.0)
    assert {"state", "answers", "conduct"} <= grade.keys()
    assert late["ok"] is False


def test_ctrl_c_ends_it_with_130(golden_package: Path) -> None:
    command = [sys.executable, "-m", "toolworld", "play", str(golden_package), "--json"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as playing:
        assert playing.stdout is not None
        playing.stdout.readline()
        playing.send_signal(signal.SIGINT)
        rest, said = playing.communicate(timeout=60)
    assert (playing.returncode, rest, said) == (130, b"", b"Interrupted.\n")


def test_a_conversation(bikes: Path, talking: Json) -> None:
    person = talking["person"]["facts"]
    question = talking["gold"][0]["say"]
    opening, reply = play(bikes, {"say": question}, task=talking["id"])
    assert opening["role"] == "customer"
    assert reply == {"ok": True, "reply": person["email"]["says"]}


def test_the_opening_tells_neither_goal_nor_facts(bikes: Path, talking: Json) -> None:
    answers = play(bikes, {"tools": None}, {"policy": None}, {"diff": None}, task=talking["id"])
    told = json.dumps(answers)
    assert talking["person"]["facts"]["email"]["value"] not in told
    assert talking["goal"]["changes"][0]["key"] not in told


BAD = [
    b"",
    b"nonsense",
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"say": ' + b"9" * 5_000 + b"}",
    b'{"call": {"tool": "find_member", "arguments": {"email": NaN}}}',
    b'{"say": "\\ud800"}',
    [],
    {},
    {"fly": None},
    {"policy": None, "diff": None},
    {"policy": 1},
    {"diff": ""},
    {"tools": 1},
    {"say": None},
    {"say": "Hello."},
    {"finish": 1},
    {"call": "find_member"},
    {"call": {"tool": "find_member", "arguments": []}},
    {"call": {"tool": "find_member", "arguments": None}},
    {"call": {"arguments": {}}},
    {"call": {"tool": 1}},
    {"call": {"tool": "fly"}},
    {"call": {"tool": "find_member"}},
    {"call": {"tool": "find_member", "arguments": {}, "id": 1}},
    {"call": {"tool": "find_member", "arguments": {"email": "\ud800"}}},
    {"call": {"tool": "find_member", "arguments": {"email": ["a"]}}},
]


def test_every_bad_line_gets_an_error_and_the_episode_goes_on(golden_package: Path) -> None:
    _, *answers, last = play(golden_package, *BAD, {"diff": None})
    assert len(answers) == len(BAD)
    assert [line for line, given in zip(BAD, answers, strict=True) if given["ok"]] == []
    assert all(isinstance(given["error"], str) and given["error"] for given in answers)
    assert last == {"ok": True, "changes": []}


@pytest.mark.parametrize(
    ("arguments", "outcome"), [({"email": "x@example.com"}, "rejected"), ({}, "invalid")]
)
def test_a_call_that_did_nothing_says_how_it_ended(
    library: Open, arguments: Json, outcome: str
) -> None:
    line = json.dumps({"call": {"tool": "find_member", "arguments": arguments}}).encode()
    given = answer(library(), line)
    assert (given["ok"], given["outcome"]) == (False, outcome)
    assert ("code" in given) == (outcome == "rejected")
