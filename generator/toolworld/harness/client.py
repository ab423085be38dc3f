"""Calling the tools of any MCP server, with its answers in the harness's shape."""

from __future__ import annotations

import os
import shlex
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Protocol

from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT, CallToolResult, TextContent
from pydantic import ValidationError

from toolworld.errors import ToolworldError
from toolworld.harness.launch import Command, HttpClient, ServerLog, entered, stdio_server
from toolworld.harness.reply import Outcome, Reply

LOST = {
    CONNECTION_CLOSED: "The server ended or closed the connection",
    REQUEST_TIMEOUT: "The server did not answer in time",
}
"""What the error codes mean after which nothing more can be expected of a server."""


class Caller(Protocol):
    """Something whose tools can be called."""

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """Call a tool.

        Raises:
            LaunchError: The server is gone or does not answer.
        """


class McpCaller:
    """Calls tools through an MCP client."""

    def __init__(self, client: Client, log: ServerLog) -> None:
        """Take a connected client and the log of its server."""
        self.client = client
        self._log = log

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """Call a tool.

        Raises:
            LaunchError: The server is gone, does not answer, or garbles its output.
        """
        try:
            result = await self.client.call_tool(tool, dict(arguments))
        except MCPError as error:
            self.check(error, f"while {tool} ran")
            return Reply("error", error.message)
        except (RuntimeError, ValidationError) as error:
            # The client found the result to break the tool's output schema or the protocol.
            return Reply("error", f"The result is not valid: {error}")
        self.check(None, f"while {tool} ran")
        return _reply(result)

    def check(self, error: MCPError | None, when: str) -> None:
        """Raise if a server is gone, or prints to where only the protocol belongs.

        Raises:
            LaunchError: It is, or does.
        """
        if error is not None and (self._log.lost or error.code in LOST):
            what = LOST[CONNECTION_CLOSED] if self._log.lost else LOST[error.code]
            raise self._log.error(f"{what} {when}.")
        if self._log.strays:
            raise self._log.error("The server prints to standard output what is no JSON-RPC.")


def _reply(result: CallToolResult) -> Reply:
    texts = [block.text for block in result.content if isinstance(block, TextContent)]
    outcome: Outcome = "rejected" if result.is_error else "ok"
    return Reply(outcome, "\n".join(texts), result.structured_content or {})


@asynccontextmanager
async def any_server(server: str, timeout: float) -> AsyncIterator[Caller]:
    """Connect to any MCP server.

    Args:
        server: A command to start over stdio, with this process's environment, or a URL.
        timeout: The most seconds to wait for any answer.

    Raises:
        ToolworldError: The command cannot be read.
        LaunchError: The server cannot be reached.
    """
    if not is_url(server):
        async with stdio_server(parse_command(server), server, timeout) as (client, log):
            yield McpCaller(client, log)
        return
    log = ServerLog()
    async with HttpClient(log, timeout=2 * timeout) as http:
        transport = streamable_http_client(server, http_client=http)
        client = Client(transport, read_timeout_seconds=timeout)
        async with entered(client, log, f"{server} cannot be reached"):
            yield McpCaller(client, log)


def is_url(server: str) -> bool:
    """Whether a server is given by its URL, not by a command."""
    return server.startswith(("http://", "https://"))


def parse_command(text: str) -> Command:
    """Return a command line as a command with this process's environment.

    Raises:
        ToolworldError: It is empty, or a quotation mark is not closed.
    """
    try:
        words = shlex.split(text, posix=os.name != "nt")
    except ValueError as error:
        raise ToolworldError(f"The server's command cannot be read: {error}: {text}") from error
    if not words:
        raise ToolworldError("The server's command is empty.")
    return Command(command=words[0], args=words[1:], env=dict(os.environ))
