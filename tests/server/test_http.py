"""The HTTP transport: episodes as URLs, and who is let in."""

from __future__ import annotations

import json
import random
import signal
import socket
import subprocess
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection

import anyio
import httpx2
import pytest
from mcp import Client, MCPError

from tests.server.conftest import Json, Server, charge, http_server

Start = Callable[..., subprocess.Popen[bytes]]

SECONDS = 30
EPISODES, CLIENTS, WRITES = 10, 8, 24


@pytest.mark.anyio
async def test_episodes_do_not_see_each_other(server: Server, wire: str) -> None:
    one, other = server.open(), server.open()
    async with Client(one["url"], mode=wire) as first, Client(other["url"], mode=wire) as second:
        await charge(first, 3)
        assert digest(server, one) != one["digest"]
        assert digest(server, other) == other["digest"]
        await charge(second, 3)
    assert digest(server, one) == digest(server, other)


def digest(server: Server, episode: Json) -> str:
    return str(server.http.get(f"/episodes/{episode['id']}/digest").json()["digest"])


@pytest.mark.anyio
async def test_many_episodes_written_to_at_random_stay_apart(server: Server, wire: str) -> None:
    opened = [server.open() for _ in range(EPISODES)]
    charged: dict[str, list[float]] = {episode["id"]: [] for episode in opened}
    limit = anyio.CapacityLimiter(CLIENTS)
    choice = random.Random(7)  # noqa: S311 - which episode is written to, not a secret

    async def write(episode: Json, amount: int) -> None:
        async with limit, Client(episode["url"], mode=wire) as client:
            await charge(client, amount)
        charged[episode["id"]].append(amount)

    async with anyio.create_task_group() as writers:
        for number in range(WRITES):
            writers.start_soon(write, choice.choice(opened), number + 1)
    for episode in opened:
        changes = server.http.get(f"/episodes/{episode['id']}/diff").json()["changes"]
        fees = [fee for change in changes for fee in change["after"]["fees"]]
        before = [fee for change in changes for fee in change["before"]["fees"]]
        added = [fee["amount"] for fee in fees if fee not in before]
        assert sorted(added) == sorted(charged[episode["id"]])
        server.http.delete(f"/episodes/{episode['id']}")


@pytest.mark.anyio
async def test_an_unknown_episode_is_a_clear_404(server: Server, wire: str) -> None:
    url = f"{server.url}/episodes/nowhere/mcp"
    response = httpx2.post(url, json={}, trust_env=False)
    assert response.status_code == 404
    assert 'No open episode has the id "nowhere"' in response.json()["error"]["message"]
    with pytest.raises(BaseExceptionGroup) as raised:
        async with Client(url, mode=wire) as client:
            await client.call_tool("find_member", {"email": "x"})
    assert raised.group_contains(MCPError, match="No open episode")


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_are_no_sessions_to_listen_to_or_end(server: Server, method: str) -> None:
    headers = {"Accept": "text/event-stream"}
    response = server.http.request(method, "/mcp", headers=headers)
    assert response.status_code == 405
    assert response.headers["Allow"] == "POST"


def test_a_client_on_the_older_wire_gets_no_session(server: Server) -> None:
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    response = server.http.post(
        "/mcp",
        json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        headers={"Accept": "application/json, text/event-stream"},
    )
    assert response.status_code == 200
    assert "Mcp-Session-Id" not in response.headers


@pytest.mark.parametrize("name", ["find_member", " find_member ", "\tfind_member\t "])
def test_space_around_a_header_is_not_part_of_it(server: Server, name: str) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    call = {"name": "find_member", "arguments": {"email": "nobody@example.com"}, "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
    headers = {
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": name,
    }
    # A client that sends headers as they are: httpx2 would refuse to.
    connection = HTTPConnection(server.url.removeprefix("http://"), timeout=SECONDS)
    with closing(connection):
        connection.request("POST", "/mcp", body, headers)
        response = connection.getresponse()
        assert response.status == 200
        assert "result" in json.loads(response.read())


def test_other_urls_are_a_clear_404(server: Server) -> None:
    response = server.http.get("/elsewhere")
    assert response.status_code == 404
    assert "connects to /mcp" in response.json()["error"]


@pytest.mark.parametrize("path", ["/mcp", "/episodes", "/elsewhere"])
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example:80"}, 421),
        ({"Host": "127.0.0.1:80.evil.example"}, 421),
        ({"Host": "localhost:80@evil.example"}, 421),
        ({"Origin": "http://localhost:80.evil.example"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_foreign_names_are_turned_away(
    server: Server, path: str, headers: dict[str, str], status: int
) -> None:
    assert server.http.get(path, headers=headers).status_code == status


def test_local_names_are_let_in(server: Server) -> None:
    port = server.url.rpartition(":")[2]
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", "localhost"):
        headers = {"Host": host, "Origin": f"http://{host}"}
        assert server.http.get("/episodes", headers=headers).status_code == 200


def test_a_name_can_be_allowed(start: Start) -> None:
    with http_server(start, "--allow-host", "world.example") as server:
        assert server.http.get("/", headers={"Host": "world.example"}).status_code == 404
        assert server.http.get("/", headers={"Host": "evil.example"}).status_code == 421


def test_a_public_address_needs_an_allowed_name(start: Start) -> None:
    with start("--http", "--host", "0.0.0.0") as process:  # noqa: S104 - it is refused
        _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 2
    assert b"--allow-host" in errors


def test_a_port_in_use_is_one_line(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with start("--http", "--port", str(port)) as process:
            _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 1
    assert errors.decode().startswith(f"toolworld-library: cannot listen on 127.0.0.1:{port}")
    assert len(errors.splitlines()) == 1


def test_an_interrupt_ends_the_server_quietly(start: Start) -> None:
    with http_server(start) as server:
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(SECONDS) == 130
        assert server.log.result() == b""


def test_a_client_that_dies_mid_call_leaves_the_server(server: Server) -> None:
    host, _, port = server.url.removeprefix("http://").rpartition(":")
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    head = f"POST /mcp HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
    accept = "Accept: application/json, text/event-stream\r\n"
    for sent in (body, body[:10]):
        with socket.create_connection((host, int(port))) as client:
            length = f"Content-Length: {len(body)}\r\n\r\n"
            client.sendall((head + accept + length).encode() + sent)
    assert server.http.get("/episodes").status_code == 200


def test_a_body_that_is_no_json_is_refused(server: Server) -> None:
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    response = server.http.post("/mcp", content=b"{nonsense", headers=headers)
    assert response.status_code == 400
    assert response.json()["error"]["code"] == -32700
