"""The harness's own transport over stdio: what a server writes in one line is bounded.

The SDK's transport keeps a line that does not end for as long as there is memory.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process, SubprocessStreamProtocol
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TextIO

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


class Pipes:
    """A server's standard input and output."""

    def __init__(self, command: StdioServerParameters, said: TextIO, log: ServerLog) -> None:
        """Be ready to start a server.

        Args:
            command: What starts it.
            said: The file for its standard error.
            log: Told why no more is read, unless the server has ended.
        """
        self._command, self._said, self._log = command, said, log

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[Streams]:
        """Start the server, and end it in the end: first by its input, then by signals."""
        transport, process = await self._start()
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
                # What nobody has read would keep its pipe open.
                transport.close()
                group.cancel_scope.cancel()

    async def _start(self) -> tuple[asyncio.SubprocessTransport, Process]:
        """Start the server, as ``create_subprocess_exec`` does; that gives no way to its pipes."""
        command, loop = self._command, asyncio.get_running_loop()
        transport, protocol = await loop.subprocess_exec(
            lambda: SubprocessStreamProtocol(limit=MOST_BYTES, loop=loop),
            command.command,
            *command.args,
            env=command.env,
            stdin=PIPE,
            stdout=PIPE,
            stderr=self._said,
            start_new_session=True,
        )
        return transport, Process(transport, protocol, loop)

    async def _read(self, process: Process, into: MemoryObjectSendStream[Message]) -> None:
        """Hand on what the server writes, until its end or a line that is too long."""
        if process.stdout is None:
            return
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            async with into:
                while line := await self._line(process.stdout):
                    await into.send(_message(line))

    async def _line(self, lines: asyncio.StreamReader) -> bytes:
        """Return a line; nothing if there is none that can be read."""
        try:
            return await lines.readline()
        except ValueError:
            self._log.lost = TOO_LONG
            return b""


def _message(line: bytes) -> Message:
    try:
        text = line.rstrip(b"\r\n").decode("utf-8", "replace")
        return SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False))
    except ValueError as error:
        return error


async def _write(
    process: Process,
    to_send: MemoryObjectReceiveStream[SessionMessage],
    into: MemoryObjectSendStream[Message],
) -> None:
    """Write messages; the session is told by the end of what it reads if nobody takes them."""
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


async def _end(process: Process) -> None:
    """End a server, and what it started in its group."""
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


def _signal(process: Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.terminate()
        else:
            os.killpg(process.pid, number)
