"""Whether episodes stay apart: ``make isolation``.

Opens 1,000 episodes of the golden record's package in one HTTP server, has 32 clients write to
them at random over both wires, and compares what each episode changed with what was written to
it. Every client stays connected to the end.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tools import committed
from toolworld import emit
from toolworld.harness.launch import HttpServer, http_server

WIRES = ("legacy", "2026-07-28")
LOAN = "LOA-00001"
SECONDS = 60.0

Json = dict[str, Any]


class Writers:
    """Clients that write to episodes, and what they wrote."""

    def __init__(self, server: HttpServer, http: httpx2.AsyncClient) -> None:
        """Write to the episodes of a server."""
        self._server = server
        self._http = http
        self._urls: dict[str, str] = {}
        self._written: dict[str, list[float]] = {}

    async def open(self, count: int) -> None:
        """Open episodes."""
        for _ in range(count):
            opened = await self._control("POST", "/episodes", {})
            self._urls[opened["id"]] = opened["url"]
            self._written[opened["id"]] = []

    async def write(self, writer: int, writes: int) -> None:
        """Write to episodes picked at random, holding on to every client."""
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
                amount = (writer * writes + number + 1) / 100
                await self._charge(clients[episode], amount)
                self._written[episode].append(amount)

    async def _charge(self, client: Client, amount: float) -> None:
        fee = {"reason": "damaged", "amount": amount, "charged_on": "2026-03-02"}
        result = await client.call_tool("charge_fee", {"loan_id": LOAN, "fee": fee})
        if result.is_error:
            raise RuntimeError(f"The write failed: {result.content}")

    async def mixed_up(self) -> list[str]:
        """Return the episodes whose changes are not what was written to them."""
        return [
            episode
            for episode, written in self._written.items()
            if await self._fees(episode) != sorted(written)
        ]

    async def _fees(self, episode: str) -> list[float]:
        changes = (await self._control("GET", f"/episodes/{episode}/diff"))["changes"]
        if [change["key"] for change in changes] not in ([], [LOAN]):
            return [-1.0]
        return sorted(
            fee["amount"]
            for change in changes
            for fee in change["after"]["fees"][len(change["before"]["fees"]) :]
        )

    async def _control(self, method: str, path: str, body: Json | None = None) -> Json:
        headers = {"Authorization": f"Bearer {self._server.token}"}
        response = await self._http.request(
            method, self._server.url + path, json=body, headers=headers
        )
        response.raise_for_status()
        answer: Json = response.json()
        return answer


async def check(package: Path, episodes: int, clients: int, writes: int) -> bool:
    """Write, and print and return whether the episodes stayed apart."""
    loaded = emit.load_package(package)
    async with (
        http_server(loaded, SECONDS) as server,
        httpx2.AsyncClient(timeout=SECONDS, trust_env=False) as http,
    ):
        writers = Writers(server, http)
        await writers.open(episodes)
        start = time.perf_counter()
        async with anyio.create_task_group() as group:
            for writer in range(clients):
                group.start_soon(writers.write, writer, writes // clients)
        seconds = time.perf_counter() - start
        mixed_up = await writers.mixed_up()
    done = writes // clients * clients
    print(f"{episodes} episodes, {clients} clients, {done} writes in {seconds:.1f} s.")
    print(f"Mixed up: {len(mixed_up)}.")
    return not mixed_up


def main() -> None:
    """Parse, check, and exit with 1 if episodes saw each other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--package", type=Path, default=committed.golden()[1])
    parser.add_argument("--episodes", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--writes", type=int, default=2000)
    options = parser.parse_args()
    apart = anyio.run(check, options.package, options.episodes, options.clients, options.writes)
    sys.exit(0 if apart else 1)


if __name__ == "__main__":
    main()
