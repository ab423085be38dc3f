"""The harness's HTTP client: a server that fails or sends too much is an answer, too.

The SDK's transport does not outlive a request without a response, and takes answers of any size.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx2

from toolworld.harness.log import ServerLog
from toolworld.harness.pipes import MOST_BYTES, TOO_LONG

ENCODED = "It answers in an encoding that was not asked for."


class HttpClient(httpx2.AsyncClient):
    """A client that answers 503 for a server that does not, and logs why."""

    def __init__(self, log: ServerLog, **options: Any) -> None:
        """Take the log to write to, and the options of httpx2."""
        super().__init__(**options)
        self._log = log

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request and return its response."""
        # What is packed small may be unpacked large.
        request.headers["Accept-Encoding"] = "identity"
        try:
            response = await super().send(request, **options)
        except httpx2.TransportError as error:
            return self._lost(request, str(error) or type(error).__name__)
        if response.headers.get("Content-Encoding", "identity") != "identity":
            await response.aclose()
            return self._lost(request, ENCODED)
        if request.method == "POST" and isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = BoundedStream(response.stream, self._log)
        return response

    def _lost(self, request: httpx2.Request, why: str) -> httpx2.Response:
        self._log.lost = why
        return httpx2.Response(503, request=request)


class BoundedStream(httpx2.AsyncByteStream):
    """The body of an answer, up to a number of bytes, or up to a failure of the connection."""

    def __init__(self, stream: httpx2.AsyncByteStream, log: ServerLog) -> None:
        """Take a stream, and the log that keeps its body, and why it does not come to its end."""
        self._stream, self._log = stream, log
        log.body = bytearray()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the body in parts."""
        body = self._log.body = bytearray()
        try:
            async for part in self._stream:
                body += part
                if len(body) > MOST_BYTES:
                    self._log.lost = TOO_LONG
                    return
                yield part
        except httpx2.TransportError as error:
            self._log.lost = str(error) or type(error).__name__

    async def aclose(self) -> None:
        """Close it."""
        await self._stream.aclose()
