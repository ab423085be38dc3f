"""A client that sends bytes as they are, and reads whatever is answered."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from contextlib import suppress
from dataclasses import dataclass

import httptools

from tools.fuzz.wire.requests import WireRequest

SECONDS, PATIENCE, MOMENT = 60.0, 0.3, 0.002
LONGEST = 2**28
STREAM = "text/event-stream"


@dataclass
class Response:
    """The answer to a request.

    Attributes:
        status: The status; 0 while there is none.
        body: The body, as far as it came.
        is_whole: Whether all of it came.
        is_last: Whether the server closes the connection after it.
    """

    status: int = 0
    media_type: str = ""
    body: bytes = b""
    is_whole: bool = False
    is_last: bool = False


class _Parts:
    """Collects the parts of a response as they are parsed."""

    def __init__(self, response: Response) -> None:
        self.response = response
        self.parser = httptools.HttpResponseParser(self)

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() == b"content-type":
            self.response.media_type = value.decode("latin-1").partition(";")[0]
        if name.lower() == b"connection":
            self.response.is_last = value.lower() == b"close"

    def on_headers_complete(self) -> None:
        self.response.status = self.parser.get_status_code()
        # A stream has no end to wait for.
        self.response.is_whole |= self.response.media_type == STREAM

    def on_body(self, body: bytes) -> None:
        self.response.body += body

    def on_message_complete(self) -> None:
        self.response.is_whole = self.response.status >= 200


class RawClient:
    """Connections to one server, some of which are reused."""

    def __init__(self, host: str, port: int) -> None:
        """Take the server's address."""
        self._host, self._port = host, port
        self._idle: list[tuple[StreamReader, StreamWriter]] = []
        self._opened: set[StreamWriter] = set()

    async def send(self, request: WireRequest) -> Response:
        """Send a request, and return the answer.

        Raises:
            OSError: The server cannot be reached.
            TimeoutError: A sound request is not answered.
        """
        reader, writer = await self._connection(fresh=not request.is_sound)
        response = Response()
        try:
            with suppress(ConnectionError):
                await self._put(writer, request)
            patience = SECONDS if request.is_sound else PATIENCE
            try:
                await asyncio.wait_for(_read(reader, response), patience)
            except TimeoutError:
                if request.is_sound:
                    raise
        finally:
            reusable = response.is_whole and not response.is_last and request.is_sound
            if reusable and response.media_type != STREAM:
                self._idle.append((reader, writer))
            else:
                self._leave(writer)
        return response

    async def _put(self, writer: StreamWriter, request: WireRequest) -> None:
        for number, part in enumerate(request.parts):
            if number:
                await asyncio.sleep(MOMENT)
            writer.write(part)
            await writer.drain()
        if request.is_left:
            writer.write_eof()

    async def _connection(self, *, fresh: bool) -> tuple[StreamReader, StreamWriter]:
        while self._idle and not fresh:
            reader, writer = self._idle.pop()
            if not reader.at_eof():
                return reader, writer
            self._leave(writer)
        reader, writer = await asyncio.open_connection(self._host, self._port, limit=LONGEST)
        self._opened.add(writer)
        return reader, writer

    def _leave(self, writer: StreamWriter) -> None:
        """Close a connection; one with unsent data lasts until ``aclose``."""
        writer.close()
        if not writer.transport.get_write_buffer_size():
            self._opened.discard(writer)

    async def aclose(self) -> None:
        """Abort every connection, even if data is unsent."""
        for writer in self._opened:
            writer.transport.abort()
        # The loop closes connections in its next round.
        await asyncio.sleep(0)


async def _read(reader: StreamReader, response: Response) -> None:
    """Read a response until it is whole or the server closes."""
    parts = _Parts(response)
    with suppress(httptools.HttpParserError, ConnectionError):
        while not response.is_whole and (data := await reader.read(2**16)):
            parts.parser.feed_data(data)
