"""The server over streamable HTTP, where an episode is a URL.

``/mcp`` is the default episode and ``/episodes/<id>/mcp`` any other. All are served by one MCP
server and one session manager, so an open episode costs what it changed and nothing more. No
request keeps a session: there is nothing to leak and nothing that ends while a client waits.
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
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .bounds import BODY_SECONDS, MOST_BYTES
from .episodes import DEFAULT_EPISODE, Episode, Episodes
from .errors import UnknownEpisode
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
        hosts: Names under which requests may come in, beside the loopback ones.
        token: What the control plane asks for; None leaves it out.
    """

    hosts: Sequence[str] = ()
    token: str | None = None

    def security(self) -> TransportSecuritySettings:
        """Return the ``Host`` and ``Origin`` headers that are let in, against DNS rebinding."""
        hosts = [*LOOPBACK, *self.hosts]
        origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
        return TransportSecuritySettings(
            allowed_hosts=with_any_port(hosts), allowed_origins=with_any_port(origins)
        )


def with_any_port(names: Sequence[str]) -> list[str]:
    """Return names as they are and with any port."""
    return [pattern for name in names for pattern in (name, f"{name}:*")]


class Gate:
    """Puts every request's headers right, and turns away those under a foreign name."""

    def __init__(self, app: ASGIApp, security: TransportSecuritySettings) -> None:
        """Stand before an app."""
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
            await within_bounds(self._app, scope, receive, send)
            return
        await self._app(scope, receive, send)


async def within_bounds(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Pass a request on, unless its body is too long or takes too long."""
    body = BoundedBody(receive)

    async def answer(message: Message) -> None:
        if body.refusal is None:
            await send(message)

    try:
        await app(scope, body, answer)
    except BadBody:
        pass
    if body.refusal is not None:
        await body.refusal(scope, receive, send)


class BadBody(Exception):
    """The body of a request is too long, or takes too long."""


class BoundedBody:
    """The body of a request, however many bytes were announced.

    Attributes:
        refusal: What to answer if it is too long or takes too long; else None.
    """

    def __init__(self, receive: Receive) -> None:
        """Read from the web server."""
        self._receive, self._left, self._is_read = receive, MOST_BYTES, False
        self.refusal: Response | None = None

    async def __call__(self) -> Message:
        """Return the next message.

        Raises:
            BadBody: There is too much, or it takes too long.
        """
        if self._is_read:
            # From here on only the client's leaving is waited for.
            return await self._receive()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                message = await self._receive()
        except TimeoutError:
            self.refusal = problem(408, "The body of the request takes too long.")
            raise BadBody from None
        self._is_read = not message.get("more_body", False)
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            self.refusal = problem(413, f"The body of a request may have {MOST_BYTES:,} bytes.")
            raise BadBody
        return message


def odd_address(request: Request) -> Response | None:
    """Return a refusal if Host or Origin is more than a name and a port.

    The SDK compares only how they begin, and takes ``localhost:80.evil.example``.
    """
    for name, status in (("host", 421), ("origin", 403)):
        if not ADDRESS.fullmatch(request.headers.get(name, "")):
            return Response(f"Invalid {name.title()} header", status_code=status)
    return None


def trimmed(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return headers without the space around their values, which is no part of them.

    RFC 9110, 5.5. Of the parsers that uvicorn may take, httptools leaves what comes after them.
    """
    return [(name, value.strip(b" \t")) for name, value in headers]


class AgentEndpoint:
    """The MCP endpoint of every episode: notes whose it is and hands the request on."""

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
    """Say which URLs there are."""
    return problem(404, f"There is no {request.url.path:.80}; an MCP client connects to /mcp.")


async def wrong_method(request: Request, error: Exception) -> Response:
    """Say which methods a URL takes."""
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
        sessions: Serves the MCP requests, if not a server of the tools alone.
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
