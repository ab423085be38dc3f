"""The control plane over stdio and in memory: JSON-RPC methods in a namespace of our own.

``toolworld/episode/open`` replaces the connection's episode with a new one, at a task and seed;
the other methods act on the connection's episode.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from mcp.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, RequestParams

from ..errors import PackageError
from .control import COMMANDS, QUERIES, Json, Operation, describe, open_episode
from .episodes import DEFAULT_EPISODE, Episodes
from .server import Context

PREFIX = "toolworld/episode/"

Method = Callable[[Mapping[str, object]], Json]


def add_control(server: Server[Any], episodes: Episodes) -> None:
    """Let a server's client control the default episode."""

    def open_default(parameters: Mapping[str, object]) -> Json:
        episode = open_episode(parameters)
        episodes.start_over(episode)
        return describe(episode)

    add_method(server, "open", open_default)
    for name, operation in {**QUERIES, **COMMANDS}.items():
        add_method(server, name, partial(operate, operation, episodes))


def operate(
    operation: Operation[Any], episodes: Episodes, parameters: Mapping[str, object]
) -> Json:
    """Run an operation on the default episode."""
    return operation(episodes.find(DEFAULT_EPISODE), parameters)


def add_method(server: Server[Any], name: str, method: Method) -> None:
    """Serve a method; an error of the package becomes "invalid params" with its message."""

    async def handle(context: Context, _: RequestParams) -> Json:
        given = context.params or {}
        try:
            return method({key: given[key] for key in given if key != "_meta"})
        except PackageError as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error

    server.add_request_handler(PREFIX + name, RequestParams, handle)
