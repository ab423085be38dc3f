"""The costs of a host: opening an episode, a call over MCP, a step of many, a second worker."""

from __future__ import annotations

import gc
import json
import os
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tools.bench import calls, retail, servers
from tools.bench.rows import BenchRow
from tools.bench.timing import Sample, race, repeated
from toolworld.client import Environment, VectorEnvironment
from toolworld.client.remote import Host
from toolworld.client.vector import Action
from toolworld.packages import Package

MCP_BAR, STEP_BAR, WORKERS_BAR = 1 / 0.9, 1 / 20, 1 / 1.7
OPEN_SECONDS, EPISODE_BYTES = 100e-6, 16_000.0
EPISODES, STEPPED, IN_A_ROW = 4_096, 256, 10
MCP_ROUNDS = 4
"""Calls over HTTP need more rounds: only the fastest show what the servers themselves take."""
TOKEN = "bench"  # noqa: S105 - of no other use


def hosted(package: Package, rounds: int) -> Iterator[BenchRow]:
    """Measure opening, memory, MCP calls, steps and workers."""
    yield from opened(package)
    call = calls.READS["an order"]
    with started(package, 1) as url:
        yield over_mcp(package, url, call, MCP_ROUNDS * rounds)
        yield stepped(package, url, call, rounds)
    yield more_workers(package, call, rounds)


def opened(package: Package) -> Iterator[BenchRow]:
    """Open many episodes in this process, and change a row in each."""
    change = retail.readdress(package.environment()).there
    Environment.local(package.path).call(change.tool, change.arguments)
    before, began = memory(), time.perf_counter()
    many = VectorEnvironment.local(package.path, [None] * EPISODES)
    seconds = (time.perf_counter() - began) / EPISODES
    many.step([Action(change.tool, change.arguments)] * EPISODES)
    grown = (memory() - before) / EPISODES
    note = f"{EPISODES:,} episodes"
    yield BenchRow("opening an episode in process", seconds, OPEN_SECONDS, 1, note)
    note += ", a row changed in each"
    yield BenchRow("memory of an open episode", grown, EPISODE_BYTES, 1, note, "bytes")


