"""Checks that episodes stay apart: ``make isolation``.

On the golden record's own server and on a host of it, it opens 5,000 episodes, has 64 clients write
to them at random over both wires for some time, and compares what each episode changed with what
was written to it. Then it opens and closes 100,000 more, and looks at the server's memory.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tools import committed
from tools.isolation import crowd
from tools.isolation.marks import FEES
from tools.servers import host_command, started
from toolworld.harness.launch import Command, package_command
from toolworld.packages import load_package

PARTS = 10
GROWTH = 1.05
"""How many times as large a server may be after its last part as after its first."""


async def check(name: str, command: Command, options: argparse.Namespace, log: Path) -> bool:
    """Check one server; print the figures, and return whether all is well."""
    opens = {"domain": "library"} if name == "host" else {}
    async with started(name, command, log, opens) as server:
        outcome = await crowd.write(
            server, FEES, options.episodes, options.clients, options.seconds
        )
    print(f"{name}: {options.episodes:,} episodes, {options.clients} clients, {outcome.writes:,}")
    print(f"  writes in {options.seconds:g} s, {len(outcome.mixed_up)} mixed up", flush=True)
    async with started(name, command, log, opens) as server:
        memory = await crowd.open_and_close(server, FEES, options.closed, PARTS)
    print(f"  {options.closed:,} opened, written to and closed; megabytes after each tenth:")
    print(f"  {', '.join(map(str, memory))}", flush=True)
    return not outcome.mixed_up and memory[-1] <= GROWTH * memory[0]


async def main() -> int:
    """Check the server of the package and a host."""
    parser = argparse.ArgumentParser(prog="python -m tools.isolation", description=__doc__)
    parser.add_argument("servers", nargs="*", default=["package", "host"])
    parser.add_argument("--episodes", type=int, default=5_000)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--closed", type=int, default=100_000)
    options = parser.parse_args()
    folder = committed.golden()[1]
    bound = ("--episodes", str(options.episodes))
    package = load_package(folder)
    commands = {
        "package": package_command(package, "--http", "--port", "0", "--control", *bound),
        "host": host_command(folder, *bound),
    }
    with tempfile.TemporaryDirectory(prefix="toolworld-isolation-") as logs:
        fine = [
            await check(name, commands[name], options, Path(logs) / name)
            for name in options.servers
        ]
    return int(not all(fine))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
