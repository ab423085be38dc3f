"""A package's server in this process, behind an MCP client's session."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from mcp import Client, MCPError
from mcp_types import Request

from toolworld.emit import Package
from toolworld.harness.connect import PREFIX, Answer
from toolworld.harness.launch import ServerLog
from toolworld.tasks.certificate.wire import Wire, outcome

Json = Any


class Memory(Wire):
    """A server in this process."""

    def __init__(self, client: Client) -> None:
        """Take a connected client."""
        self._client = client

    async def open(self, task: Mapping[str, Json]) -> str:
        """Go on with a new episode of a task."""
        return str((await self.control("open", {"task": dict(task), "seed": 0}))["digest"])

    async def call(self, tool: str, arguments: Mapping[str, Json]) -> tuple[bool, str]:
        """Call a tool."""
        try:
            result = await self._request("tools/call", {"name": tool, "arguments": arguments})
        except MCPError as error:
            return True, error.message
        return outcome({"result": result})

    async def control(self, operation: str, parameters: Mapping[str, Json]) -> Json:
        """Do an operation of the control plane."""
        try:
            return await self._request(PREFIX + operation, parameters)
        except MCPError as error:
            raise ServerLog().error(f"{operation} in memory: {error.message}") from error

    async def _request(self, method: str, parameters: Mapping[str, Json]) -> Json:
        request = Request[dict[str, Json], str](method=method, params=dict(parameters))
        return (await self._client.session.send_request(request, Answer)).root


@asynccontextmanager
async def memory_wire(package: Package) -> AsyncIterator[Wire]:
    """Put a session of an MCP client before a package's server."""
    module = package.module("episodes")
    episodes = module.Episodes(module.Episode())
    server = package.module("server").build_server(lambda _: episodes.find(module.DEFAULT_EPISODE))
    package.module("methods").add_control(server, episodes)
    async with Client(server) as client:
        yield Memory(client)
