"""A package's server in this process, behind an MCP client's session."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp import Client, MCPError
from mcp_types import Request

from toolworld.emit import Package
from toolworld.errors import first_of
from toolworld.harness.connect import Answer
from toolworld.harness.launch import ServerLog
from toolworld.tasks.certificate.wire import Request as WireRequest
from toolworld.tasks.certificate.wire import Run, Wire

Json = Any


class Memory(Wire):
    """A server in this process, which is asked when the answer is wanted."""

    def __init__(self, client: Client) -> None:
        """Take a connected client."""
        super().__init__("memory", ServerLog())
        self._session = client.session
        self._unasked: deque[WireRequest] = deque()

    def ask(self, run: Run) -> None:
        """Note what to ask for."""
        self._unasked.extend(run.requests())

    async def next_answer(self) -> Json:
        """Ask for what is next, and return the answer."""
        method, parameters = self._unasked.popleft()
        request = Request[dict[str, Json], str](method=method, params=dict(parameters))
        try:
            return {"result": (await self._session.send_request(request, Answer)).root}
        except MCPError as error:
            return {"error": {"message": error.message}}


@asynccontextmanager
async def memory_wire(package: Package) -> AsyncIterator[Wire]:
    """Put a session of an MCP client before a package's server."""
    module = package.module("episodes")
    episodes = module.Episodes(module.Episode())
    server = package.module("server").build_server(lambda _: episodes.find(module.DEFAULT_EPISODE))
    package.module("methods").add_control(server, episodes)
    try:
        async with Client(server) as client:
            yield Memory(client)
    except BaseExceptionGroup as group:
        raise first_of(group) from None
