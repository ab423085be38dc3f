"""The HTTP listener: a socket, and the web server that answers on it."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from ..bounds import HEADER_SECONDS

BACKLOG = 2048
KEEP_ALIVE_SECONDS = 75
SHUTDOWN_SECONDS = 2


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises:
        OSError: The address is taken, or does not belong to this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named: otherwise asyncio keeps Nagle's delay, 40 ms an answer.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def url_of(listener: socket.socket) -> str:
    """Return the URL of a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(app: ASGIApp, listener: socket.socket, on_start: Callable[[], None]) -> None:
    """Answer requests until Ctrl-C or termination.

    Args:
        app: The app that answers.
        listener: The socket where requests come in.
        on_start: Called once requests are answered.
    """
    allow_many_connections()
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        http=ImpatientProtocol,
    )
    WebServer(config, on_start).run([listener])


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


class WebServer(uvicorn.Server):
    """A web server that calls a function when it has started."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        """Take the function to call once started."""
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and call the function."""
        await super().startup(sockets)
        self._on_start()


def allow_many_connections() -> None:
    """Raise the limit of descriptors to the system's maximum; the default is often 1024."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
