"""Who may ask a host for what: names, origins, tokens, and how much may be sent."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
BEARER = "bearer "


def token_of(headers: Headers) -> str:
    """Return the bearer token of a request; empty if it has none."""
    given = headers.get("authorization", "")
    return given[len(BEARER) :].strip() if given.lower().startswith(BEARER) else ""


def is_token(given: str, expected: str) -> bool:
    """Return whether a token is the expected one, in a time that does not tell how near it is."""
    return hmac.compare_digest(given.encode(), expected.encode())


def refused(status: int, error: str) -> JSONResponse:
    """Return a refusal that says why."""
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse({"error": error}, status, headers)


class Gate:
    """Turns away requests under a foreign name, from a foreign page, or with too much in them."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str], most_bytes: int) -> None:
        """Stand before an app.

        Args:
            app: The app.
            hosts: The names under which it is reached, beside the loopback ones.
            most_bytes: How long the body of a request may be.
        """
        self._app, self._most = app, most_bytes
        self._hosts = {*LOOPBACK, *hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(Headers(scope=scope))
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        bounded = BoundedBody(receive, self._most)

        async def answer(message: Message) -> None:
            if not bounded.is_too_long:
                await send(message)

        with suppress(TooLong):
            await self._app(scope, bounded, answer)
        if bounded.is_too_long:
            await refused(413, self._too_long)(scope, receive, send)

    @property
    def _too_long(self) -> str:
        return f"The body of a request may have {self._most:,} bytes."

    def _refusal(self, headers: Headers) -> JSONResponse | None:
        if _name(f"//{headers.get('host', '')}") not in self._hosts:
            return refused(421, "This host is not reached under that name.")
        origin = headers.get("origin")
        if origin is not None and _name(origin) not in self._hosts:
            return refused(403, "Pages of other sites may not ask this host.")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > self._most:
            return refused(413, self._too_long)
        return None


class TooLong(Exception):
    """The body of a request is longer than it may be."""


class BoundedBody:
    """The body of a request, up to a number of bytes, however many are announced.

    Attributes:
        is_too_long: Whether there was more.
    """

    def __init__(self, receive: Receive, most: int) -> None:
        """Read from a server."""
        self._receive, self._left = receive, most
        self.is_too_long = False

    async def __call__(self) -> Message:
        """Return the next message.

        Raises:
            TooLong: There is too much.
        """
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            self.is_too_long = True
            raise TooLong
        return message


@lru_cache(1024)
def _name(url: str) -> str:
    """Return the name in an address, brackets kept; empty if it is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return ""
    if parts.username is not None or parts.path or parts.query:
        return ""
    name = parts.hostname or ""
    return f"[{name}]" if ":" in name else name
