"""A server for the conformance suite: an emitted package's, plus what the suite asks for by name.

It runs with a package's folder, and uses the package's server, gate and episode URLs. It adds
tools, resources and prompts, and sessions, since these tools talk back to the client.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any, cast

from mcp.server import Server, ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.subscriptions import ListenHandler
from mcp_types import (
    CallToolRequestParams,
    CompleteRequestParams,
    GetPromptRequestParams,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    RequestParams,
    SetLevelRequestParams,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    UnsubscribeRequestParams,
)

from tools.conformance.fixture_content import (
    COMPLETE,
    FRESHNESS,
    PROMPTS,
    RESOURCES,
    TEMPLATES,
    Json,
    get_prompt,
    read_resource,
)
from tools.conformance.fixture_tools import SCHEMAS, TOOLS, answers_of, bus, definitions
from toolworld.packages.loading import find_module

Context = ServerRequestContext[Any, Any]


def main() -> None:
    """Serve until stopped; the URL goes to stderr, in the form of a package's own server."""
    package = importlib.import_module(import_path(Path(sys.argv[1])))
    name = package.__name__
    web = importlib.import_module(f"{name}.serving.web")
    server = importlib.import_module(f"{name}.serving.server").build_server(web.episode_of)
    episodes = importlib.import_module(f"{name}.serving.episodes")
    add_tools(server)
    add_content(server)
    app = web.build_app(
        episodes.Episodes(episodes.Episode()),
        web.Access(),
        StreamableHTTPSessionManager(server),
    )
    listening = importlib.import_module(f"{name}.serving.listening")
    listener = listening.listen("127.0.0.1", 0)
    url = f"{listening.url_of(listener)}/mcp"
    listening.serve(app, listener, lambda: print(f"Serving {url}", file=sys.stderr, flush=True))


def import_path(folder: Path) -> str:
    """Make a package's sources importable and return its module's name."""
    source = find_module(folder)
    sys.path.insert(0, str(source.parent))
    return source.name


def add_tools(server: Server[Any]) -> None:
    """Add the fixture's tools to those of the package."""
    own_list = server.get_request_handler("tools/list")
    own_call = server.get_request_handler("tools/call")
    own_schema = server.get_tool_input_schema
    if own_list is None or own_call is None or own_schema is None:
        raise RuntimeError("The package serves no tools.")

    async def list_tools(context: Context, params: PaginatedRequestParams) -> Json:
        page = cast("Json", await own_list.handler(context, params))
        return page if "nextCursor" in page else {**page, "tools": page["tools"] + definitions()}

    async def call_tool(context: Context, params: CallToolRequestParams) -> Any:
        if params.name in TOOLS:
            return await TOOLS[params.name](context)
        return await own_call.handler(context, params)

    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    server.get_tool_input_schema = lambda name: SCHEMAS.get(name) or own_schema(name)


def add_content(server: Server[Any]) -> None:
    """Add resources, prompts, completion, logging and subscriptions."""

    async def list_resources(_: Context, __: PaginatedRequestParams) -> Json:
        return {**COMPLETE, **FRESHNESS, "resources": RESOURCES}

    async def list_templates(_: Context, __: PaginatedRequestParams) -> Json:
        return {**COMPLETE, **FRESHNESS, "resourceTemplates": TEMPLATES}

    async def read(_: Context, params: ReadResourceRequestParams) -> Json:
        return read_resource(str(params.uri))

    async def list_prompts(_: Context, __: PaginatedRequestParams) -> Json:
        return {**COMPLETE, **FRESHNESS, "prompts": PROMPTS}

    async def prompt(context: Context, params: GetPromptRequestParams) -> Json:
        return get_prompt(params.name, params.arguments or {}, answers_of(context))

    async def complete(_: Context, __: CompleteRequestParams) -> Json:
        return {**COMPLETE, "completion": {"values": [], "total": 0, "hasMore": False}}

    async def accept(_: Context, __: RequestParams) -> Json:
        return {}

    add = server.add_request_handler
    add("resources/list", PaginatedRequestParams, list_resources)
    add("resources/templates/list", PaginatedRequestParams, list_templates)
    add("resources/read", ReadResourceRequestParams, read)
    add("prompts/list", PaginatedRequestParams, list_prompts)
    add("prompts/get", GetPromptRequestParams, prompt)
    add("completion/complete", CompleteRequestParams, complete)
    add("logging/setLevel", SetLevelRequestParams, accept)
    add("resources/subscribe", SubscribeRequestParams, accept)
    add("resources/unsubscribe", UnsubscribeRequestParams, accept)
    add("subscriptions/listen", SubscriptionsListenRequestParams, ListenHandler(bus))


if __name__ == "__main__":
    main()
