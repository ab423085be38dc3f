"""The MCP server, reached by the SDK's own client, which checks every result it is given."""

from __future__ import annotations

import asyncio

import pytest
from mcp import Client, MCPError

from toolworld_hotel import Task, all_tasks
from toolworld_hotel.serving.episodes import Episode
from toolworld_hotel.serving.server import build_server

TASKS = list(all_tasks().values())
SAMPLE = TASKS[:: max(1, len(TASKS) // 20)]


async def list_tools(episode: Episode, page_size: int) -> list[str]:
    names: list[str] = []
    async with Client(build_server(lambda _: episode, page_size)) as client:
        cursor = None
        while True:
            page = await client.list_tools(cursor=cursor)
            names += [tool.name for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                return names


@pytest.mark.parametrize("page_size", [1, 7, 1000])
def test_a_client_finds_every_tool_page_by_page(page_size: int) -> None:
    episode = Episode()
    expected = [tool["name"] for tool in episode.environment.tools]
    assert asyncio.run(list_tools(episode, page_size)) == expected


@pytest.mark.parametrize("task", SAMPLE, ids=lambda task: task.id)
def test_a_call_over_mcp_gives_what_the_environment_gives(task: Task) -> None:
    async def call(episode: Episode) -> None:
        step = next(step for step in task.gold if step.tool)
        result = episode.environment.fork().call(step.tool, step.arguments)
        async with Client(build_server(lambda _: episode)) as client:
            answer = await client.call_tool(step.tool, step.arguments)
        assert answer.is_error == result.is_error
        assert (answer.structured_content or {}) == result.structured

    asyncio.run(call(Episode(task)))


def test_an_unknown_tool_is_a_protocol_error() -> None:
    async def call(episode: Episode) -> None:
        async with Client(build_server(lambda _: episode)) as client:
            with pytest.raises(MCPError):
                await client.call_tool("no_such_tool", {})

    asyncio.run(call(Episode()))
