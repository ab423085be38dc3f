"""The packages' own servers, spoken to directly: one connection, one JSON-RPC request at a time.

An MCP client lists the tools anew for each episode and checks every result against its schema,
which ``toolworld replay`` does; to compare states over many episodes the protocol itself is
enough, and many times quicker.
"""

from __future__ import annotations

import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from toolworld.harness.launch import STOP_SECONDS

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
