"""Who may send what to a host: names, origins, tokens, and the size of requests."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
BEARER = "bearer "


def token_of(headers: Headers) -> str:
    """Return the bearer token of a request; empty if it has none."""
    given = headers.get("authorization", "")
    return given[len(BEARER) :].strip() if given.lower().startswith(BEARER) else ""


def is_token(given: str, expected: str) -> bool:
    """Compare a token with the expected one in constant time; return whether they are equal."""
    return hmac.compare_digest(given.encode(), expected.encode())


def refused(status: int, error: str) -> JSONResponse:
    """Return an error response that says why."""
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse({"error": writable(error)}, status, headers)


def writable(text: str) -> str:
    """Return a text that may quote a client, with lone surrogates escaped."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class Gate:
    """Refuses requests under a foreign name, from a foreign page, or with too long a body."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str], most_bytes: int) -> None:
        """Guard an app.

        Args:
            app: The app.
            hosts: The names under which it is reached, beside the loopback ones.
            most_bytes: The most bytes in the body of a request.
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
        try:
            body = await self._body(receive)
        except BodyTooLong as error:
            await refused(413, str(error))(scope, receive, send)
        except ClientDisconnect:
            return
        else:
            await self._app(scope, giving(body, receive), send)

    async def _body(self, receive: Receive) -> bytes:
        """Return the body of a request, however many bytes were announced.

        If a client left in the middle of a body, the MCP SDK would write a traceback.

        Raises:
            BodyTooLong: It is too long.
            ClientDisconnect: The client is gone.
        """
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            body += message.get("body", b"")
            if len(body) > self._most:
                raise BodyTooLong(self._too_long)
            if not message.get("more_body", False):
                return bytes(body)

    @property
    def _too_long(self) -> str:
        return f"The body of a request may have {self._most:,} bytes."

    def _refusal(self, headers: Headers) -> JSONResponse | None:
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or _name(f"//{hosts[0]}") not in self._hosts:
            return refused(421, "This host is not reached under that name.")
        if not {_name(origin) for origin in origins} <= self._hosts:
            return refused(403, "Pages of other sites may not ask this host.")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > self._most:
            return refused(413, self._too_long)
        return None


class BodyTooLong(Exception):
    """The body of a request is too long; the text is for the client."""


def giving(body: bytes, receive: Receive) -> Receive:
    """Return a receiver that first gives the body that was already read."""
    read: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_next() -> Message:
        return read.pop() if read else await receive()

    return receive_next


@lru_cache(1024)
def _name(url: str) -> str:
    """Return the host name in an address, brackets kept; empty if there is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return ""
    if parts.username is not None or parts.path or parts.query:
        return ""
    name = parts.hostname or ""
    return f"[{name}]" if ":" in name else name
