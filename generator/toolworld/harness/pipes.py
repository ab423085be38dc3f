"""The harness's own transport over stdio: the length of a server's lines is bounded.

The SDK's transport keeps a line that does not end for as long as there is memory.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process, SubprocessStreamProtocol
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Protocol, TextIO

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import StdioServerParameters
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from toolworld.harness.log import ServerLog

MOST_BYTES = 64 * 2**20
"""How long one answer may be."""
TOO_LONG = f"An answer of it has more than {MOST_BYTES:,} bytes."
LEAVING_SECONDS, POLL_SECONDS = 2.0, 0.005

Message = SessionMessage | Exception
Streams = tuple[MemoryObjectReceiveStream[Message], MemoryObjectSendStream[SessionMessage]]


class ServerProcess(Protocol):
    """A server that runs: its number, its pipes, and how it ended."""

    @property
    def stdin(self) -> asyncio.StreamWriter | None:
        """Where it reads."""

    @property
    def stdout(self) -> asyncio.StreamReader | None:
        """Where it writes."""

    @property
    def pid(self) -> int:
        """Its number."""

    @property
    def returncode(self) -> int | None:
        """Its exit code, below 0 for a signal; None while it runs."""

    def close(self) -> None:
        """Let its pipes go: one that nobody has read would stay open."""


Start = Callable[[TextIO], Awaitable[ServerProcess]]
"""Starts a server that writes its errors to a file."""


class Pipes:
    """A server's standard input and output."""

    def __init__(self, start: Start, said: TextIO, log: ServerLog) -> None:
        """Be ready to start a server.

        Args:
            start: What starts it.
            said: The file for its standard error.
            log: Told why no more is read, unless the server has ended.
        """
        self._start, self._said, self._log = start, said, log

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[Streams]:
        """Start the server, and end it in the end: first by its input, then by signals."""
        process = await self._start(self._said)
        into, messages = anyio.create_memory_object_stream[Message](0)
        outgoing, to_send = anyio.create_memory_object_stream[SessionMessage](0)
        async with anyio.create_task_group() as group:
            group.start_soon(self._read, process, into)
            group.start_soon(_write, process, to_send, into)
            try:
                yield messages, outgoing
            finally:
                with anyio.CancelScope(shield=True):
                    messages.close()
                    outgoing.close()
                    await _end(process)
                process.close()
                group.cancel_scope.cancel()

    async def _read(self, process: ServerProcess, into: MemoryObjectSendStream[Message]) -> None:
        """Pass on the server's lines, until its end or a line that is too long."""
        if process.stdout is None:
            return
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            async with into:
                while line := await self._line(process.stdout):
                    await into.send(_message(line))

    async def _line(self, lines: asyncio.StreamReader) -> bytes:
        """Return a line; nothing at the end, or if it is too long."""
        try:
            return await lines.readline()
        except ValueError:
            self._log.lost = TOO_LONG
            return b""


class Spawned(Process):
    """A server that was started by its command."""

    def close(self) -> None:
        """Let its pipes go: one that nobody has read would stay open."""
        self._transport.close()  # type: ignore[attr-defined]


async def spawn(command: StdioServerParameters, said: TextIO) -> Spawned:
    """Start a server as ``create_subprocess_exec`` does; that gives no way to its pipes."""
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.subprocess_exec(
        lambda: SubprocessStreamProtocol(limit=MOST_BYTES, loop=loop),
        command.command,
        *command.args,
        env=command.env,
        stdin=PIPE,
        stdout=PIPE,
        stderr=said,
        start_new_session=True,
    )
    return Spawned(transport, protocol, loop)


def _message(line: bytes) -> Message:
    try:
        text = line.rstrip(b"\r\n").decode("utf-8", "replace")
        return SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False))
    except ValueError as error:
        return error


async def _write(
    process: ServerProcess,
    to_send: MemoryObjectReceiveStream[SessionMessage],
    into: MemoryObjectSendStream[Message],
) -> None:
    """Write messages; if the server does not read them, the session's input ends."""
    if process.stdin is None:
        return
    try:
        async with to_send:
            async for one in to_send:
                text = one.message.model_dump_json(by_alias=True, exclude_unset=True)
                process.stdin.write(text.encode() + b"\n")
                await process.stdin.drain()
    except OSError:
        await into.aclose()


async def _end(process: ServerProcess) -> None:
    """End a server and its process group."""
    if process.stdin is not None:
        process.stdin.close()
    for end in (None, signal.SIGTERM, getattr(signal, "SIGKILL", None)):
        if process.returncode is None and end is not None:
            _signal(process, end)
        with anyio.move_on_after(LEAVING_SECONDS):
            # Not wait(): that waits for whoever else has the pipe, too.
            while process.returncode is None:
                await anyio.sleep(POLL_SECONDS)
    _signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))


def _signal(process: ServerProcess, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.terminate()
        else:
            os.killpg(process.pid, number)
