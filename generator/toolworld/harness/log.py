"""What is known of a server from outside the protocol, for error messages."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from mcp.client.session import IncomingMessage
from mcp_types import JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

from toolworld.errors import LaunchError
from toolworld.system.temporary import temporary_folder

TAIL_LINES, TAIL_BYTES, LONGEST_STRAY = 15, 16_384, 200
EVENT = b"data:"


@dataclass
class ServerLog:
    """What is known of a server outside of the protocol.

    Attributes:
        path: The file that takes its standard error; None if it was not started here.
        strays: What it printed to standard output that is no JSON-RPC.
        lost: Why a request got no response at all, or none to its end; empty while all did.
        body: The body of the last answer over HTTP; None over other transports.
    """

    path: Path | None = None
    strays: list[str] = field(default_factory=list)
    lost: str = ""
    body: bytearray | None = None

    async def note(self, message: IncomingMessage) -> None:
        """Keep a line that the client could not read."""
        if isinstance(message, ValidationError):
            self.strays.append(str(message.errors()[0]["input"]))
        elif isinstance(message, Exception):
            self.strays.append(str(message))

    @property
    def is_error(self) -> bool:
        """Whether an error that the client has is the server's, not one of the client's own."""
        return self.body is None or tells_error(bytes(self.body))

    def text(self) -> str:
        """Return the end of the standard error so far."""
        if self.path is None or not self.path.is_file():
            return ""
        content = self.path.read_bytes()[-TAIL_BYTES:].decode("utf-8", "replace")
        return "\n".join(content.splitlines()[-TAIL_LINES:])

    def error(self, reason: str) -> LaunchError:
        """Return an error: the reason on its first line, then the details known."""
        parts = [reason]
        if self.lost:
            parts.append(self.lost)
        if self.strays:
            stray = repr(self.strays[0][:LONGEST_STRAY])
            parts.append(f"It printed to standard output, which is no JSON-RPC: {stray}")
        if said := self.text():
            parts.append(f"Its standard error ends with:\n{said}")
        return LaunchError("\n".join(parts))


@contextmanager
def server_log() -> Iterator[tuple[ServerLog, TextIO]]:
    """Make a log for one server, and the open file for its standard error."""
    with temporary_folder() as folder:
        path = folder / "stderr"
        with path.open("a", encoding="utf-8") as file:
            yield ServerLog(path), file


@contextmanager
def silenced(logger_name: str) -> Iterator[None]:
    """Silence a logger while the harness reports the same errors in its own words."""
    logger = logging.getLogger(logger_name)
    before = logger.disabled
    logger.disabled = True
    try:
        yield
    finally:
        logger.disabled = before


def tells_error(body: bytes) -> bool:
    """Return whether an answer over HTTP is a JSON-RPC error, or has one among its events."""
    events = (line.removeprefix(EVENT) for line in body.splitlines() if line.startswith(EVENT))
    return any(_is_error(part) for part in (body, *events))


def _is_error(text: bytes) -> bool:
    try:
        message = jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError:
        return False
    return isinstance(message, JSONRPCError)
