"""The stdio transport, with clients that misbehave."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp_types import INVALID_REQUEST, PARSE_ERROR

Start = Callable[..., subprocess.Popen[bytes]]

SECONDS = 30
HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def line(message: object) -> bytes:
    return json.dumps(message).encode() + b"\n"


def find(request_id: int, email: str = "greta.novak7@example.com") -> bytes:
    return call(request_id, "find_member", {"email": email})


def call(request_id: int, tool: str, arguments: dict[str, object]) -> bytes:
    params = {"name": tool, "arguments": arguments}
    return line({"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params})


def fee(amount: float) -> dict[str, object]:
    return {"reason": "damaged", "amount": amount, "charged_on": "2026-03-02"}


GREETING = line(HELLO) + line(READY)


def answers(output: bytes) -> list[dict[str, Any]]:
    return [json.loads(answer) for answer in output.splitlines()]


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (b"hello\n", PARSE_ERROR),
        (b'{"jsonrpc": "2.0", "id": 7, \n', PARSE_ERROR),
        (b"\xff\xfe\x00\n", PARSE_ERROR),
        (b"[]\n", INVALID_REQUEST),
        (b'{"id": 7, "method": "ping"}\n', INVALID_REQUEST),
        (b"12\n", INVALID_REQUEST),
        (b"[" * 100_000 + b"\n", PARSE_ERROR),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}\n', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}\n', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}\n', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": [7], "method": "ping"}\n', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}\n', INVALID_REQUEST),
    ],
)
def test_a_bad_line_is_answered_and_the_server_goes_on(start: Start, bad: bytes, code: int) -> None:
    process = start()
    output, _ = process.communicate(GREETING + bad + find(1), timeout=SECONDS)
    hello, refusal, result = answers(output)
    assert hello["id"] == 0
    assert (refusal["id"], refusal["error"]["code"]) == (None, code)
    assert result["id"] == 1
    assert not result["result"]["isError"]
    assert process.returncode == 0


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
METHODS = st.sampled_from(
    [
        "initialize", "ping", "tools/list", "tools/call", "completion/complete", "server/discover",
        "logging/setLevel", "subscriptions/listen", "notifications/cancelled",
        "notifications/progress", "notifications/initialized", "toolworld/reset",
    ]
)  # fmt: skip
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "requestId": ODD,
        "progressToken": ODD,
        "name": ODD | st.just("find_member"),
        "arguments": ODD,
        "cursor": ODD,
        "protocolVersion": ODD | st.just("2026-07-28"),
        "_meta": ODD | st.dictionaries(st.just("progressToken"), ODD),
    },
)
MESSAGE = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0") | ODD},
    optional={
        "id": ODD,
        "method": METHODS | ODD,
        "params": PARAMS | ODD,
        "result": ODD,
        "error": ODD | st.fixed_dictionaries({"code": ODD, "message": ODD}),
    },
)


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(messages=st.lists(MESSAGE, min_size=20, max_size=60))
def test_no_message_ends_the_server(start: Start, messages: list[dict[str, object]]) -> None:
    asked = b"".join(line(message) for message in messages)
    with start() as process:
        output, errors = process.communicate(GREETING + asked + find(98765), timeout=SECONDS)
    assert process.returncode == 0 and b"Traceback" not in errors
    last = answers(output)[-1]
    assert last["id"] == 98765 and not last["result"]["isError"]


def test_empty_lines_are_passed_over(start: Start) -> None:
    output, _ = start().communicate(GREETING + b"\n  \n" + find(1), timeout=SECONDS)
    assert [answer["id"] for answer in answers(output)] == [0, 1]


def test_all_that_was_asked_is_answered_before_the_end(start: Start) -> None:
    asked = b"".join(find(number) for number in range(1, 200))
    output, errors = start().communicate(GREETING + asked, timeout=SECONDS)
    assert sorted(answer["id"] for answer in answers(output)) == list(range(200))
    assert errors == b""


def test_a_client_that_reads_late_gets_every_answer(start: Start) -> None:
    asked = b"".join(find(number) for number in range(1, 600))
    with start() as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(GREETING + asked)
        process.stdin.close()
        process.stdin = None
        # Longer than the pipe holds: the server has to wait for its client.
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2)
        output = process.stdout.read()
    assert len(output) > 128 * 1024
    assert sorted(answer["id"] for answer in answers(output)) == list(range(600))


def test_what_is_asked_at_once_is_done_in_that_order(start: Start) -> None:
    fees = range(1, 60)
    asked = b"".join(
        call(number, "charge_fee", {"loan_id": "LOA-00001", "fee": fee(number)}) for number in fees
    )
    output, _ = start().communicate(GREETING + asked, timeout=SECONDS)
    done = answers(output)[1:]
    assert [answer["id"] for answer in done] == list(fees)
    last = done[-1]["result"]["structuredContent"]["fees"]
    assert [charged["amount"] for charged in last] == list(fees)


def test_files_work_as_well_as_pipes(start: Start, tmp_path: Path) -> None:
    asked, answered = tmp_path / "asked", tmp_path / "answered"
    asked.write_bytes(GREETING + find(1))
    with asked.open("rb") as stdin, answered.open("wb") as stdout:
        with start(stdin=stdin, stdout=stdout) as process:
            assert process.wait(timeout=SECONDS) == 0
    assert [answer["id"] for answer in answers(answered.read_bytes())] == [0, 1]


def test_a_client_that_dies_ends_the_server_quietly(start: Start) -> None:
    with start() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(GREETING)
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"".join(find(number) for number in range(1, 50)))
        process.stdin.close()
        assert process.wait(timeout=SECONDS) == 0
        assert process.stderr.read() == b""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for others")
def test_an_interrupt_ends_the_server_quietly(start: Start) -> None:
    process = start()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(GREETING)
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert errors == b""


def test_an_unknown_task_is_one_line(start: Start) -> None:
    process = start("--task", "no_such_task")
    output, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 1
    assert output == b""
    assert errors.decode().startswith('toolworld-library: No task has the id "no_such_task"')
    assert len(errors.splitlines()) == 1
