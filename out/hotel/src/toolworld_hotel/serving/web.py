"""The server over streamable HTTP, where an episode is a URL.

``/mcp`` is the default episode and ``/episodes/<id>/mcp`` any other. All are served by one MCP
server and one session manager, so an open episode costs the memory of its changes alone. No
request keeps a session: no session can leak, or end while a client waits.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from mcp_types import INVALID_REQUEST, ErrorData, JSONRPCError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..bounds import BODY_SECONDS, MOST_BYTES
from ..errors import UnknownEpisode
from .episodes import DEFAULT_EPISODE, Episode, Episodes
from .routes import Control, problem
from .server import Context, build_server

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EPISODE_KEY = "toolworld.episode"
ADDRESS = re.compile(r"(?:[a-z]+://)?(?:\[[0-9a-fA-F:.]+\]|[^:/@\s]*)(?::[0-9]{1,5})?")
"""A name or address and a port, after a scheme for an origin."""


@dataclass(frozen=True)
class Access:
    """Who may reach the server.

    Attributes:
        hosts: Names under which clients may reach the server, beside the loopback ones.
        token: The token of the control plane; None for no control plane.
    """

    hosts: Sequence[str] = ()
    token: str | None = None

    def security(self) -> TransportSecuritySettings:
        """Return the ``Host`` and ``Origin`` headers that are allowed, against DNS rebinding."""
        hosts = [*LOOPBACK, *self.hosts]
        origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
        return TransportSecuritySettings(
            allowed_hosts=with_any_port(hosts), allowed_origins=with_any_port(origins)
        )


def with_any_port(names: Sequence[str]) -> list[str]:
    """Return names without and with any port."""
    return [pattern for name in names for pattern in (name, f"{name}:*")]


class Gate:
    """Trims every request's headers, and refuses requests under a foreign name."""

    def __init__(self, app: ASGIApp, security: TransportSecuritySettings) -> None:
        """Guard an app."""
        self._app = app
        self._checks = TransportSecurityMiddleware(security)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http":
            scope = {**scope, "headers": trimmed(scope["headers"])}
            request = Request(scope)
            refusal = odd_address(request) or await self._checks.validate_request(request)
            if refusal is not None:
                await refusal(scope, receive, send)
                return
            await with_whole_body(self._app, scope, receive, send)
            return
        await self._app(scope, receive, send)


async def with_whole_body(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Pass a request on once its body is complete.

    If a client left in the middle of a body, the SDK would write a traceback.
    """
    try:
        body = await whole_body(receive)
    except BadBody as error:
        await problem(error.status, str(error))(scope, receive, send)
    except ClientDisconnect:
        return
    else:
        await app(scope, giving(body, receive), send)


class BadBody(Exception):
    """The body of a request is too long, or takes too long."""

    def __init__(self, status: int, text: str) -> None:
        """Take the status and the text of the answer."""
        super().__init__(text)
        self.status = status


async def whole_body(receive: Receive) -> bytes:
    """Return the body of a request, however many bytes were announced.

    Raises:
        BadBody: It is too long, or takes too long.
        ClientDisconnect: The client is gone.
    """
    body = bytearray()
    while True:
        try:
            async with asyncio.timeout(BODY_SECONDS):
                message = await receive()
        except TimeoutError:
            raise BadBody(408, "The body of the request takes too long.") from None
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        if len(body) > MOST_BYTES:
            raise BadBody(413, f"The body of a request may have {MOST_BYTES:,} bytes.")
        if not message.get("more_body", False):
            return bytes(body)


def giving(body: bytes, receive: Receive) -> Receive:
    """Return a receiver that first gives the body that was already read."""
    read: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_next() -> Message:
        return read.pop() if read else await receive()

    return receive_next


def odd_address(request: Request) -> Response | None:
    """Return a refusal if Host or Origin is given twice, or is more than a name and a port.

    The SDK checks only how the first one begins: it would take ``localhost:80.evil.example``.
    """
    for name, status in (("host", 421), ("origin", 403)):
        given = request.headers.getlist(name)
        if len(given) > 1 or not all(ADDRESS.fullmatch(one) for one in given):
            return Response(f"Invalid {name.title()} header", status_code=status)
    return None


def trimmed(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return headers without the space around their values.

    By RFC 9110, 5.5, that space is no part of a value. httptools, one of the parsers that uvicorn
    may use, leaves the space after it.
    """
    return [(name, value.strip(b" \t")) for name, value in headers]


class AgentEndpoint:
    """The MCP endpoint of every episode: finds the episode and passes the request on."""

    def __init__(self, episodes: Episodes, sessions: StreamableHTTPSessionManager) -> None:
        """Serve the open episodes."""
        self._episodes = episodes
        self._sessions = sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request to an episode's URL."""
        try:
            episode = self._episodes.find(scope["path_params"].get("id", DEFAULT_EPISODE))
        except UnknownEpisode as error:
            await unknown_episode(error)(scope, receive, send)
            return
        await self._sessions.handle_request({**scope, EPISODE_KEY: episode}, receive, send)


def unknown_episode(error: UnknownEpisode) -> Response:
    """Return a 404 that MCP clients can show."""
    body = JSONRPCError(
        jsonrpc="2.0", id=None, error=ErrorData(code=INVALID_REQUEST, message=str(error))
    )
    return Response(body.model_dump_json(exclude_unset=True), 404, media_type="application/json")


def episode_of(context: Context) -> Episode:
    """Return the episode whose URL a request came to."""
    request: Request = context.request  # type: ignore[assignment] # over HTTP there is one
    episode: Episode = request.scope[EPISODE_KEY]
    return episode


async def not_found(request: Request, _: Exception) -> Response:
    """Return a 404 that names the URL for MCP clients."""
    return problem(404, f"There is no {request.url.path:.80}; an MCP client connects to /mcp.")


async def wrong_method(request: Request, error: Exception) -> Response:
    """Return a 405, with the headers that say which methods the URL takes."""
    refusal = problem(405, f"{request.url.path:.80} does not take {request.method}.")
    if isinstance(error, HTTPException):
        refusal.headers.update(error.headers or {})
    return refusal


def build_app(
    episodes: Episodes, access: Access, sessions: StreamableHTTPSessionManager | None = None
) -> Starlette:
    """Return the ASGI app of a server.

    Args:
        episodes: The episodes to serve.
        access: Who may reach them.
        sessions: Serves the MCP requests; None for a stateless server of the tools.
    """
    sessions = sessions or StreamableHTTPSessionManager(
        build_server(episode_of), json_response=True, stateless=True
    )
    agent = AgentEndpoint(episodes, sessions)
    # Without sessions there is nothing to listen to with GET, nor to end with DELETE.
    methods = ["POST"] if sessions.stateless else ["GET", "POST", "DELETE"]
    agent_routes = [Route(path, agent, methods=methods) for path in ("/mcp", "/episodes/{id}/mcp")]
    control = [] if access.token is None else Control(episodes, access.token).routes()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with sessions.run():
            yield

    return Starlette(
        routes=[*agent_routes, *control],
        middleware=[Middleware(Gate, access.security())],
        exception_handlers={404: not_found, 405: wrong_method},
        lifespan=lifespan,
    )
