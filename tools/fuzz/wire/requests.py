"""Raw HTTP requests with a message in them: well-formed ones, and ones that no client sends."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from tools.fuzz.wire.messages import MODERN, WireLine

Header = tuple[bytes, bytes]

METHODS = (b"GET", b"PUT", b"DELETE", b"OPTIONS", b"PATCH", b"TRACE", b"post", b"PO ST", b"X" * 900)
PATHS = (
    b"/", b"/mcp/", b"//mcp", b"/mcp/../mcp", b"/MCP", b"/mcp?x=%00", b"/%6dcp", b"/mcp#a", b"*",
    b"/episodes", b"/episodes/default/mcp", b"/episodes/../mcp", b"/episodes/%2e%2e/mcp",
    b"/episodes/x/mcp", b"/episodes/\xff/mcp", b"/" + b"a" * 9_000, b"http://127.0.0.1/mcp",
    b"/metrics", b"/healthz", b"/openapi.json", b"/docs", b"/domains", b"mcp", b"", b"/ mcp",
)  # fmt: skip
ODD_HEADERS: tuple[Header, ...] = (
    (b"Host", b""), (b"Host", b"evil.example"), (b"Host", b"127.0.0.1:99999999"),
    (b"Host", b"[::1"), (b"Host", b"localhost:80.evil.example"), (b"Host", b"\xff"),
    (b"Origin", b"null"), (b"Origin", b"http://evil.example"), (b"Origin", b"\xe9://x"),
    (b"Origin", b"http://[x]"), (b"Origin", b"http://localhost:port"),
    (b"Accept", b""), (b"Accept", b"text/html"), (b"Accept", b"*/*;q=x"), (b"Accept", b","),
    (b"Content-Type", b""), (b"Content-Type", b"text/plain"), (b"Content-Type", b"\xff/json"),
    (b"Content-Type", b"application/json; charset=utf-7"), (b"Content-Encoding", b"gzip"),
    (b"Content-Length", b"-1"), (b"Content-Length", b"1e3"), (b"Content-Length", b"9" * 400),
    (b"Content-Length", b"\xb2"), (b"Content-Length", b"0"), (b"Content-Length", b"5, 5"),
    (b"Transfer-Encoding", b"chunked"), (b"Transfer-Encoding", b"gzip, chunked"),
    (b"Transfer-Encoding", b"\x0bchunked"), (b"Expect", b"100-continue"), (b"Expect", b"x"),
    (b"Connection", b"close"), (b"Connection", b"upgrade"), (b"Upgrade", b"websocket"),
    (b"Upgrade", b"h2c"), (b"Mcp-Session-Id", b"x"), (b"Mcp-Session-Id", b"\xff" * 300),
    (b"Mcp-Protocol-Version", b""), (b"Mcp-Protocol-Version", b"2099-01-01"),
    (b"Mcp-Protocol-Version", b"2024-11-05"), (b"Mcp-Protocol-Version", b"\xff"),
    (b"Mcp-Method", b"tools/list"), (b"Mcp-Name", b"=?base64?////?="), (b"Mcp-Name", b"\xc3\x28"),
    (b"Mcp-Name", b"=?base64?!?="), (b"Last-Event-Id", b"x"), (b"Range", b"bytes=0-1"),
    (b"Authorization", b""), (b"Authorization", b"Bearer"), (b"Authorization", b"Bearer \xff"),
    (b"Authorization", b"Basic eA=="), (b"Cookie", b"a" * 5_000), (b"X", b"y" * 70_000),
    (b"bad name", b"x"), (b"", b"x"), (b"X-Nul", b"\x00"), (b"Idempotency-Key", b"k" * 300),
    (b"Content-Length", b"+5"), (b"Forwarded", b"for=x"), (b"X-Forwarded-For", b"\xff"),
    (b"X-Toolworld-Handed-On", b"1"), (b"Traceparent", b"00-\xff"),
)  # fmt: skip
GARBAGE = (
    b"\r\n\r\n", b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"POST /mcp HTTP/9.9\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"POST /mcp HTTP/1.1\nHost: localhost\n\n{}",
    b"{}\n", b"POST /mcp HTTP/1.1\r\n Host: x\r\n\r\n", b"\x00" * 200, b"HTTP/1.1 200 OK\r\n\r\n",
)  # fmt: skip
BAD_CHUNKS = (b"zz\r\n", b"5\r\nab", b"-1\r\n\r\n", b"f" * 40 + b"\r\n", b"1;" + b"e" * 9_000)
ODDLY, MORE_OFTEN, BROKEN, CHUNKED = 0.35, 0.4, 0.06, 0.15


class WireRequest(NamedTuple):
    """The bytes of one request.

    Attributes:
        parts: The bytes, in the parts that are sent one after the other.
        is_sound: Whether HTTP requires an answer.
        is_left: Whether the client leaves before it has sent all.
        writer: The id, as JSON, of a message in it that may change something; or ``*``.
    """

    parts: Sequence[bytes]
    is_sound: bool
    is_left: bool = False
    writer: str = ""


class RequestMaker:
    """Makes requests to one server."""

    def __init__(self, host: str, rng: random.Random) -> None:
        """Take the server's address, for the ``Host`` header."""
        self._host, self._rng = host.encode(), rng

    def mcp(self, path: str, line: WireLine, version: str, token: str) -> WireRequest:
        """Return a request with a message to an MCP endpoint."""
        headers = [
            (b"Accept", b"application/json, text/event-stream"),
            (b"MCP-Protocol-Version", version.encode()),
        ]
        if version == MODERN:
            headers += [(b"Mcp-Method", line.method.encode("utf-8", "replace"))]
            headers += [(b"Mcp-Name", line.name.encode("utf-8", "replace"))] if line.name else []
        return self.request(b"POST", path, headers, line.data, token, line.writer)

    def request(
        self,
        method: bytes,
        path: str,
        headers: Sequence[Header],
        body: bytes,
        token: str,
        writer: str,
    ) -> WireRequest:
        """Return a request, at times an odd one."""
        rng = self._rng
        if rng.random() < BROKEN:
            return WireRequest([rng.choice(GARBAGE)], is_sound=False, is_left=True)
        target = path.encode()
        given = [(b"Host", self._host), (b"Content-Type", b"application/json"), *headers]
        given += [(b"Authorization", b"Bearer " + token.encode())] if token else []
        is_odd = rng.random() < ODDLY
        if is_odd:
            method, target = self._turned(method, target)
            self._mix(given)
        head = b"%s %s HTTP/1.1\r\n" % (method, target)
        framed, body = self._framed(body, chunked=rng.random() < CHUNKED)
        lines = b"".join(b"%s: %s\r\n" % header for header in [*given, *framed])
        whole = head + lines + b"\r\n" + body
        if rng.random() < BROKEN:
            return WireRequest([whole[: rng.randrange(len(whole))]], is_sound=False, is_left=True)
        if framed[0][0] == b"Transfer-Encoding" and rng.random() < BROKEN:
            cut = len(whole) - len(body)
            return WireRequest([whole[:cut] + rng.choice(BAD_CHUNKS)], is_sound=False, is_left=True)
        return WireRequest(self._parts(whole), is_sound=not is_odd, writer=writer)

    def _turned(self, method: bytes, target: bytes) -> tuple[bytes, bytes]:
        rng = self._rng
        chosen = rng.random()
        if chosen < 0.2:
            return rng.choice(METHODS), target
        return (method, rng.choice(PATHS)) if chosen < 0.4 else (method, target)

    def _mix(self, headers: list[Header]) -> None:
        """Remove headers, add odd ones, or repeat one."""
        rng = self._rng
        while True:
            chosen = rng.random()
            if chosen < 0.3 and headers:
                headers.pop(rng.randrange(len(headers)))
            elif chosen < 0.4 and headers:
                headers.append(rng.choice(headers))
            else:
                odd = rng.choice(ODD_HEADERS)
                if rng.random() < 0.5:
                    headers[:] = [one for one in headers if one[0].lower() != odd[0].lower()]
                headers.append(odd)
            if rng.random() > MORE_OFTEN:
                return

    def _framed(self, body: bytes, *, chunked: bool) -> tuple[list[Header], bytes]:
        if not chunked:
            return [(b"Content-Length", b"%d" % len(body))], body
        size = self._rng.choice((1, 7, 100, 5_000)) if len(body) < 5_000 else 5_000
        chunks = [body[at : at + size] for at in range(0, len(body), size)]
        framed = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
        return [(b"Transfer-Encoding", b"chunked")], framed + b"0\r\n\r\n"

    def _parts(self, whole: bytes) -> list[bytes]:
        """Return a request in one part, or in two that are sent a moment apart."""
        if self._rng.random() < 0.9:
            return [whole]
        at = self._rng.randrange(len(whole))
        return [whole[:at], whole[at:]]
