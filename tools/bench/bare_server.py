"""The least an MCP server can be: tools from a file, each answering with one constant.

``python bare_server.py FILE`` takes a JSON file with the tools to list, and the structured
result of the call that is measured.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

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
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
