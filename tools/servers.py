"""Starts HTTP servers of packages and hosts, for checks that try them hard."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolworld.harness.launch import Command

TOKEN = "a token"  # noqa: S105 - of no other use
START_SECONDS, POLL = 60.0, 0.02

Json = dict[str, Any]


@dataclass(frozen=True)
class Server:
    """A server that answers.

    Attributes:
        opens: The body of a request that opens an episode.
    """

    name: str
    process: Process
    log: Path
    url: str
    opens: Json

    @property
    def address(self) -> str:
        """The name and the port."""
        return self.url.removeprefix("http://").partition("/")[0]


@asynccontextmanager
async def started(name: str, command: Command, log: Path, opens: Json) -> AsyncIterator[Server]:
    """Start a server, and wait until it answers."""
    with log.open("w") as said:
        process = await asyncio.create_subprocess_exec(
            command.command, *command.args, env={**(command.env or {}), "TOOLWORLD_TOKEN": TOKEN},
            stdin=DEVNULL, stdout=said, stderr=said,
        )  # fmt: skip
    try:
        async with asyncio.timeout(START_SECONDS):
            while not (url := _url(log)):
                await asyncio.sleep(POLL)
        yield Server(name, process, log, url, opens)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


def _url(log: Path) -> str:
    lines = [line for line in log.read_text("utf-8").splitlines() if line.startswith("Serving ")]
    return lines[0].split()[-1] if lines else ""


def host_command(folder: Path, *options: str) -> Command:
    """Return the command that starts a host of a package."""
    words = ["-m", "toolworld", "serve", str(folder), "--port", "0", *options]
    return Command(command=sys.executable, args=words, env=dict(os.environ))
