"""Servers of a package forked from one process that has imported it: a start takes milliseconds.

What a server does is the same; only Python's start and the imports are shared. It needs Linux.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import anyio

from toolworld.errors import LaunchError
from toolworld.harness.launch import USUAL, Timeouts, package_command
from toolworld.harness.log import ServerLog, server_log
from toolworld.harness.pipes import MOST_BYTES
from toolworld.system import forking
from toolworld.system.processes import tied

if TYPE_CHECKING:
    from toolworld.packages import Package

PARENT = Path(forking.__file__)
IS_AVAILABLE = sys.platform == "linux"


class Forked:
    """A server that was forked.

    Attributes:
        pid: Its number.
        returncode: Its exit code, below 0 for a signal; None while it runs.
    """

    def __init__(
        self,
        pid: int,
        stdin: asyncio.StreamWriter,
        stdout: asyncio.StreamReader,
        end: asyncio.StreamReader,
        transports: Sequence[asyncio.BaseTransport],
    ) -> None:
        """Take a running server.

        Args:
            pid: Its number.
            stdin: Where it reads.
            stdout: Where it writes.
            end: Where its exit code will be read.
            transports: The pipes of all three.
        """
        self.pid, self.stdin, self.stdout = pid, stdin, stdout
        self.returncode: int | None = None
        self._transports = transports
        self._waiting = asyncio.create_task(self._wait(end))

    async def _wait(self, end: asyncio.StreamReader) -> None:
        said = await end.readline()
        self.returncode = int(said) if said else -1

    def close(self) -> None:
        """Let its pipes go."""
        self._waiting.cancel()
        for transport in self._transports:
            transport.close()


class ForkingParent:
    """A process that has imported a package, and forks its servers."""

    def __init__(self, requests: socket.socket, log: ServerLog) -> None:
        """Take a process that is ready.

        Args:
            requests: Where it takes requests.
            log: What it says.
        """
        self._requests, self._log = requests, log

    async def start(self, said: TextIO, options: Sequence[str] = ("--control",)) -> Forked:
        """Start a server over stdio.

        Args:
            said: The file for its standard error.
            options: The options of its command.

        Raises:
            LaunchError: The parent has ended.
        """
        inner, outer = zip(_pipe("r"), _pipe("w"), _pipe("w"), strict=True)
        asked = json.dumps([*options]).encode()
        try:
            files = [inner[0], inner[1], said.fileno(), inner[2]]
            socket.send_fds(self._requests, [asked], files)
        except OSError as error:
            for file in outer:
                os.close(file)
            raise self._log.error("The process that forks servers has ended.") from error
        finally:
            for file in inner:
                os.close(file)
        return await _forked(*outer)


def _pipe(theirs: str) -> tuple[int, int]:
    """Return both ends of a new pipe: first the server's end, then ours."""
    reading, writing = os.pipe()
    return (reading, writing) if theirs == "r" else (writing, reading)


async def _forked(writing: int, reading: int, ending: int) -> Forked:
    """Return a server that was asked for, by our ends of its pipes."""
    loop = asyncio.get_running_loop()
    (stdout, reader), (end, ender) = [await _reader(file) for file in (reading, ending)]
    writer, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), os.fdopen(writing, "wb", 0)
    )
    stdin = asyncio.StreamWriter(writer, protocol, None, loop)
    said = await end.readline()
    if not said:
        raise LaunchError("The process that forks servers has ended.")
    return Forked(int(said), stdin, stdout, end, [reader, ender, writer])


async def _reader(file: int) -> tuple[asyncio.StreamReader, asyncio.BaseTransport]:
    stream = asyncio.StreamReader(MOST_BYTES)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(file, "rb", 0)
    )
    return stream, transport


@asynccontextmanager
async def forking_parent(
    package: Package, timeouts: Timeouts = USUAL
) -> AsyncIterator[ForkingParent]:
    """Start a process that imports a package and forks its servers; it ends with the block.

    Raises:
        LaunchError: The system has no such thing, or the package cannot be imported.
    """
    if not IS_AVAILABLE:
        raise LaunchError("Servers are forked on Linux only; start each by its command.")
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-P", str(PARENT), package.module_name]
    with ours, server_log() as (log, file):
        with theirs:
            process = subprocess.Popen(
                tied(command), stdin=theirs.fileno(), stdout=file, stderr=file,
                env=package_command(package).env,
            )  # fmt: skip
        try:
            await _ready(ours, log, timeouts.start)
            yield ForkingParent(ours, log)
        finally:
            ours.close()
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(process.wait)


async def _ready(requests: socket.socket, log: ServerLog, seconds: float) -> None:
    requests.setblocking(False)
    said = b""
    with anyio.move_on_after(seconds), suppress(ConnectionError):
        said = await asyncio.get_running_loop().sock_recv(requests, 1)
    if not said:
        raise log.error("The package could not be imported, so none of its servers is forked.")
    requests.setblocking(True)
