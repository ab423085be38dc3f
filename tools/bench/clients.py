"""Real MCP clients that write to many episodes of one server, and stay connected to the end."""

from __future__ import annotations

import random
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tools.isolation.marks import Mark
from toolworld.harness.launch import HttpServer, Timeouts, http_server
from toolworld.packages import Package

WIRES = ("legacy", "2026-07-28")
SECONDS = 60.0

Json = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """The outcome of writing to many episodes.

    Attributes:
        seconds: How long it took.
        writes: How many there were.
        mixed_up: The episodes whose changes are not what was written to them.
    """

    seconds: float
    writes: int
    mixed_up: list[str]


class Writers:
    """Clients that write to episodes, and what they wrote."""

    def __init__(self, server: HttpServer, http: httpx2.AsyncClient, mark: Mark) -> None:
        """Take a server, an HTTP client, and the mark that each write leaves."""
        self._server = server
        self._http = http
        self._mark = mark
        self._urls: dict[str, str] = {}
        self._written: dict[str, list[int]] = {}

    async def open(self, count: int) -> None:
        """Open episodes."""
        for _ in range(count):
            opened = await self._control("POST", "/episodes", {})
            self._urls[opened["id"]] = opened["url"]
            self._written[opened["id"]] = []

    async def write(self, writer: int, writes: int) -> None:
        """Write to episodes picked at random, keeping every client connected."""
        choice = random.Random(writer)  # noqa: S311 - which episode is written to, not a secret
        ids = list(self._urls)
        clients: dict[str, Client] = {}
        async with AsyncExitStack() as stack:
            for number in range(writes):
                episode = choice.choice(ids)
                if episode not in clients:
                    transport = streamable_http_client(self._urls[episode], http_client=self._http)
                    client = Client(transport, mode=WIRES[number % 2])
                    clients[episode] = await stack.enter_async_context(client)
                mark = writer * writes + number + 1
                await self._leave(clients[episode], mark)
                self._written[episode].append(mark)

    async def _leave(self, client: Client, number: int) -> None:
        result = await client.call_tool(*self._mark.leave(number))
        if result.is_error:
            raise RuntimeError(f"The write failed: {result.content}")

    async def mixed_up(self) -> list[str]:
        """Return the episodes whose changes are not what was written to them."""
        return [
            episode
            for episode, written in self._written.items()
            if await self._found(episode) != sorted(written)
        ]

    async def _found(self, episode: str) -> list[int]:
        changes = (await self._control("GET", f"/episodes/{episode}/diff"))["changes"]
        return sorted(self._mark.find(changes))

    async def _control(self, method: str, path: str, body: Json | None = None) -> Json:
        headers = {"Authorization": f"Bearer {self._server.token}"}
        response = await self._http.request(
            method, self._server.url + path, json=body, headers=headers
        )
        response.raise_for_status()
        answer: Json = response.json()
        return answer


async def run(package: Package, mark: Mark, episodes: int, clients: int, writes: int) -> Outcome:
    """Open episodes, write to them, and find out which are mixed up."""
    async with (
        http_server(package, Timeouts(SECONDS, SECONDS)) as server,
        httpx2.AsyncClient(timeout=SECONDS, trust_env=False) as http,
    ):
        writers = Writers(server, http, mark)
        await writers.open(episodes)
        start = time.perf_counter()
        async with anyio.create_task_group() as group:
            for writer in range(clients):
                group.start_soon(writers.write, writer, writes // clients)
        seconds = time.perf_counter() - start
        return Outcome(seconds, writes // clients * clients, await writers.mixed_up())