def memory() -> int:
    """Return how many bytes this process holds after a garbage collection."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * resource.getpagesize()


def over_mcp(package: Package, url: str, call: retail.BenchCall, rounds: int) -> BenchRow:
    """Race a call over MCP with one to a server whose tool does nothing."""
    payload = call(package.environment()).structured
    file = servers.bare_command(package, payload)
    command = [file.command, *file.args, "--http"]
    episode = Host(url, TOKEN).request("POST", "/episodes", {"domain": "retail"})
    params = {"name": call.tool, "arguments": dict(call.arguments)}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, env=file.env, text=True) as bare,
        ExitStack() as stack,
    ):
        stack.callback(bare.terminate)
        port = int((bare.stdout and bare.stdout.readline()) or 0)
        bare_url = f"http://127.0.0.1:{port}/mcp/"
        ours, theirs = (
            stack.enter_context(BareClient(where, body, token)).sample()
            for where, token in ((episode["url"], episode["token"]), (bare_url, ""))
        )
        times = race(ours, theirs, rounds)
    note = f"a constant from a bare server, {len(json.dumps(payload)):,} bytes"
    return BenchRow(f"a call over HTTP, {call.tool}", *times, MCP_BAR, note)


def stepped(package: Package, url: str, call: retail.BenchCall, rounds: int) -> BenchRow:
    """Race a call in a step of many with a single one."""
    actions = [Action(call.tool, call.arguments)] * STEPPED
    with (
        VectorEnvironment.remote(url, "retail", [None] * STEPPED, token=TOKEN) as many,
        Environment.remote(url, "retail", token=TOKEN) as one,
    ):
        step = repeated(lambda: many.step(actions), 1)
        single = repeated(lambda: one.call(call.tool, call.arguments), IN_A_ROW)
        ours, alone = race(step, single, rounds)
    note = f"steps of {STEPPED} episodes, by the Python client"
    return BenchRow("a call in a batched step", ours / STEPPED, alone, STEP_BAR, note)


def more_workers(package: Package, call: retail.BenchCall, rounds: int) -> BenchRow:
    """Race two workers with one, under two clients that take almost no time."""
    with started(package, 1) as alone, started(package, 2) as together, ExitStack() as stack:
        ours, theirs = (
            _at_once([stack.enter_context(one) for one in clients_of(url, workers, call)])
            for url, workers in ((together, 2), (alone, 1))
        )
        times = race(ours, theirs, max(4, rounds // 8))
    return BenchRow("a worker more", *times, WORKERS_BAR, "two workers against one, batched steps")


def clients_of(url: str, workers: int, call: retail.BenchCall) -> Iterator[BareClient]:
    """Yield two clients that step episodes of their own; with two workers, one client for each."""
    reached: list[str] = []
    while len(reached) < 2:
        client = BareClient(f"{url}/episodes", {"domain": "retail"}, TOKEN)
        ids = [json.loads(client.ask())["id"] for _ in range(STEPPED)]
        worker = ids[0].partition("-")[0]
        if workers > 1 and worker in reached:
            client.close()
            continue
        reached.append(worker)
        client.send(_steps(ids, call), "step")
        yield client


def _steps(episodes: list[str], call: retail.BenchCall) -> dict[str, Any]:
    arguments = dict(call.arguments)
    return {
        "steps": [{"episode": one, "tool": call.tool, "arguments": arguments} for one in episodes]
    }


def _at_once(clients: list[BareClient]) -> Sample:
    def sample() -> float:
        began = time.perf_counter()
        threads = [
            threading.Thread(target=lambda one=one: [one.ask() for _ in range(IN_A_ROW)])
            for one in clients
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.perf_counter() - began

    return sample


@contextmanager
def started(package: Package, workers: int) -> Iterator[str]:
    """Start a host, and give its URL."""
    command = [sys.executable, "-m", "toolworld", "serve", str(package.path), "--port", "0"]
    environment = {**os.environ, "TOOLWORLD_TOKEN": TOKEN}
    with subprocess.Popen(
        [*command, "--workers", str(workers)],
        stderr=subprocess.PIPE, text=True, env=environment,
    ) as process:  # fmt: skip
        for line in process.stderr or ():
            if line.startswith("Serving "):
                break
        try:
            yield line.rpartition(" at ")[2].strip()
        finally:
            process.terminate()


class BareClient:
    """Sends the same request again and again over one connection, without parsing the answer."""

    def __init__(self, url: str, body: dict[str, Any], token: str) -> None:
        """Connect, to send a body to a URL with a token."""
        self._address, _, path = url.removeprefix("http://").partition("/")
        host, _, port = self._address.partition(":")
        self._token = token
        self.send(body, path)
        self._socket = socket.create_connection((host, int(port)))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, body: dict[str, Any], path: str) -> None:
        """Send this body to this path from now on."""
        content = json.dumps(body).encode()
        head = (
            f"POST /{path} HTTP/1.1\r\nHost: {self._address}\r\n"
            f"Authorization: Bearer {self._token}\r\nContent-Type: application/json\r\n"
            "Accept: application/json, text/event-stream\r\n"
            f"Content-Length: {len(content)}\r\n\r\n"
        )
        self._request = head.encode() + content

    def ask(self) -> bytes:
        """Send the request, and return the body of the answer.

        Raises:
            RuntimeError: The answer is an error.
        """
        self._socket.sendall(self._request)
        told = b""
        while b"\r\n\r\n" not in told:
            told += self._socket.recv(1 << 16)
        head, _, body = told.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 20"):
            raise RuntimeError(told[:500].decode())
        lines = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        parts, left = [body], int(lines[b"content-length"]) - len(body)
        while left > 0:
            parts.append(self._socket.recv(1 << 20))
            left -= len(parts[-1])
        return b"".join(parts)

    def sample(self) -> Sample:
        """Return a sample of requests in a row: the seconds of one of them."""
        return repeated(self.ask, IN_A_ROW)

    def close(self) -> None:
        """Disconnect."""
        self._socket.close()

    def __enter__(self) -> BareClient:
        """Return the client."""
        return self

    def __exit__(self, *_: object) -> None:
        """Disconnect."""
        self.close()
