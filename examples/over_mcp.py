"""A rollout over MCP: an agent calls tools as any MCP client does, and the host grades it.

    export TOOLWORLD_TOKEN=a-token-of-your-choice
    toolworld serve generated_servers/retail --port 8000
    python examples/over_mcp.py http://127.0.0.1:8000 retail redirect-001

The agent gets the URL and the token of its episode, and nothing else. What it says to the person
goes through the host, which also grades. Put your agent in the place of ``agent``.
"""

from __future__ import annotations

import sys
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from toolworld.client import Environment


async def agent(client: Client, task: dict[str, Any]) -> str:
    """Make the calls of the task's own solution; return what to say in the end."""
    tools = (await client.list_tools()).tools
    print(f"{len(tools)} tools for: {task['instruction']}")
    answer = ""
    for step in task["gold"]:
        if step["tool"]:
            result = await client.call_tool(step["tool"], step["arguments"])
            print(f"{step['tool']}: {'refused' if result.is_error else 'ok'}")
        answer = step["say"] or answer
    return answer


async def play(url: str, token: str, task: dict[str, Any]) -> str:
    """Connect an agent to its episode, and let it work; return its answer."""
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            return await agent(client, task)


def main(host: str, domain: str, name: str) -> None:
    """Open an episode on a host, have it played, and grade it."""
    with Environment.remote(host, domain, name) as environment:
        episode: Any = environment.episode
        task = next(task for task in environment.tasks if task["id"] == name)
        answer = anyio.run(play, episode.mcp_url, episode.mcp_token, task)
        print(f"reward: {environment.grade(answer).reward}")


if __name__ == "__main__":
    main(*sys.argv[1:])
