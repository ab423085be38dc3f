"""Calling the tools of any MCP server, with its answers in the harness's shape."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from types import FrameType
from typing import Any, Protocol

from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT, CallToolResult, TextContent

from toolworld.errors import LaunchError, ToolworldError
from toolworld.harness.http import HttpClient
from toolworld.harness.launch import (
    SECONDS,
    Command,
    Timeouts,
    entered,
    stdio_server,
)
from toolworld.harness.log import ServerLog, silenced
from toolworld.harness.reply import Outcome, Reply

SDK_TRANSPORT = "mcp.client.streamable_http"
STUCK = 2.0
"""After how many times its time-out a client is taken to be stuck."""
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

    def __init__(self, client: Client, log: ServerLog, timeout: float = SECONDS) -> None:
        """Take a connected client, the log of its server, and how long it waits for an answer."""
        self.client = client
        self._log, self._timeout = log, timeout

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """Call a tool.

        Raises:
            LaunchError: The server is gone, does not answer, or garbles its output.
        """
        try:
            with ended_if_stuck(STUCK * self._timeout):
                result = await self.client.call_tool(tool, dict(arguments), self._timeout)
        except MCPError as error:
            self.check(error, f"while {tool} ran")
            if not self._log.is_error:
                first = error.message.partition("\n")[0]
                return Reply("broken", f"The answer cannot be used: {first}")
            return Reply("error", error.message)
        except LaunchError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the client makes of an odd answer
            # It breaks the tool's output schema or the protocol, or is too much for the client.
            return Reply("broken", f"The answer cannot be used: {_said(error)}")
        self.check(None, f"while {tool} ran")
        return _reply(result)

    def check(self, error: MCPError | None, when: str) -> None:
        """Raise if a server is gone, or prints to standard output, which is the protocol's.

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


class Stuck(Exception):
    """The client works on an answer without end, as on a pattern in an output schema."""

    def __str__(self) -> str:
        """Say so."""
        return "the client does not get to the end of it."


@contextmanager
def ended_if_stuck(seconds: float) -> Iterator[None]:
    """Raise ``Stuck`` in a block that blocks the event loop too long, where the system has timers.

    A block that waits ends by the client's own time-out, which is shorter.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or sys.platform == "win32":
        yield
        return
    before = signal.signal(signal.SIGALRM, _stuck)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _stuck(_: int, __: FrameType | None) -> None:
    raise Stuck


def _said(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


@asynccontextmanager
async def any_server(server: str, timeouts: Timeouts) -> AsyncIterator[Caller]:
    """Connect to any MCP server.

    Args:
        server: A command to start over stdio, with this process's environment, or a URL.
        timeouts: How long it is waited for.

    Raises:
        ToolworldError: The command cannot be read.
        LaunchError: The server cannot be reached.
    """
    if not is_url(server):
        async with stdio_server(parse_command(server), server, timeouts) as (client, log):
            yield McpCaller(client, log, timeouts.call)
        return
    log = ServerLog()
    longest = max(timeouts.start, timeouts.call)
    async with HttpClient(log, timeout=2 * longest) as http:
        transport = streamable_http_client(server, http_client=http)
        client = Client(transport, read_timeout_seconds=timeouts.start)
        with silenced(SDK_TRANSPORT):
            async with entered(client, log, f"{server} cannot be reached", timeouts.start):
                yield McpCaller(client, log, timeouts.call)


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
