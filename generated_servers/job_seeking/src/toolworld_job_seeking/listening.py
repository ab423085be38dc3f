"""The HTTP listener: a socket, and the web server that answers on it."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

BACKLOG = 2048
KEEP_ALIVE_SECONDS = 75
SHUTDOWN_SECONDS = 2


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises:
        OSError: The address is taken or is none of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With its protocol named, or asyncio does not turn off Nagle's delay: 40 ms an answer.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    listener.listen(BACKLOG)
    return listener


def url_of(listener: socket.socket) -> str:
    """Return the URL of a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(app: ASGIApp, listener: socket.socket, on_start: Callable[[], None]) -> None:
    """Answer requests until Ctrl-C or termination.

    Args:
        app: What answers.
        listener: Where requests come in.
        on_start: Called once requests are answered.
    """
    allow_many_connections()
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    WebServer(config, on_start).run([listener])


class WebServer(uvicorn.Server):
    """A web server that says when it has started."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        """Take what to call once started."""
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        self._on_start()


def allow_many_connections() -> None:
    """Raise the number of descriptors to what the system allows; the default is often 1024."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
