"""The MCP endpoint of each episode of a host, for the agents that act in them."""

from __future__ import annotations

import re
from contextlib import AsyncExitStack

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from toolworld.episodes.hosted import HostedWorld
from toolworld.errors import EpisodeGone, LimitReached
from toolworld.serving.access import refused, token_of
from toolworld.serving.episodes import HeldEpisodes

PATH = "/{domain}/episodes/{id}/mcp"
_PATH = re.compile(r"/([^/]+)/episodes/([^/]+)/mcp")


class AgentEndpoints:
    """Serves MCP at ``/DOMAIN/episodes/ID/mcp`` to whoever shows the episode's token.

    Other requests go on to the control API. They come second, because most are agents', and the
    way through the API's own layers takes a tenth of a call's time.
    """

    def __init__(
        self, worlds: dict[str, HostedWorld], episodes: HeldEpisodes, others: ASGIApp
    ) -> None:
        """Serve episodes.

        Args:
            worlds: What there are episodes of, by domain: packages, alone or joined.
            episodes: The open episodes.
            others: Answers all other requests.
        """
        self._episodes, self._others = episodes, others
        self._sessions = {name: _sessions(one) for name, one in worlds.items()}
        self._keys = {name: one.episode_key for name, one in worlds.items()}

    async def running(self) -> AsyncExitStack:
        """Start the session managers; they end with the stack."""
        stack = AsyncExitStack()
        for sessions in self._sessions.values():
            await stack.enter_async_context(sessions.run())
        return stack

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request to an episode's URL, or pass it on."""
        found = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            await self._others(scope, receive, send)
            return
        if scope["method"] != "POST":
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
            return
        domain, episode_id = found.groups()
        try:
            episode = self._admitted(domain, episode_id, token_of(Headers(scope=scope)))
        except NotAdmitted as error:
            await refused(error.status, str(error))(scope, receive, send)
            return
        marked = {**scope, self._keys[domain]: episode}
        await self._sessions[domain].handle_request(marked, receive, send)

    def _admitted(self, domain: str, episode_id: str, token: str) -> object:
        """Return the object that the server of a domain uses for an episode.

        Raises:
            NotAdmitted: There is no such episode, the token is another's, or it calls too often.
        """
        try:
            held = self._episodes.find(episode_id)
            if held.opened.domain != domain:
                raise EpisodeGone(f"There is no such episode of {domain:.40}.")
            if not held.admits(token):
                raise NotAdmitted(401, "An episode needs its own bearer token.")
            held.count_call()
        except EpisodeGone as error:
            raise NotAdmitted(404, str(error)) from error
        except LimitReached as error:
            raise NotAdmitted(429, str(error)) from error
        return held.opened.for_server


class NotAdmitted(Exception):
    """A request may not reach an episode."""

    def __init__(self, status: int, text: str) -> None:
        """Take the status and the text of the answer."""
        super().__init__(text)
        self.status = status


def _sessions(world: HostedWorld) -> StreamableHTTPSessionManager:
    return StreamableHTTPSessionManager(world.mcp_server(), json_response=True, stateless=True)
