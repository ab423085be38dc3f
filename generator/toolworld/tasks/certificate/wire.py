"""The packages' own servers, spoken to directly: one connection, one JSON-RPC request at a time.

An MCP client lists the tools anew for each episode and checks every result against its schema,
which ``toolworld replay`` does; to compare states over many episodes the protocol itself is
enough, and many times quicker.
"""

from __future__ import annotations

import http.client
import json
import os
import secrets
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import IO, Any
from urllib.parse import urlsplit

from toolworld.emit import Package
from toolworld.errors import LaunchError
from toolworld.harness.connect import PREFIX
from toolworld.harness.launch import (
    POLL_SECONDS,
    SERVING,
    STOP_SECONDS,
    TIMEOUT,
    TOKEN_VARIABLE,
    ServerLog,
    package_command,
    server_log,
)

Json = Any

VERSION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientInfo": {"name": "toolworld", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Wire(ABC):
    """A server of a package, with one episode open at a time.

    The methods may block: a server is spoken to by a thread of its own, which has nothing else to
    do until the answer is there.
    """

    @abstractmethod
    async def open(self, task: Mapping[str, Json]) -> str:
        """Go on with a new episode of a task, and return the digest it starts with.

        Like every method here, it raises LaunchError where the server fails.
        """

    @abstractmethod
    async def call(self, tool: str, arguments: Mapping[str, Json]) -> tuple[bool, str]:
        """Call a tool, and return whether that was an error, and the text it gave."""

    @abstractmethod
    async def control(self, operation: str, parameters: Mapping[str, Json]) -> Json:
        """Do an operation of the control plane."""

    async def digest(self) -> str:
        """Return the digest of the state."""
        return str((await self.control("digest", {}))["digest"])

    async def reward(self, answer: str) -> float:
        """Return what the episode is worth with a final answer."""
        return float((await self.control("grade", {"answer": answer}))["reward"])


class Stdio(Wire):
    """A server over its standard input and output."""

    def __init__(self, process: subprocess.Popen[bytes], log: ServerLog) -> None:
        """Take a running server."""
        self._process, self._log = process, log
        self._number = 0

    async def open(self, task: Mapping[str, Json]) -> str:
        """Go on with a new episode of a task."""
        return str((await self.control("open", {"task": task, "seed": 0}))["digest"])

    async def call(self, tool: str, arguments: Mapping[str, Json]) -> tuple[bool, str]:
        """Call a tool."""
        return outcome(self._request("tools/call", {"name": tool, "arguments": arguments}))

    async def control(self, operation: str, parameters: Mapping[str, Json]) -> Json:
        """Do an operation of the control plane."""
        answer = self._request(PREFIX + operation, parameters)
        if "result" not in answer:
            raise self._log.error(f"{operation} over stdio: {said(answer)}")
        return answer["result"]

    def _request(self, method: str, parameters: Mapping[str, Json]) -> Json:
        self._number += 1
        body = json.dumps(request(self._number, method, parameters)) + "\n"
        try:
            pipe_of(self._process.stdin).write(body.encode())
            pipe_of(self._process.stdin).flush()
            answer = json.loads(pipe_of(self._process.stdout).readline())
        except (OSError, ValueError) as error:
            raise self._log.error(f"The server over stdio is lost at {method}: {error}") from error
        if answer.get("id") != self._number:
            raise self._log.error(f"The server over stdio answers something else to {method}.")
        return answer


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


def request(number: int, method: str, parameters: Mapping[str, Json]) -> dict[str, Json]:
    """Return a JSON-RPC request of the wire without sessions."""
    params = {**parameters, "_meta": META}
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def outcome(answer: Json) -> tuple[bool, str]:
    """Return whether a tool call was an error, and the text it gave."""
    result = answer.get("result")
    if result is None:
        return True, said(answer)
    return bool(result.get("isError")), "\n".join(part["text"] for part in result["content"])


def said(answer: Json) -> str:
    """Return what an error says."""
    error = answer.get("error", answer)
    return str(error.get("message", error)) if isinstance(error, Mapping) else str(error)


def pipe_of(pipe: IO[bytes] | None) -> IO[bytes]:
    """Return an end of a process that was opened as a pipe."""
    if pipe is None:
        raise LaunchError("The server was started without pipes.")
    return pipe


@asynccontextmanager
async def stdio_wire(package: Package) -> AsyncIterator[Wire]:
    """Serve a package over stdio.

    Raises:
        LaunchError: It could not be started.
    """
    command = package_command(package, "--control")
    with server_log() as (log, errors):
        process = subprocess.Popen(
            [command.command, *command.args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=command.env,
        )
        try:
            yield Stdio(process, log)
        finally:
            stop(process)


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


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a server: by its input where it has one, else and at last by force."""
    if process.stdin is not None:
        process.stdin.close()
    else:
        process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
