"""The control plane: what a harness may do, and that an agent may not."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import httpx2
import pytest
from mcp import Client, MCPError
from mcp_types import INVALID_PARAMS, METHOD_NOT_FOUND

from tests.server.conftest import TOKEN, Command, Json, Server, charge, control, http_server
from toolworld.packages import Package

TASK = "coffee_on_a_book"
OPERATIONS = ("open", "reset", "state", "diff", "digest", "snapshot", "restore", "grade")


async def play_gold(client: Client, package: Package) -> None:
    """Do what the task's gold sequence does."""
    results: list[Json] = []
    for step in package.module("tasks.task").find_task(TASK).gold:
        arguments = {name: resolved(value, results) for name, value in step.arguments.items()}
        result = await client.call_tool(step.tool, arguments)
        assert not result.is_error
        results.append(result.structured_content or {})


def resolved(value: object, results: list[Json]) -> object:
    """Return a gold argument, taken from an earlier result if it says so."""
    if not (isinstance(value, dict) and "$step" in value):
        return value
    found: object = results[value["$step"]]
    for part in value["path"].split("."):
        found = found[int(part)] if isinstance(found, list) else found[part]  # type: ignore[index]
    return found


@pytest.mark.anyio
async def test_over_stdio_a_harness_plays_and_grades_a_task(
    command: Command, package: Package, wire: str
) -> None:
    async with Client(command("--control"), mode=wire) as client:
        opened = await control(client, "open", {"task": TASK, "seed": 3})
        assert opened["task"] == TASK
        idle = await control(client, "grade", {"answer": "Done."})
        assert idle["reward"] == 0.0
        assert idle["reasons"]
        await play_gold(client, package)
        graded = await control(client, "grade", {"answer": "Done."})
        assert (graded["reward"], graded["score"], graded["reasons"]) == (1.0, 1.0, [])
        assert graded["digest"] == (await control(client, "digest", {}))["digest"]
        changes = (await control(client, "diff", {}))["changes"]
        assert {change["table"] for change in changes} == {"loans"}
        assert (await control(client, "reset", {}))["digest"] == opened["digest"]
        assert (await control(client, "diff", {}))["changes"] == []


@pytest.mark.anyio
async def test_over_http_a_harness_plays_and_grades_a_task(
    server: Server, package: Package, wire: str
) -> None:
    opened = server.open(task=TASK)
    async with Client(opened["url"], mode=wire) as client:
        await play_gold(client, package)
    episode = f"/episodes/{opened['id']}"
    assert server.http.post(f"{episode}/grade", json={"answer": "Done."}).json()["reward"] == 1.0
    reset = server.http.post(f"{episode}/reset").json()
    assert reset["digest"] == opened["digest"]
    assert server.http.delete(episode).status_code == 204
    assert server.http.get(f"{episode}/digest").status_code == 404


@pytest.mark.anyio
async def test_a_snapshot_is_gone_back_to(server: Server) -> None:
    opened = server.open()
    episode = f"/episodes/{opened['id']}"
    name = server.http.post(f"{episode}/snapshot").json()["snapshot"]
    async with Client(opened["url"]) as client:
        await charge(client, 2)
    assert server.http.get(f"{episode}/digest").json()["digest"] != opened["digest"]
    restored = server.http.post(f"{episode}/restore", json={"snapshot": name}).json()
    assert restored["digest"] == opened["digest"]
    unknown = server.http.post(f"{episode}/restore", json={"snapshot": "9"})
    assert unknown.status_code == 400
    assert 'no snapshot "9"' in unknown.json()["error"]


def test_the_state_holds_every_table(server: Server) -> None:
    state = server.http.get("/episodes/default/state").json()["state"]
    assert set(state) == {"members", "books", "loans", "holds"}
    assert state["loans"]["LOA-00001"]["loan_id"] == "LOA-00001"


def test_the_default_episode_can_be_reset_but_not_closed(server: Server) -> None:
    reset = server.http.post("/episodes/default/reset", json={"task": TASK})
    assert reset.json()["task"] == TASK
    assert server.http.delete("/episodes/default").status_code == 404
    assert "default" in server.http.get("/episodes").json()["episodes"]


