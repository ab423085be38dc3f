"""The smallest possible MCP server: tools from a file, each answering with one constant.

``python bare_server.py FILE`` takes a JSON file with the tools to list, and the structured
result of the call that is measured. With ``--http`` it serves HTTP on a free port, which it prints.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)
from starlette.applications import Starlette
from starlette.routing import Mount

Context = ServerRequestContext[Any]
Paging = PaginatedRequestParams | None


def build_server(tools: list[dict[str, Any]], payload: dict[str, Any]) -> Server[Any]:
    """Return the server."""
    listed = [Tool.model_validate(tool) for tool in tools]
    text = json.dumps(payload, separators=(",", ":"), ensure_ascii=False)

    async def list_tools(
        context: Context, params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=listed)

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        content = TextContent(type="text", text=text)
        return CallToolResult(content=[content], structured_content=payload)

    return Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)


async def main() -> None:
    """Serve until the client leaves."""
    content = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    server = build_server(content["tools"], content["payload"])
    if "--http" in sys.argv:
        await serve_http(server)
        return
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


async def serve_http(server: Server[Any]) -> None:
    """Serve at ``/mcp`` of a free port of this machine, without sessions."""
    sessions = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
    app = Starlette(routes=[Mount("/mcp", sessions.handle_request)])
    # With the protocol named: otherwise asyncio keeps Nagle's delay, 40 ms an answer.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        print(listener.getsockname()[1], flush=True)
        async with sessions.run():
            config = uvicorn.Config(app, log_level="error", access_log=False)
            await uvicorn.Server(config).serve([listener])


if __name__ == "__main__":
    asyncio.run(main())
