"""A small MCP server that is not toolworld's: it counts, and misbehaves in several ways on demand.

Run with ``--http`` it serves streamable HTTP on a free port, which it says on standard error.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
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

# The SDK keeps print() off the wire; not every server is made with it.
WIRE = os.dup(1)

Context = ServerRequestContext[Any, Any]

NUMBER = {"type": "object", "properties": {"by": {"type": "integer"}}}
TOTAL = {
    "type": "object",
    "properties": {"total": {"type": "integer"}},
    "required": ["total"],
}
TOOLS = [
    Tool(name="add", input_schema=NUMBER, output_schema=TOTAL),
    Tool(name="lie", description="Breaks its schema.", input_schema=NUMBER, output_schema=TOTAL),
    *(Tool(name=name, input_schema=NUMBER) for name in ("plain", "fail", "die", "hang", "shout")),
]
total = 0


async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(tools=TOOLS)


async def call_tool(_: Context, params: CallToolRequestParams) -> CallToolResult:
    global total
    match params.name:
        case "add":
            total += int((params.arguments or {}).get("by", 1))
            return result({"total": total, "history": [{"at": total}]})
        case "lie":
            return result({"total": "many"})
        case "plain":
            return CallToolResult(content=[TextContent(text=json.dumps({"total": total}))])
        case "die":
            sys.stderr.write("the counter fell off the table\n")
            sys.stderr.flush()
            os._exit(3)
        case "hang":
            await asyncio.sleep(3600)
        case "shout":
            os.write(WIRE, b"COUNTING!\n")
            return result({"total": total})
    return CallToolResult(content=[TextContent(text="It cannot be done.")], is_error=True)


def result(structured: dict[str, Any]) -> CallToolResult:
    text = TextContent(text=json.dumps(structured))
    return CallToolResult(content=[text], structured_content=structured)


SERVER: Server[Any] = Server("counter", on_list_tools=list_tools, on_call_tool=call_tool)


async def serve_stdio() -> None:
    async with stdio_server() as (incoming, outgoing):
        await SERVER.run(incoming, outgoing, SERVER.create_initialization_options())


def serve_http() -> None:
    import socket

    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0))
    sys.stderr.write(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp\n")
    sys.stderr.flush()
    config = uvicorn.Config(SERVER.streamable_http_app(json_response=True), log_level="warning")
    uvicorn.Server(config).run([listener])


if __name__ == "__main__":
    if "--http" in sys.argv:
        serve_http()
    else:
        asyncio.run(serve_stdio())
