"""A host keeps its episodes, lets in who may, and lives on whatever is asked."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from typer.testing import CliRunner

from tests.serving.conftest import TOKEN, StartedHost, started
from toolworld import serving
from toolworld.cli import app
from toolworld.client import Environment, VectorEnvironment
from toolworld.client.vector import Action
from toolworld.errors import EpisodeError, EpisodeGone, LimitReached
from toolworld.packages import Package
from toolworld.serving.listening import bound

Start = Callable[..., StartedHost]
RENT = ("rent_bike", {"customer_id": "CUS-00001", "bike_id": "BIK-00002", "days": 2})


@pytest.fixture
def http(host: StartedHost) -> Iterator[httpx2.Client]:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with httpx2.Client(base_url=host.url, headers=headers) as client:
        yield client


def opened(host: StartedHost, task: str | None = None) -> Environment:
    return Environment.remote(host.url, "starter", task, token=TOKEN)


def test_an_episode_on_a_host_is_as_one_in_this_process(
    host: StartedHost, starter: Package
) -> None:
    task = starter.tasks()[0]["id"]
    ends = []
    for environment in (Environment.local(starter.path, task), opened(host, task)):
        with environment:
            calls = [environment.call(*RENT), environment.call(*RENT)]
            grade = environment.grade("It is done.")
            ends.append((calls, grade, environment.diff(), environment.digest(), environment.tools))
    assert ends[0] == ends[1]
    assert [call.outcome for call in ends[0][0]] == ["ok", "rejected"]


def test_episodes_are_apart_and_can_be_put_back(host: StartedHost) -> None:
    with opened(host) as one, opened(host) as other:
        before = one.digest()
        snapshot = one.snapshot()
        assert not one.call(*RENT).is_error
        assert one.digest() != before == other.digest()
        one.restore(snapshot)
        assert one.digest() == before


def test_many_episodes_take_one_step_together(host: StartedHost) -> None:
    with VectorEnvironment.remote(host.url, "starter", [None] * 3, token=TOKEN) as many:
        results = many.step([Action(*RENT), None, Action("list_bikes")])
        assert [one and one.outcome for one in results] == ["ok", None, "ok"]
        many.reset()
        again = many.step([Action(*RENT)] * 3)
        assert [one and one.outcome for one in again] == ["ok"] * 3


def test_a_call_with_the_same_key_is_made_once(http: httpx2.Client) -> None:
    episode = http.post("/episodes", json={"domain": "starter"}).json()["id"]
    asked = {"tool": RENT[0], "arguments": RENT[1], "key": "one"}
    first, again = (http.post(f"/episodes/{episode}/call", json=asked) for _ in range(2))
    assert first.json() == again.json() and first.json()["outcome"] == "ok"
    other = http.post(f"/episodes/{episode}/call", json={**asked, "tool": "list_bikes"})
    assert (other.status_code, "another call" in other.json()["error"]) == (400, True)


def test_an_agent_reaches_its_own_episode_and_nothing_else(http: httpx2.Client) -> None:
    mine, other = (http.post("/episodes", json={"domain": "starter"}).json() for _ in range(2))
    as_agent = {"Authorization": f"Bearer {mine['token']}"}
    tools = anyio.run(tool_names, mine["url"], as_agent)
    assert "rent_bike" in tools and not any("grade" in name for name in tools)
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert http.post(other["url"], json=body, headers=as_agent).status_code == 401
    for method, path in (
        ("GET", "/episodes"),
        ("POST", "/episodes"),
        ("POST", f"/episodes/{mine['id']}/grade"),
        ("POST", f"/episodes/{mine['id']}/call"),
        ("DELETE", f"/episodes/{other['id']}"),
        ("POST", "/step"),
        ("GET", "/metrics"),
    ):
        assert http.request(method, path, headers=as_agent).status_code == 401, path


async def tool_names(url: str, headers: dict[str, str]) -> list[str]:
    async with httpx2.AsyncClient(headers=headers) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            return [tool.name for tool in (await client.list_tools()).tools]


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_an_agent_s_url_takes_post_alone(http: httpx2.Client, method: str) -> None:
    opened = http.post("/episodes", json={"domain": "starter"}).json()
    answer = http.request(method, opened["url"])
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    ("method", "path", "options", "status"),
    [
        ("GET", "/domains", {"headers": {"Authorization": "Bearer guessed"}}, 401),
        ("GET", "/domains", {"headers": {"Origin": "http://evil.example"}}, 403),
        ("GET", "/domains", {"headers": {"Host": "evil.example"}}, 421),
        ("GET", "/domains", {"headers": {"Host": "localhost@evil.example"}}, 421),
        ("POST", "/episodes", {"content": b"x" * 20_001}, 413),
        ("POST", "/episodes", {"content": b"{"}, 422),
        ("POST", "/episodes", {"json": {"domain": "starter", "seed": "one"}}, 422),
        ("POST", "/episodes", {"json": {"domain": "starter", "more": 1}}, 422),
        ("POST", "/episodes", {"json": {"domain": "no_such"}}, 404),
        ("POST", "/episodes", {"json": {"domain": "starter", "task": "no_such"}}, 400),
        ("POST", "/episodes", {"json": {"domain": "starter", "task": {"id": 1}}}, 400),
        ("POST", "/episodes/0-guessed/call", {"json": {"tool": "list_bikes"}}, 404),
        ("POST", "/episodes/../../etc/passwd/state", {"json": {}}, 404),
        ("POST", "/starter/episodes/0-guessed/mcp", {"json": {}}, 404),
        ("DELETE", "/episodes/0-guessed", {}, 404),
        ("PATCH", "/episodes", {}, 405),
        ("GET", "/nothing", {}, 404),
    ],
)
def test_what_may_not_be_is_refused_and_the_host_lives(
    http: httpx2.Client, method: str, path: str, options: dict[str, Any], status: int
) -> None:
    response = http.request(method, path, **options)
    assert (response.status_code, bool(response.json()["error"])) == (status, True)
    assert http.get("/healthz").json()["status"] == "ok"


def test_a_body_that_says_no_length_is_bounded_too(http: httpx2.Client) -> None:
    response = http.post("/step", content=(b"x" * 1000 for _ in range(30)))
    assert response.status_code == 413


def test_a_client_that_sends_slowly_is_sent_away(starter: Package) -> None:
    """With shorter times, or this would take half a minute."""
    code = (
        "from toolworld.serving import impatient\n"
        "impatient.BODY_SECONDS = impatient.HEADER_SECONDS = 0.5\n"
        "from toolworld.__main__ import main\n"
        "main()"
    )
    with started(starter.path, python=("-c", code)) as host:
        address = host.url.removeprefix("http://")
        name, _, port = address.rpartition(":")
        head = f"POST /step HTTP/1.1\r\nHost: {address}\r\n"
        body = head + "Content-Length: 99\r\n\r\n{"
        for sent, answer in (("", b""), (head, b""), (body, b"HTTP/1.1 408")):
            with socket.create_connection((name, int(port)), timeout=20) as client:
                client.sendall(sent.encode())
                assert client.recv(12) == answer


def test_an_operation_or_tool_that_is_not_there_is_named(host: StartedHost) -> None:
    with opened(host) as environment:
        with pytest.raises(EpisodeError, match="There is no tool"):
            environment.call("fly")
        with pytest.raises(EpisodeError, match="has no fly; there are: "):
            environment.episode.ask("fly", {})
        with pytest.raises(EpisodeError, match="no snapshot"):
            environment.restore("none")
        with pytest.raises(EpisodeError, match="nobody to talk to"):
            environment.say("Hello?")


def test_the_document_and_the_counters_tell_what_there_is(http: httpx2.Client) -> None:
    paths = http.get("/openapi.json").json()["paths"]
    assert {"/episodes", "/step", "/healthz"} <= paths.keys()
    episode = http.post("/episodes", json={"domain": "starter"}).json()["id"]
    http.post(f"/episodes/{episode}/call", json={"tool": "list_bikes"})
    assert 'toolworld_calls_total{domain="starter",outcome="ok"}' in http.get("/metrics").text


def test_limits_hold(start: Start, starter: Package, broken: Path) -> None:
    host = start(starter.path, broken, "--episodes", 2, "--idle", 0.5, "--rate", 1)
    assert any(
        f"{broken} is left out: " in line and "ZeroDivisionError" in line for line in host.said
    )
    with opened(host) as one:
        with opened(host), pytest.raises(LimitReached, match="2 episodes are open"):
            opened(host)
        with pytest.raises(LimitReached, match="1 calls a second"):
            for _ in range(20):
                one.call("list_bikes")
        time.sleep(0.6)
        # Room is made by what nobody has asked for anything.
        with opened(host), opened(host), pytest.raises(EpisodeGone, match="idle"):
            one.call("list_bikes")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["/nowhere"], "is no folder"),
        (["{starter}", "--host", "192.0.2.1"], "can be reached from outside"),
        (
            ["{starter}", "--host", "192.0.2.1", "--allow-host", "a.example"],
            "cannot be listened on",
        ),
        (["{starter}", "{starter}"], "Two packages are called starter"),
        (["{broken}"], "There is no package to serve"),
    ],
)
def test_a_host_that_cannot_be_says_why(
    starter: Package, broken: Path, arguments: list[str], said: str
) -> None:
    line = [one.format(starter=starter.path, broken=broken) for one in arguments]
    result = CliRunner().invoke(app, ["serve", *line, "--port", "0"])
    assert (result.exit_code, said in result.stderr) == (1, True), result.stderr


def test_an_address_that_cannot_be_had_leaves_no_socket_open() -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with suppress(OSError):
            bound("192.0.2.1", 0)
        gc.collect()
    assert warned == []


def test_a_host_without_its_extra_says_what_to_install(
    starter: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("toolworld.serving.run", "toolworld.serving.api", "fastapi"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    for name in ("HostSettings", "serve"):
        monkeypatch.delitem(vars(serving), name, raising=False)
    result = CliRunner().invoke(app, ["serve", str(starter.path)])
    assert (result.exit_code, "pip install 'toolworld[serve]'" in result.stderr) == (1, True)


def test_several_workers_are_as_one_and_one_that_is_killed_comes_back(
    start: Start, starter: Package
) -> None:
    host = start(starter.path, "--workers", 2)
    with VectorEnvironment.remote(host.url, "starter", [None] * 4, token=TOKEN) as many:
        assert all(one and one.outcome == "ok" for one in many.step([Action(*RENT)] * 4))
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with httpx2.Client(base_url=host.url, headers=headers) as http:
            ids = http.get("/episodes").json()["episodes"]
            assert {one.partition("-")[0] for one in ids} == {"0", "1"}
            for pid in children_of(host.process.pid):
                os.kill(pid, signal.SIGKILL)
            assert answers_again(http)
            gone = http.post(f"/episodes/{ids[0]}/call", json={"tool": "list_bikes"})
            assert gone.status_code in (404, 503)
            assert "toolworld_episodes 0.0" in http.get("/metrics").text
    with opened(host) as environment:
        assert environment.call(*RENT).outcome == "ok"


def children_of(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii")
    return [int(one) for one in text.split()]


def answers_again(http: httpx2.Client) -> bool:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            return http.get("/healthz").status_code == 200
        except httpx2.TransportError:
            time.sleep(0.05)
    return False
