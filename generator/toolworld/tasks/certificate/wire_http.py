"""A package's server over HTTP, spoken to directly over one kept connection."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import time
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
from toolworld.tasks.certificate.wire import CALL, VERSION, Request, Run, Wire, jsonrpc, stop

Json = Any

FIRST_FAILURE = 400
"""The lowest HTTP status that means a request was refused."""

AGENT_HEADERS = (
    "Accept: application/json, text/event-stream\r\n"
    f"MCP-Protocol-Version: {VERSION}\r\n"
    f"Mcp-Method: {CALL}\r\n"
)


class Http(Wire):
    """A server over one kept connection, on which requests go out before answers are read.

    The episode stays open, so its URL is known, and is reset to each task.
    """

    def __init__(self, url: str, token: str, log: ServerLog, timeout: float) -> None:
        """Connect to a running server, and open an episode."""
        super().__init__("HTTP", log)
        address = urlsplit(url)
        self._head = f"HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Type: application/json\r\n"
        self._key = f"Authorization: Bearer {token}\r\n"
        try:
            self._socket = socket.create_connection((address.hostname, address.port), timeout)
        except OSError as error:
            raise self._lost(error) from error
        self._answers = self._socket.makefile("rb")
        self._send(self._request("/episodes", self._key, {}))
        self._episode = f"/episodes/{self._granted('open', self._receive())['id']}"

    def ask(self, run: Run) -> None:
        """Ask for all of a run at once."""
        self._send(b"".join(map(self._asked, run.requests())))

    async def next_answer(self) -> Json:
        """Return the next answer that is due."""
        return self._receive()

    def close(self) -> None:
        """Let go of the connection."""
        self._answers.close()
        self._socket.close()

    def _asked(self, request: Request) -> bytes:
        if request.method == CALL:
            headers = f"{AGENT_HEADERS}Mcp-Name: {request.parameters['name']}\r\n"
            return self._request(f"{self._episode}/mcp", headers, jsonrpc(1, request))
        path = f"{self._episode}/{request.method.removeprefix(PREFIX)}"
        return self._request(path, self._key, request.parameters)

    def _request(self, path: str, headers: str, body: Json) -> bytes:
        content = to_json(body)
        head = f"POST {path} {self._head}{headers}Content-Length: {len(content)}\r\n\r\n"
        return head.encode() + content

    def _send(self, requests: bytes) -> None:
        try:
            self._socket.sendall(requests)
        except OSError as error:
            raise self._lost(error) from error

    def _receive(self) -> Json:
        try:
            status, content = response(self._answers)
            answer = from_json(content)
        except (OSError, ValueError) as error:
            raise self._lost(error) from error
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
            wire = Http(ready(process, log, timeout), token, log, timeout)
            try:
                yield wire
            finally:
                wire.close()
        finally:
            stop(process)


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
