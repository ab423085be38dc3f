"""The time of a call over stdio and of a start, against the smallest possible MCP server."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters

from tools.bench import calls, retail
from tools.bench.rows import BenchRow
from tools.bench.timing import AsyncSample, Sample, async_race, race
from toolworld.harness.forking import forking_parent
from toolworld.harness.launch import USUAL, package_command, stdio_server
from toolworld.harness.pipes import Start
from toolworld.packages import Package

CALL_BAR, START_BAR = 1.1, 1.2
FORKED_SECONDS = 0.025
IN_A_ROW = 20
BARE = Path(__file__).with_name("bare_server.py")
INFO = {"name": "bench", "version": "1"}
LISTED = 2
HELLO = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": INFO},
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": LISTED, "method": "tools/list"},
)
"""The messages of a client until it knows the tools."""

Json = dict[str, Any]


def stdio_calls(package: Package, rounds: int) -> Iterator[BenchRow]:
    """Measure calls over stdio with the SDK's client: a read and a write of an order."""
    environment = package.environment()
    read = calls.READS["an order"]
    switch = retail.readdress(environment)
    for what, turn in (("a read", (read, read)), ("a write", (switch.there, switch.back))):
        payload = turn[0](environment).structured
        command = bare_command(package, payload)
        times = anyio.run(_race_calls, package_command(package), command, turn, rounds)
        name = f"{what} over stdio, {turn[0].tool}"
        note = f"a constant from a bare server, {len(json.dumps(payload)):,} bytes"
        yield BenchRow(name, *times, CALL_BAR, note)


def cold_start(package: Package, rounds: int) -> Iterator[BenchRow]:
    """Measure from the start of the process to the list of tools."""
    command = bare_command(package, {})
    ours, bare = (start_sample(command) for command in (package_command(package), command))
    note = f"a bare server that lists the same {len(package.environment().tools)} tools"
    times = race(ours, bare, rounds)
    yield BenchRow("cold start to tools/list", *times, START_BAR, note)


def forked_start(package: Package, rounds: int) -> Iterator[BenchRow]:
    """Measure a server forked from a process that has imported its package, until it greets."""
    seconds, alone = anyio.run(_race_starts, package, rounds)
    note = f"what it may take; {alone * 1000:,.0f} ms by the package's own command"
    yield BenchRow("forked start to its greeting", seconds, FORKED_SECONDS, 1.0, note)


async def _race_starts(package: Package, rounds: int) -> tuple[float, float]:
    async with forking_parent(package) as parent:
        ours, alone = (_connect_sample(start) for start in (parent.start, package_command(package)))
        return await async_race(ours, alone, rounds)


def _connect_sample(start: Start | StdioServerParameters) -> AsyncSample:
    async def sample() -> float:
        began = time.perf_counter()
        async with stdio_server(start, "a server", USUAL) as (client, _):
            seconds = time.perf_counter() - began
            await client.list_tools()
        return seconds

    return sample


def bare_command(package: Package, payload: Json) -> StdioServerParameters:
    """Return the command of a bare server with a package's tools."""
    file = package.path / "bare.json"
    content = {"tools": package.environment().tools, "payload": payload}
    file.write_text(json.dumps(content), encoding="utf-8")
    return StdioServerParameters(
        command=sys.executable, args=[str(BARE), str(file)], env=package_command(package).env
    )


async def _race_calls(
    ours: StdioServerParameters,
    bare: StdioServerParameters,
    turn: tuple[retail.BenchCall, retail.BenchCall],
    rounds: int,
) -> tuple[float, float]:
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(command)) for command in (ours, bare)]
        for client in clients:
            await client.list_tools()
        ours_sample, bare_sample = (_call_sample(client, turn) for client in clients)
        return await async_race(ours_sample, bare_sample, rounds)


def _call_sample(client: Client, turn: tuple[retail.BenchCall, retail.BenchCall]) -> AsyncSample:
    async def sample() -> float:
        start = time.perf_counter()
        for number in range(IN_A_ROW):
            call = turn[number % 2]
            result = await client.call_tool(call.tool, call.arguments)
        seconds = (time.perf_counter() - start) / IN_A_ROW
        if result.is_error or not result.structured_content:
            raise RuntimeError(f"{call.tool} failed: {result.content}")
        return seconds

    return sample


def start_sample(command: StdioServerParameters) -> Sample:
    """Return a sample of a server's start, up to its list of tools."""
    said = "".join(json.dumps(message) + "\n" for message in HELLO).encode()

    def sample() -> float:
        start = time.perf_counter()
        process = subprocess.Popen(
            [command.command, *command.args],
            env=command.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        with process:
            _exchange(process, said)
            return time.perf_counter() - start

    return sample


def _exchange(process: subprocess.Popen[bytes], said: bytes) -> None:
    """Send messages, and read until the tools are listed."""
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("The server has no pipes.")
    process.stdin.write(said)
    process.stdin.flush()
    for line in process.stdout:
        answer = json.loads(line)
        if answer.get("id") == LISTED:
            if not answer["result"]["tools"]:
                raise RuntimeError("The server lists no tools.")
            return
    raise RuntimeError("The server ended before it listed its tools.")