@pytest.mark.parametrize(
    ("path", "body", "says"),
    [
        ("/episodes", b'{"task": "nothing"}', "No task has the id"),
        ("/episodes", b'{"task": {"id": 1}}', "task is not valid"),
        ("/episodes", b'{"colour": 1}', "colour"),
        ("/episodes", b'{"seed": "x"}', "seed"),
        ("/episodes", b"[]", "not a JSON object"),
        ("/episodes", b"{", "not a JSON object"),
        ("/episodes/default/restore", b"{}", "snapshot"),
    ],
)
def test_bad_parameters_are_explained(server: Server, path: str, body: bytes, says: str) -> None:
    response = server.http.post(path, content=body)
    assert response.status_code == 400
    assert says in response.json()["error"]


def test_an_episode_without_a_task_cannot_be_graded(server: Server) -> None:
    response = server.http.post(f"/episodes/{server.open()['id']}/grade")
    assert response.status_code == 400
    assert "no task" in response.json()["error"]


ROUTES = [
    ("GET", "/episodes"),
    ("POST", "/episodes"),
    ("DELETE", "/episodes/default"),
    ("GET", "/episodes/default/state"),
    ("GET", "/episodes/default/diff"),
    ("GET", "/episodes/default/digest"),
    ("POST", "/episodes/default/reset"),
    ("POST", "/episodes/default/snapshot"),
    ("POST", "/episodes/default/restore"),
    ("POST", "/episodes/default/grade"),
]


@pytest.mark.parametrize(("method", "path"), ROUTES)
@pytest.mark.parametrize("authorization", [None, "Bearer wrong", f"Basic {TOKEN}", TOKEN])
def test_without_the_token_nothing_is_controlled(
    server: Server, method: str, path: str, authorization: str | None
) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    response = httpx2.request(method, server.url + path, headers=headers, trust_env=False)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"


def test_the_control_plane_is_off_unless_asked_for(
    start: Callable[..., subprocess.Popen[bytes]],
) -> None:
    with http_server(start) as server:
        for method, path in ROUTES:
            assert server.http.request(method, path).status_code == 404


def test_a_token_is_made_up_and_said_when_none_is_given(command: Command) -> None:
    parameters = command("--http", "--port", "0", "--control")
    environment = {**(parameters.env or {}), "TOOLWORLD_TOKEN": ""}
    words = [parameters.command, *parameters.args]
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = {process.stderr.readline().partition(" ")[0] for _ in range(2)}
        process.terminate()
    assert said == {"Control", "Serving"}


@pytest.mark.anyio
async def test_over_stdio_control_is_off_unless_asked_for(command: Command, wire: str) -> None:
    async with Client(command(), mode=wire) as client:
        for operation in OPERATIONS:
            with pytest.raises(MCPError) as raised:
                await control(client, operation, {})
            assert raised.value.error.code == METHOD_NOT_FOUND


@pytest.mark.anyio
async def test_over_http_no_agent_reaches_control(server: Server, wire: str) -> None:
    async with Client(server.open()["url"], mode=wire) as client:
        for operation in OPERATIONS:
            with pytest.raises(MCPError) as raised:
                await control(client, operation, {})
            assert raised.value.error.code == METHOD_NOT_FOUND


@pytest.mark.anyio
async def test_control_is_no_tool(command: Command, package: Package) -> None:
    async with Client(command("--control")) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
    assert names == set(package.module("calls.definitions").definitions())


@pytest.mark.anyio
async def test_over_stdio_bad_parameters_are_explained(command: Command, wire: str) -> None:
    async with Client(command("--control"), mode=wire) as client:
        with pytest.raises(MCPError, match="No task has the id") as raised:
            await control(client, "open", {"task": "nothing"})
        assert raised.value.error.code == INVALID_PARAMS
        with pytest.raises(MCPError, match="colour"):
            await control(client, "reset", {"colour": "red"})
        with pytest.raises(MCPError, match="no task"):
            await control(client, "grade", {})
