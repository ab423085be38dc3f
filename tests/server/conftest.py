"""A built library package, served for real: in memory, over stdio and over HTTP."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import Request
from pydantic import RootModel

from toolworld.packages import Package, load_package

TOKEN = "a-token"
WIRES = {"legacy": "2025-11-25", "auto": "2026-07-28"}
"""How a client connects, and the protocol version it then speaks."""

STOP_SECONDS = 20

Json = dict[str, Any]
Command = Callable[..., StdioServerParameters]


class Answer(RootModel[Json]):
    """What a control method answers."""


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def package(golden_package: Path) -> Package:
    """The library package."""
    return load_package(golden_package)


@pytest.fixture(params=list(WIRES))
def wire(request: pytest.FixtureRequest) -> str:
    """How a client connects: each test runs on both wires."""
    return str(request.param)


@pytest.fixture(scope="session")
def command(package: Package) -> Command:
    """Makes the command that serves the package."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(package.path / "src"),
        "TOOLWORLD_TOKEN": TOKEN,
    }

    def with_options(*options: str) -> StdioServerParameters:
        arguments = ["-m", package.module_name, *options]
        return StdioServerParameters(command=sys.executable, args=arguments, env=environment)

    return with_options


@pytest.fixture(scope="session")
def start(command: Command) -> Callable[..., subprocess.Popen[bytes]]:
    """Starts a server as a plain process, for clients that misbehave."""

    def run(*options: str, **streams: Any) -> subprocess.Popen[bytes]:
        parameters = command(*options)
        pipes = {name: subprocess.PIPE for name in ("stdin", "stdout", "stderr")}
        return subprocess.Popen(
            [parameters.command, *parameters.args], env=parameters.env, **{**pipes, **streams}
        )

    return run


@dataclass(frozen=True)
class Server:
    """A running HTTP server.

    Attributes:
        http: A client with the control plane's token.
        log: What it said on stderr after its URL, once it has ended.
    """

    url: str
    process: subprocess.Popen[bytes]
    http: httpx2.Client
    log: Future[bytes]

    def open(self, **parameters: object) -> Json:
        """Open an episode."""
        response = self.http.post("/episodes", json=parameters)
        assert response.status_code == 201, response.text
        opened: Json = response.json()
        return opened


@contextmanager
def http_server(start: Callable[..., subprocess.Popen[bytes]], *options: str) -> Iterator[Server]:
    """Run an HTTP server on a free port until the end of the block."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with (
        start("--http", "--port", "0", *options) as process,
        ThreadPoolExecutor(1) as reader,
        httpx2.Client(headers=headers, trust_env=False) as http,
    ):
        assert process.stderr is not None
        line = process.stderr.readline().decode()
        assert line.startswith("Serving http"), line + process.stderr.read().decode()
        url = line.removeprefix("Serving ").strip().removesuffix("/mcp")
        http.base_url = httpx2.URL(url)
        # Read all along, or a full pipe would stop the server.
        log = reader.submit(process.stderr.read)
        try:
            yield Server(url, process, http, log)
        finally:
            process.terminate()
            process.wait(STOP_SECONDS)


@pytest.fixture(scope="session")
def server(start: Callable[..., subprocess.Popen[bytes]]) -> Iterator[Server]:
    """An HTTP server with its control plane on, shared: tests open episodes of their own."""
    with http_server(start, "--control") as running:
        yield running


Connect = Callable[[], AbstractAsyncContextManager[Client]]


@pytest.fixture(params=["memory", "stdio", "http"])
def connect(
    request: pytest.FixtureRequest, package: Package, command: Command, wire: str
) -> Connect:
    """Connects a client to a fresh episode: each test runs over each transport and wire."""

    @asynccontextmanager
    async def connected() -> AsyncIterator[Client]:
        target: Any
        if request.param == "memory":
            target = memory_server(package)
        elif request.param == "stdio":
            target = command()
        else:
            target = request.getfixturevalue("server").open()["url"]
        async with Client(target, mode=wire) as client:
            yield client

    return connected


def memory_server(package: Package, **options: Any) -> Any:
    """Return a server of one fresh episode."""
    episode = package.module("serving.episodes").Episode()
    return package.module("serving.server").build_server(lambda _: episode, **options)


async def control(client: Client, operation: str, parameters: Mapping[str, Any]) -> Json:
    """Call a method of the control plane."""
    request = Request[Json, str](method=f"toolworld/episode/{operation}", params=dict(parameters))
    return (await client.session.send_request(request, Answer)).root


async def charge(client: Client, amount: float) -> None:
    """Write: charge a fee for a loan that is there from the start."""
    fee = {"reason": "damaged", "amount": amount, "charged_on": "2026-03-02"}
    result = await client.call_tool("charge_fee", {"loan_id": "LOA-00001", "fee": fee})
    assert not result.is_error, result.content
