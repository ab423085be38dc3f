"""A tool that loops or eats memory, and clients that want too much, leave the server as it was."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import Server, http_server
from tests.server.test_stdio import GREETING, SECONDS, answers, call, fee, find
from toolworld.packages import Package

HUNG = "find_member took too long and was ended. Nothing was changed."
EDITED = """def find_member(db: Database, email: str) -> Member:
    if email in ("hang", "eat"):
        db.loans.update("LOA-00001", fine=Decimal("999"))
    while email == "hang":
        email += ""
    if email == "eat":
        email = email * 10**10
    return look_up_member(db, email)


def look_up_member(db: Database, email: str) -> Member:
"""
CHARGE: dict[str, object] = {"loan_id": "LOA-00001", "fee": fee(5)}
HEAD = "def find_member(db: Database, email: str) -> Member:\n"


@pytest.fixture(scope="module")
def start_edited(package: Package, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Starts a server whose find_member hangs, or eats memory, if it is asked to."""
    folder = shutil.copytree(package.path, tmp_path_factory.mktemp("bounds") / "library")
    tools = folder / "src" / "toolworld_library" / "tools.py"
    text = tools.read_text("utf-8")
    assert HEAD in text
    tools.write_text(text.replace(HEAD, EDITED), "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "TOOLWORLD_TOKEN": "a-token"}

    def run(*options: str, **streams: Any) -> subprocess.Popen[bytes]:
        pipes = {name: subprocess.PIPE for name in ("stdin", "stdout", "stderr")}
        command = [sys.executable, "-m", "toolworld_library", *options]
        return subprocess.Popen(command, env=environment, **{**pipes, **streams})

    return run


@pytest.fixture(scope="module")
def bounded(start_edited: Any) -> Any:
    """An HTTP server with narrow bounds."""
    options = ("--control", "--call-seconds", "0.3", "--memory", "300", "--episodes", "2")
    with http_server(start_edited, *options, "--idle", "0.5") as running:
        yield running


def ask(server: Server, url: str, email: str) -> Any:
    headers = {"Accept": "application/json, text/event-stream"}
    params = {"name": "find_member", "arguments": {"email": email}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return server.http.post(url, json=body, headers=headers).json()["result"]


def test_over_stdio_a_call_that_takes_too_long_is_ended(start_edited: Any) -> None:
    asked = b"".join([find(1, "hang"), find(2, "eat"), find(3), call(4, "charge_fee", CHARGE)])
    server = start_edited("--call-seconds", "0.3", "--memory", "300")
    output, errors = server.communicate(GREETING + asked, timeout=SECONDS)
    hung, ate, found, charged = [one["result"] for one in answers(output)[1:]]
    assert (hung["isError"], hung["content"][0]["text"]) == (True, f"The tool {HUNG}")
    assert ate["isError"] and "because of a defect" in ate["content"][0]["text"]
    assert not found["isError"]
    assert charged["structuredContent"]["fine"] == 5.0
    assert b"took too long; what it changed was rolled back" in errors
    assert server.returncode == 0


def test_over_http_a_call_that_takes_too_long_is_ended(bounded: Server) -> None:
    opened = bounded.open()
    for email in ("hang", "eat"):
        assert ask(bounded, opened["url"], email)["isError"]
    assert bounded.http.get(f"/episodes/{opened['id']}/diff").json() == {"changes": []}
    assert not ask(bounded, opened["url"], "greta.novak7@example.com")["isError"]
    bounded.http.delete(f"/episodes/{opened['id']}")


def test_episodes_are_bounded_and_idle_ones_make_room(bounded: Server) -> None:
    bounded.open()
    bounded.open()
    refused = bounded.http.post("/episodes", json={})
    assert (refused.status_code, "2 episodes are open" in refused.json()["error"]) == (429, True)
    time.sleep(0.6)
    bounded.open()
    assert len(bounded.http.get("/episodes").json()["episodes"]) == 2


def test_snapshots_are_bounded(server: Server) -> None:
    path = f"/episodes/{server.open()['id']}/snapshot"
    answered = [server.http.post(path).status_code for _ in range(101)]
    assert answered == [200] * 100 + [429]


@pytest.mark.parametrize("path", ["/mcp", "/episodes", "/episodes/default/reset"])
def test_a_body_is_bounded_on_every_route(server: Server, path: str) -> None:
    body = b"x" * (16 * 2**20 + 1)
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    for content in (body, (body[place : place + 2**20] for place in range(0, len(body), 2**20))):
        response = server.http.post(path, content=content, headers=headers)
        assert response.status_code == 413
    assert server.http.get("/episodes").status_code == 200


def test_a_client_that_sends_slowly_is_sent_away(package: Package, tmp_path: Path) -> None:
    """With shorter times, or this would take half a minute."""
    folder = shutil.copytree(package.path, tmp_path / "library")
    file = folder / "src" / "toolworld_library" / "bounds.py"
    text = file.read_text("utf-8")
    wanted = "HEADER_SECONDS, BODY_SECONDS = 30.0, 30.0"
    assert wanted in text
    file.write_text(text.replace(wanted, "HEADER_SECONDS, BODY_SECONDS = 0.5, 0.5"), "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "TOOLWORLD_TOKEN": "a-token"}

    def run(*options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "toolworld_library", *options]
        return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)

    with http_server(run) as server:
        host, _, port = server.url.removeprefix("http://").rpartition(":")
        head = f"POST /mcp HTTP/1.1\r\nHost: {host}:{port}\r\n"
        body = head + "Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
        for sent, answer in (("", b""), (head, b""), (body, b"HTTP/1.1 408")):
            with socket.create_connection((host, int(port)), timeout=SECONDS) as client:
                client.sendall(sent.encode())
                assert client.recv(12) == answer
        # One that comes to the point each time is not sent away, however long it stays.
        with closing(HTTPConnection(host, int(port), timeout=SECONDS)) as connection:
            for _ in range(5):
                connection.request("GET", "/mcp")
                assert connection.getresponse().read()
                time.sleep(0.2)


@pytest.mark.parametrize("options", [(), ("--http", "--port", "0")])
def test_termination_ends_the_server_quietly(start_edited: Any, options: tuple[str, ...]) -> None:
    with start_edited(*options) as process:
        if options:
            process.stderr.readline()
        else:
            process.stdin.write(GREETING)
            process.stdin.flush()
            process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) in (0, -signal.SIGTERM)
        assert process.stderr.read() == b""


@pytest.mark.parametrize("option", ["--call-seconds", "--memory", "--episodes", "--idle"])
@pytest.mark.parametrize("value", ["-1", "nan", "inf", "many", ""])
def test_bounds_that_are_none_are_refused(start_edited: Any, option: str, value: str) -> None:
    _, errors = start_edited(option, value).communicate(timeout=SECONDS)
    assert f"argument {option}: {value} is not a number from 0 on".encode() in errors
