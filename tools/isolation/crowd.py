"""Plain requests to many episodes of one server at once, for some time."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2

from tools.isolation.marks import Mark
from tools.servers import TOKEN, Server

SECONDS = 60.0
MODERN, OLDER = "2026-07-28", "2025-11-25"
META = "io.modelcontextprotocol/"
TOGETHER = 16
CONTROL = {"Authorization": f"Bearer {TOKEN}"}
PAGE_BYTES = 4096

Json = dict[str, Any]


@dataclass
class CrowdEpisode:
    """An episode, and what was written to it."""

    id: str
    path: str
    token: str
    written: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class CrowdOutcome:
    """The outcome of writing to episodes.

    Attributes:
        writes: How many there were.
        mixed_up: The episodes whose changes are not what was written to them.
    """

    writes: int
    mixed_up: list[str]


class Crowd:
    """Clients of one server."""

    def __init__(self, server: Server, http: httpx2.AsyncClient) -> None:
        """Take a server, and a client with its address."""
        self._server, self._http = server, http
        self._numbers = 0

    async def open(self) -> CrowdEpisode:
        """Open an episode."""
        told = await self._control("POST", "/episodes", self._server.opens)
        return CrowdEpisode(told["id"], urlsplit(told["url"]).path, told.get("token", ""))

    async def close(self, episode: CrowdEpisode) -> None:
        """Close an episode."""
        answer = await self._http.delete(f"/episodes/{episode.id}", headers=CONTROL)
        answer.raise_for_status()

    async def write(
        self, episodes: Sequence[CrowdEpisode], mark: Mark, until: float, rng: random.Random
    ) -> None:
        """Write to episodes picked at random until some time of the monotonic clock."""
        while time.monotonic() < until:
            episode = rng.choice(episodes)
            self._numbers = number = self._numbers % mark.most + 1
            await self.call(episode, *mark.leave(number), rng.choice((MODERN, OLDER)))
            episode.written.append(number)

    async def call(self, episode: CrowdEpisode, tool: str, arguments: Json, version: str) -> None:
        """Call a tool on a wire.

        Raises:
            RuntimeError: The call fails.
        """
        params: Json = {"name": tool, "arguments": arguments}
        headers = {
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": version,
        }
        if episode.token:
            headers["Authorization"] = f"Bearer {episode.token}"
        if version == MODERN:
            headers |= {"Mcp-Method": "tools/call", "Mcp-Name": tool}
            client = {"name": "crowd", "version": "1"}
            params["_meta"] = {
                META + "protocolVersion": version,
                META + "clientInfo": client,
                META + "clientCapabilities": {},
            }
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = (await self._http.post(episode.path, json=message, headers=headers)).json()
        if "result" not in answer or answer["result"]["isError"]:
            raise RuntimeError(f"The write failed: {answer}")

    async def mixed_up(self, episodes: Sequence[CrowdEpisode], mark: Mark) -> list[str]:
        """Return the episodes whose changes are not what was written to them."""
        method = "POST" if "domain" in self._server.opens else "GET"
        wrong = []
        for episode in episodes:
            told = await self._control(method, f"/episodes/{episode.id}/diff", {})
            if sorted(mark.find(told["changes"])) != sorted(episode.written):
                wrong.append(episode.id)
        return wrong

    async def _control(self, method: str, path: str, body: Json) -> Json:
        answer = await self._http.request(method, path, json=body, headers=CONTROL)
        answer.raise_for_status()
        told: Json = answer.json()
        return told


def client_of(server: Server, clients: int) -> httpx2.AsyncClient:
    """Return an HTTP client with a number of connections."""
    limits = httpx2.Limits(max_connections=clients, max_keepalive_connections=clients)
    url = f"http://{server.address}"
    return httpx2.AsyncClient(base_url=url, timeout=SECONDS, trust_env=False, limits=limits)


async def write(
    server: Server, mark: Mark, episodes: int, clients: int, seconds: float
) -> CrowdOutcome:
    """Open episodes, write to them for some time, and find out which are mixed up."""
    async with client_of(server, clients) as http:
        crowd = Crowd(server, http)
        opened = [await crowd.open() for _ in range(episodes)]
        until = time.monotonic() + seconds
        async with asyncio.TaskGroup() as group:
            for number in range(clients):
                rng = random.Random(number)  # noqa: S311 - guards nothing
                group.create_task(crowd.write(opened, mark, until, rng))
        writes = sum(len(episode.written) for episode in opened)
        return CrowdOutcome(writes, await crowd.mixed_up(opened, mark))


async def open_and_close(server: Server, mark: Mark, episodes: int, parts: int) -> list[int]:
    """Open episodes, write to each and close them; return the server's memory after each part."""
    memory = []
    async with client_of(server, TOGETHER) as http:
        crowd = Crowd(server, http)
        for _ in range(parts):
            async with asyncio.TaskGroup() as group:
                for number in range(TOGETHER):
                    rng = random.Random(number)  # noqa: S311 - guards nothing
                    group.create_task(_churn(crowd, mark, episodes // parts // TOGETHER, rng))
            memory.append(_memory(server))
    return memory


async def _churn(crowd: Crowd, mark: Mark, episodes: int, rng: random.Random) -> None:
    for _ in range(episodes):
        episode = await crowd.open()
        await crowd.call(episode, *mark.leave(1), rng.choice((MODERN, OLDER)))
        await crowd.close(episode)


def _memory(server: Server) -> int:
    """Return how many megabytes of memory a server uses, on Linux."""
    pages = Path(f"/proc/{server.process.pid}/statm").read_text("ascii").split()[1]
    return int(pages) * PAGE_BYTES // 2**20
