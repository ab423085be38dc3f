"""HTTP on one connection of a host, closed to clients that do not send their requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEADER_SECONDS, BODY_SECONDS = 30.0, 30.0
"""How long a client may take to send the head of a request, and each part of its body."""
TOO_LATE = b'{"error": "The body of the request takes too long."}'
REFUSAL = b"HTTP/1.1 408 Request Timeout\r\ncontent-type: application/json\r\n" + (
    b"connection: close\r\ncontent-length: %d\r\n\r\n%b" % (len(TOO_LATE), TOO_LATE)
)


class ImpatientProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type] # chosen when run
    """HTTP on one connection; it is closed if a request takes too long to come.

    A request that comes in one piece, as almost all do, starts no timer.
    """

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Start the timer for the first request."""
        super().connection_made(transport)
        self._wait(HEADER_SECONDS, transport.close)

    def data_received(self, data: bytes) -> None:
        """Take data from the client, and wait for what is still to come of a request."""
        before = self.cycle
        is_body = before is not None and before.more_body
        super().data_received(data)
        if self.cycle is before and not is_body:
            # The head is not complete; its time goes on.
            if self._timer is None:
                self._wait(HEADER_SECONDS, self.transport.close)
            return
        self._stop()
        if self.cycle.more_body:
            self._wait(BODY_SECONDS, self._refuse)

    def _wait(self, seconds: float, then: Callable[[], None]) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, then)

    def _refuse(self) -> None:
        """Say that the body takes too long, unless there is an answer already, and close."""
        if not self.cycle.response_started:
            self.transport.write(REFUSAL)
        self.transport.close()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop()
        super().connection_lost(exc)
