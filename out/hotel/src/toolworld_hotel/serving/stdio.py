"""The stdio transport: one JSON-RPC message a line.

The SDK's own transport takes every line through two worker threads and drops lines that are no
JSON-RPC. This one works on the pipes directly, answers such lines with an error and goes on. It
answers every request that came before the input ended.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import stat
import sys
import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Protocol, Self, SupportsIndex

import anyio
from mcp.server import Server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

STDIN, STDOUT = 0, 1
LONGEST_LINE = 64 * 1024 * 1024
CHUNK = 64 * 1024


class Sink(Protocol):
    """Where lines go: an ``asyncio.StreamWriter``, or a replacement."""

    def is_closing(self) -> bool:
        """Whether the reader is gone."""

    def write(self, data: bytes) -> None:
        """Take bytes to write."""

    async def drain(self) -> None:
        """Wait until there is room for more."""


class Closing:
    """A stream without anything to close: the descriptors belong to the process."""

    async def aclose(self) -> None:
        """Do nothing."""

    async def __aenter__(self) -> Self:
        """Return the stream."""
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Do nothing."""


class Outgoing(Closing):
    """The messages to the client."""

    def __init__(self, sink: Sink) -> None:
        """Write to a sink."""
        self._sink = sink
        self._unanswered: set[str | int] = set()
        self._changed = asyncio.Event()

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message as one line.

        Raises:
            BrokenResourceError: The client is gone.
        """
        message = item.message
        line = message.model_dump_json(by_alias=True, exclude_unset=True)
        try:
            if self._sink.is_closing():
                raise BrokenPipeError
            self._sink.write(line.encode() + b"\n")
            await self._sink.drain()
        except OSError as error:
            self.forget_all()
            raise anyio.BrokenResourceError from error
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self.forget(message.id)

    def expect(self, request_id: str | int) -> None:
        """Note a request that must be answered before the end."""
        self._unanswered.add(request_id)

    def forget(self, request_id: str | int | None) -> None:
        """Note that a request is answered, or will not be."""
        self._unanswered.discard(request_id)
        self._changed.set()

    def forget_all(self) -> None:
        """Note that nothing can be answered any more."""
        self._unanswered.clear()
        self._changed.set()

    async def settled(self) -> None:
        """Wait until every request is answered."""
        while self._unanswered:
            self._changed.clear()
            await self._changed.wait()


class Incoming(Closing):
    """The messages from the client; ends with the input, once every request is answered."""

    def __init__(self, lines: asyncio.StreamReader, outgoing: Outgoing) -> None:
        """Read lines; refuse those that are no messages through ``outgoing``."""
        self._lines = lines
        self._outgoing = outgoing

    def __aiter__(self) -> Self:
        """Return the stream."""
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        """Return the next message."""
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message.

        Raises:
            EndOfStream: The input ended.
        """
        while True:
            try:
                line = await self._lines.readline()
            except ValueError:
                await self._refuse(PARSE_ERROR, f"The line is longer than {LONGEST_LINE} bytes.")
                continue
            if not line:
                await self._outgoing.settled()
                raise anyio.EndOfStream
            message = await self._parse(line)
            if message is not None:
                return SessionMessage(message)

    async def _parse(self, line: bytes) -> JSONRPCMessage | None:
        if line.isspace():
            return None
        try:
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            if first["type"] == "json_invalid":
                await self._refuse(PARSE_ERROR, f"Parse error: {first['msg']}")
            else:
                await self._refuse(INVALID_REQUEST, "The line is not one JSON-RPC 2.0 message.")
            return None
        if isinstance(message, JSONRPCNotification) and "id" in json.loads(line):
            # The SDK takes a request whose id is no text or whole number for a notification.
            await self._refuse(INVALID_REQUEST, "The id of a request is a text or a whole number.")
            return None
        self._note(message)
        return message

    def _note(self, message: JSONRPCMessage) -> None:
        if isinstance(message, JSONRPCRequest):
            self._outgoing.expect(message.id)
        elif isinstance(message, JSONRPCNotification) and (
            message.method == "notifications/cancelled"
        ):
            request_id = (message.params or {}).get("requestId")
            if isinstance(request_id, str | int):
                self._outgoing.forget(request_id)

    async def _refuse(self, code: int, text: str) -> None:
        error = JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=text))
        try:
            await self._outgoing.send(SessionMessage(error))
        except anyio.BrokenResourceError:
            raise anyio.EndOfStream from None


async def serve(server: Server[Any]) -> None:
    """Serve the client at the other end of the process's standard input and output."""
    outgoing = Outgoing(await open_stdout())
    lines = await open_stdin()
    if sys.platform != "win32":
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lines.end)
    incoming = Incoming(lines, outgoing)
    try:
        await server.run(incoming, outgoing, server.create_initialization_options())
    except BaseExceptionGroup as group:
        # A message on its way when Ctrl-C comes breaks the SDK's relay, which hides the Ctrl-C.
        if group.split(anyio.BrokenResourceError)[1] is not None:
            raise
        raise asyncio.CancelledError from group


class Lines(asyncio.StreamReader):
    """The input, which SIGTERM ends, too; requests that came before that are answered."""

    _is_over = False

    def end(self) -> None:
        """End the input."""
        self._is_over = True
        self.feed_eof()

    def feed_data(self, data: Iterable[SupportsIndex]) -> None:
        """Take data, unless the input has ended."""
        if not self._is_over:
            super().feed_data(data)


async def open_stdin() -> Lines:
    """Return the standard input as a stream of lines."""
    lines = Lines(LONGEST_LINE)
    if is_pipe(STDIN):
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    else:
        feed = threading.Thread(
            target=feed_lines, args=(lines, asyncio.get_running_loop()), daemon=True
        )
        feed.start()
    return lines


def feed_lines(lines: asyncio.StreamReader, loop: asyncio.AbstractEventLoop) -> None:
    """Hand the standard input to a stream of the loop, from a thread that may be left blocked."""
    try:
        while data := os.read(STDIN, CHUNK):
            loop.call_soon_threadsafe(lines.feed_data, data)
        loop.call_soon_threadsafe(lines.feed_eof)
    except RuntimeError:
        # The loop was closed while this thread waited for input: the server has ended.
        return


async def open_stdout() -> Sink:
    """Return the standard output as a sink."""
    if not is_pipe(STDOUT):
        return Direct()
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), sys.stdout
    )
    # A drained answer has reached the client: at the end no buffer may hold one back.
    transport.set_write_buffer_limits(high=0)
    return asyncio.StreamWriter(transport, protocol, None, loop)


class Direct:
    """The standard output if it is a file or a terminal: they take bytes at once."""

    def is_closing(self) -> bool:
        """Return False: a file or a terminal has no reader that could leave."""
        return False

    def write(self, data: bytes) -> None:
        """Write bytes."""
        while data:
            data = data[os.write(STDOUT, data) :]

    async def drain(self) -> None:
        """Do nothing: all is written."""


def is_pipe(descriptor: int) -> bool:
    """Return whether asyncio can wait on a descriptor.

    It cannot wait on files, nor on Windows. It could wait on a terminal, but would switch it to
    non-blocking for the shell that started the server, too.
    """
    if sys.platform == "win32":
        return False
    mode = os.fstat(descriptor).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
