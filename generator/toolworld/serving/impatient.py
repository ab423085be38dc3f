"""HTTP on one connection of a host, closed to clients that do not send their requests."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEADER_SECONDS = 30.0
"""How long a client may take to send the head of a request."""


class ImpatientProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type] # chosen when run
    """HTTP on one connection; it is closed if a request's head takes too long."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Start the timer for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take data from the client; start the timer if a request's head begins."""
        before = self.cycle
        if self._timer is None:
            self._wait()
        super().data_received(data)
        if self.cycle is not before:
            # The head is complete. Between requests a connection may be idle for longer.
            self._stop()

    def _wait(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(HEADER_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop()
        super().connection_lost(exc)
