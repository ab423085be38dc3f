"""A package's server over HTTP, spoken to directly over one kept connection."""

from __future__ import annotations

import http.client
import json
import os
import secrets
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from toolworld.emit import Package
from toolworld.harness.launch import (
    POLL_SECONDS,
    SERVING,
    TIMEOUT,
    TOKEN_VARIABLE,
    ServerLog,
    package_command,
    server_log,
)
from toolworld.tasks.certificate.wire import VERSION, Wire, outcome, request, said, stop

Json = Any


class Http(Wire):
    """A server over one kept connection, where each episode is a URL."""

    def __init__(self, url: str, token: str, log: ServerLog, timeout: float) -> None:
        """Take a running server."""
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=timeout)
        self._connection.connect()
        self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._keys = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._log = log
        self._episode = ""

    async def open(self, task: Mapping[str, Json]) -> str:
        """Go on with a new episode of a task, and close the one before."""
        if self._episode:
            self._send("DELETE", self._episode)
        opened = self._send("POST", "/episodes", {"task": task, "seed": 0})
        self._episode = f"/episodes/{opened['id']}"
        return str(opened["digest"])

    async def call(self, tool: str, arguments: Mapping[str, Json]) -> tuple[bool, str]:
        """Call a tool."""
        headers = {
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "MCP-Protocol-Version": VERSION,
            "Mcp-Method": "tools/call",
            "Mcp-Name": tool,
        }
        body = request(1, "tools/call", {"name": tool, "arguments": arguments})
        return outcome(self._exchange("POST", f"{self._episode}/mcp", body, headers)[1])

    async def control(self, operation: str, parameters: Mapping[str, Json]) -> Json:
        """Do an operation of the control plane."""
        if operation in ("digest", "diff"):
            return self._send("GET", f"{self._episode}/{operation}")
        return self._send("POST", f"{self._episode}/{operation}", parameters)

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()

    def _send(self, method: str, path: str, body: Json = None) -> Json:
        status, answer = self._exchange(method, path, body, self._keys)
        if status >= http.client.BAD_REQUEST:
            raise self._log.error(f"{method} {path}: {said(answer)}")
        return answer

    def _exchange(
        self, method: str, path: str, body: Json, headers: Mapping[str, str]
    ) -> tuple[int, Json]:
        content = None if body is None else json.dumps(body)
        try:
            self._connection.request(method, path, content, dict(headers))
            response = self._connection.getresponse()
            text = response.read()
            return response.status, json.loads(text) if text else {}
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise self._log.error(f"The server over HTTP is lost at {path}: {error}") from error


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
