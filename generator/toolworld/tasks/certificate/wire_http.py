"""A package's server over HTTP, spoken to directly over one kept connection."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import IO, Any
from urllib.parse import urlsplit

from pydantic_core import from_json, to_json

from toolworld.emit import Package
from toolworld.errors import LaunchError
from toolworld.harness.connect import PREFIX
from toolworld.harness.launch import (
    POLL_SECONDS,
    SERVING,
    TIMEOUT,
    TOKEN_VARIABLE,
    ServerLog,
    package_command,
    server_log,
)
from toolworld.tasks.certificate.wire import CALL, CLIENT, Request, Run, Wire, jsonrpc, stop

Json = Any

AHEAD = 64 * 1024
"""The most bytes of requests, unless of a single one, that wait for answers: sockets hold more."""

FIRST_FAILURE = 400
"""The lowest HTTP status that means a request was refused."""

VERSION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}

AGENT_HEADERS = (
    "Accept: application/json, text/event-stream\r\n"
    f"MCP-Protocol-Version: {VERSION}\r\n"
    f"Mcp-Method: {CALL}\r\n"
)


class Http(Wire):
    """A server over one kept connection, on which requests go out before answers are read.

    The episode stays open, so its URL is known, and is reset to each task.
    """

    def __init__(
        self, connection: socket.socket, answers: IO[bytes], host: str, token: str, log: ServerLog
    ) -> None:
        """Open an episode of a server, over a connection to it and what it reads from that."""
        super().__init__("HTTP", log)
        self._socket, self._answers = connection, answers
        self._head = f"HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        self._key = f"Authorization: Bearer {token}\r\n"
        self._unsent = deque([self._request("/episodes", self._key, {})])
        self._unanswered: deque[int] = deque()
        self._send_ahead()
        self._episode = f"/episodes/{self._granted('open', self._receive())['id']}"

    def ask(self, run: Run) -> None:
        """Ask for all of a run at once."""
        self._unsent.extend(map(self._asked, run.requests()))
        self._send_ahead()

    async def next_answer(self) -> Json:
        """Return the next answer that is due."""
        return self._receive()

    def _asked(self, request: Request) -> bytes:
        if request.method == CALL:
            headers = f"{AGENT_HEADERS}Mcp-Name: {request.parameters['name']}\r\n"
            parameters = {**request.parameters, "_meta": META}
            return self._request(f"{self._episode}/mcp", headers, jsonrpc(CALL, parameters, 1))
        path = f"{self._episode}/{request.method.removeprefix(PREFIX)}"
        return self._request(path, self._key, request.parameters)

    def _request(self, path: str, headers: str, body: Json) -> bytes:
        content = to_json(body)
        head = f"POST {path} {self._head}{headers}Content-Length: {len(content)}\r\n\r\n"
        return head.encode() + content

    def _send_ahead(self) -> None:
        """Send what the server can take while nobody reads its answers."""
        ahead, now = sum(self._unanswered), []
        while self._unsent and (not ahead or ahead + len(self._unsent[0]) <= AHEAD):
            now.append(self._unsent.popleft())
            self._unanswered.append(len(now[-1]))
            ahead += len(now[-1])
        try:
            self._socket.sendall(b"".join(now))
        except OSError as error:
            raise self._lost(error) from error

    def _receive(self) -> Json:
        try:
            status, content = response(self._answers)
            answer = from_json(content)
        except (OSError, ValueError) as error:
            raise self._lost(error) from error
        self._unanswered.popleft()
        if self._unsent:
            self._send_ahead()
        # The control plane gives its results as they are, and its errors as an agent gets them.
        control = status < FIRST_FAILURE and "jsonrpc" not in answer
        return {"result": answer} if control else answer

    def _lost(self, error: Exception) -> LaunchError:
        return self._log.error(f"The server over {self._name} is lost: {error}")


def response(stream: IO[bytes]) -> tuple[int, bytes]:
    """Read an HTTP response, and return its status and content.

    Raises:
        ValueError: The server is gone, or says something else.
    """
    version, _, status = stream.readline().partition(b" ")
    if not version.startswith(b"HTTP/1.1"):
        raise ValueError(f"it answers {version[:80]!r}")
    length = 0
    while (line := stream.readline()).strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return int(status[:3]), stream.read(length)


@asynccontextmanager
async def http_wire(package: Package, timeout: float = TIMEOUT) -> AsyncIterator[Wire]:
    """Serve a package over HTTP on a free port of this machine.

    Raises:
        LaunchError: It could not be started, or was not ready in time.
    """
    command = package_command(package, "--http", "--port", "0", "--control")
    token = secrets.token_urlsafe(24)
    with server_log() as (log, file):
        process = subprocess.Popen(
            [command.command, *command.args],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            env={**(command.env or os.environ), TOKEN_VARIABLE: token},
        )
        try:
            host = urlsplit(ready(process, log, timeout)).netloc
            with (
                connection_to(host, log, timeout) as connection,
                connection.makefile("rb") as answers,
            ):
                yield Http(connection, answers, host, token, log)
        finally:
            stop(process)


def connection_to(host: str, log: ServerLog, timeout: float) -> socket.socket:
    """Return a connection to a server, by its name and port.

    Raises:
        LaunchError: There is nobody.
    """
    name, _, port = host.rpartition(":")
    try:
        return socket.create_connection((name, int(port)), timeout)
    except OSError as error:
        raise log.error(f"The server over HTTP cannot be reached at {host}: {error}") from error


def ready(process: subprocess.Popen[bytes], log: ServerLog, timeout: float) -> str:
    """Wait until a server serves, and return its URL.

    Raises:
        LaunchError: It ends, or is not ready in time.
    """
    end = time.monotonic() + timeout
    while process.poll() is None and time.monotonic() < end:
        for line in log.text().splitlines():
            if line.startswith(SERVING):
                return line.removeprefix(SERVING).strip()
        time.sleep(POLL_SECONDS)
    raise log.error("The HTTP server ended or was not ready in time.")
