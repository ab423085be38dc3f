"""The sockets of a host, and the web server that answers on them."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from toolworld.serving.impatient import ImpatientProtocol

BACKLOG = 2048
KEEP_ALIVE_SECONDS, DRAIN_SECONDS = 75, 10


def bound(host: str, port: int) -> socket.socket:
    """Return a socket bound to an address; each worker process can have one of its own.

    Raises:
        OSError: The address is taken, or does not belong to this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named: otherwise asyncio keeps Nagle's delay, 40 ms an answer.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener


def bound_at(path: Path) -> socket.socket:
    """Return a socket by which the other workers reach this one."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    return listener


def url_of(listener: socket.socket) -> str:
    """Return the URL of a socket at an address."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def answer(app: ASGIApp, listeners: Sequence[socket.socket], on_start: Callable[[], None]) -> None:
    """Answer requests until Ctrl-C or termination, and all that came before that."""
    for listener in listeners:
        listener.listen(BACKLOG)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=DRAIN_SECONDS,
        http=ImpatientProtocol,
    )
    HostServer(config, on_start).run([*listeners])


class HostServer(uvicorn.Server):
    """A web server that calls a function when it has started."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        """Take the function to call once started."""
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and call the function."""
        await super().startup(sockets)
        self._on_start()
