"""The MCP server: the tools of an episode, over any of the SDK's transports.

What the agent sees is the tools and the policy, nothing else. A call runs to its end inside one
handler with no await, so calls never interleave.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from mcp.server import Server, ServerRequestContext
from mcp.server.caching import CacheHint
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams
from opentelemetry import trace

from ..about import NAME, SUMMARY, TITLE, VERSION
from ..bounds import TookTooLong
from ..calls.definitions import ToolDefinition
from ..calls.results import ToolResult
from ..errors import UnknownTool
from ..policy.clauses import policy_text
from .episodes import Episode

Context = ServerRequestContext[Any, Any]
FindEpisode = Callable[[Context], Episode]
Json = dict[str, Any]

PAGE_SIZE = 100
"""Tools on a page of ``tools/list``: most packages fit on one, as some clients read only one."""

REJECTION = "toolworld/rejection"
"""The metadata key of a rejection's code and values, for programs; an agent reads the text."""

COMPLETE = "complete"
"""The 2026-07-28 wire's name for a result that asks nothing back; the older wire drops it."""

logger = logging.getLogger(__name__)


def build_server(find: FindEpisode, page_size: int = PAGE_SIZE) -> Server[Any]:
    """Return a server of the tools of an episode.

    Args:
        find: Returns the episode that a request is for.
        page_size: The most tools on a page of ``tools/list``.
    """
    server: Server[Any] = Server(
        NAME,
        version=VERSION,
        title=TITLE,
        description=SUMMARY,
        instructions=policy_text(),
        cache_hints={"tools/list": CacheHint()},
        get_tool_input_schema=no_headers,
    )
    if not is_traced():
        server.middleware.clear()

    async def list_tools(context: Context, params: PaginatedRequestParams) -> Json:
        return tools_page(find(context).tools, params.cursor, page_size)

    async def call_tool(context: Context, params: CallToolRequestParams) -> Json:
        return call(find(context), params)

    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    return server


def no_headers(_: str) -> None:
    """Return no schema for a call's headers: no tool here takes a parameter as a header."""


def is_traced() -> bool:
    """Return whether anyone records spans; otherwise the SDK's span for each request is lost."""
    return not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)


def tools_page(tools: list[ToolDefinition], cursor: str | None, page_size: int) -> Json:
    """Return a page of tools; the cursor is the name of the last tool of the page before.

    Raises:
        MCPError: No page gave that cursor.
    """
    names = [tool["name"] for tool in tools]
    if cursor is not None and cursor not in names:
        raise MCPError(INVALID_PARAMS, "The cursor is not valid. Start again without one.")
    start = 0 if cursor is None else names.index(cursor) + 1
    end = start + page_size
    page: Json = {"resultType": COMPLETE, "tools": tools[start:end]}
    if end < len(tools):
        page["nextCursor"] = names[end - 1]
    return page


def call(episode: Episode, params: CallToolRequestParams) -> Json:
    """Call a tool and return the result in the form of MCP.

    Raises:
        MCPError: There is no such tool.
    """
    try:
        result = episode.environment.call(params.name, params.arguments)
    except UnknownTool as error:
        raise MCPError(INVALID_PARAMS, str(error)) from error
    except TookTooLong:
        logger.error("The tool %s took too long; what it changed was rolled back.", params.name)
        return text_result(
            f"The tool {params.name} took too long and was ended. Nothing was changed.",
            is_error=True,
        )
    except Exception:
        # The traceback is for whoever runs the server; an agent can do nothing with it.
        logger.exception("The tool %s failed; what it changed was rolled back.", params.name)
        return text_result(
            f"The tool {params.name} failed because of a defect of the server, not of the call. "
            "Nothing was changed.",
            is_error=True,
        )
    return as_mcp(result)


def as_mcp(result: ToolResult) -> Json:
    """Return the result of a call as an MCP tool result."""
    answer = text_result(result.text, is_error=result.is_error)
    if not result.is_error:
        answer["structuredContent"] = result.structured
    elif result.outcome == "rejected":
        answer["_meta"] = {REJECTION: {"code": result.code, "values": dict(result.values)}}
    return answer


def text_result(text: str, *, is_error: bool) -> Json:
    """Return an MCP tool result with one text."""
    content = [{"type": "text", "text": text}]
    return {"resultType": COMPLETE, "content": content, "isError": is_error}
