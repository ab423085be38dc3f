"""The MCP endpoint of each episode of a host, for the agents that act in them."""

from __future__ import annotations

from contextlib import AsyncExitStack

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from toolworld.episodes.hosted import HostedWorld
from toolworld.errors import EpisodeGone, LimitReached
from toolworld.serving.access import refused, token_of
from toolworld.serving.episodes import HeldEpisodes


class AgentEndpoints:
    """Serves MCP at ``/DOMAIN/episodes/ID/mcp`` to whoever shows the episode's token."""

    def __init__(self, worlds: dict[str, HostedWorld], episodes: HeldEpisodes) -> None:
        """Serve the episodes of packages, alone or joined, by domain."""
        self._episodes = episodes
        self._sessions = {name: _sessions(one) for name, one in worlds.items()}
        self._keys = {name: one.episode_key for name, one in worlds.items()}

    async def running(self) -> AsyncExitStack:
        """Start the session managers; they end with the stack."""
        stack = AsyncExitStack()
        for sessions in self._sessions.values():
            await stack.enter_async_context(sessions.run())
        return stack

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request to an episode's URL."""
        domain, episode_id = scope["path_params"]["domain"], scope["path_params"]["id"]
        try:
            held = self._episodes.find(episode_id)
            if held.opened.domain != domain:
                raise EpisodeGone(f"There is no such episode of {domain:.40}.")
            if not held.admits(token_of(Headers(scope=scope))):
                refusal = refused(401, "An episode needs its own bearer token.")
                await refusal(scope, receive, send)
                return
            held.count_call()
        except EpisodeGone as error:
            await refused(404, str(error))(scope, receive, send)
            return
        except LimitReached as error:
            await refused(429, str(error))(scope, receive, send)
            return
        marked = {**scope, self._keys[domain]: held.opened.for_server}
        await self._sessions[domain].handle_request(marked, receive, send)


def _sessions(world: HostedWorld) -> StreamableHTTPSessionManager:
    return StreamableHTTPSessionManager(world.mcp_server(), json_response=True, stateless=True)
