"""An MCP client that drives a server, with the answers of a recording."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, TextContent

from toolworld.mcp_server import build_server
from toolworld.mcp_server.place import WorldsFolder
from toolworld.mcp_server.worlds import KeptWorlds

RECORDING = Path(__file__).parents[1] / "draft" / "recordings" / "tiny.jsonl"
WISH = (
    "a board game library: members borrow games for some days and bring them back, sometimes late"
)
SECONDS = 240.0
MOST_TWICE = 2000
ANSWERS = {
    line["prompt"]: line["answer"]
    for line in map(json.loads, RECORDING.read_text("utf-8").splitlines())
}


@dataclass
class Agent:
    """A client of a server."""

    client: Client

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must not be refused; the client holds the result to its schema."""
        result = await self._call(tool, arguments)
        assert not result.is_error, text_of(result)
        assert result.structured_content is not None
        told = json.loads(text_of(result))
        rest = told.pop("the_rest", None)
        assert told.items() <= result.structured_content.items()
        assert (rest is None) == (told == result.structured_content)
        assert rest is None or len(text_of(result)) < MOST_TWICE
        return dict(result.structured_content)

    async def refused(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must be refused, and return why."""
        result = await self._call(tool, arguments)
        assert result.is_error, text_of(result)
        return text_of(result)

    async def _call(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        return await self.client.call_tool(tool, arguments, read_timeout_seconds=SECONDS)

    async def start(self, world: str = "games") -> None:
        """Start the draft that the recording answers."""
        await self.call("start_draft", world=world, wish=WISH, tools=4)

    async def open_prompts(self, world: str = "games") -> list[str]:
        """Wait for prompts, and return their ids."""
        found = await self.call("next_prompts", world=world, wait_seconds=SECONDS)
        return [one["prompt"] for one in found["prompts"]]

    async def answer(self, until: str = "", world: str = "games") -> list[dict[str, Any]]:
        """Answer prompts, the last one first, until one is open; return what became of each."""
        judged: list[dict[str, Any]] = []
        while True:
            ids = await self.open_prompts(world)
            if not ids or until in ids:
                return judged
            asked = {"world": world, "prompt": ids[-1], "wait_seconds": SECONDS}
            answer = json.loads(ANSWERS[ids[-1]])
            judged.append(await self.call("submit_answer", **asked, answer=answer))


@asynccontextmanager
async def near(folder: Path) -> AsyncIterator[Agent]:
    """Connect to a server in this process, which answers as the command does."""
    async with anyio.create_task_group() as tasks:
        async with Client(build_server(KeptWorlds(WorldsFolder(folder), tasks))) as client:
            yield Agent(client)
        tasks.cancel_scope.cancel()


@asynccontextmanager
async def started(folder: Path, pid_file: Path) -> AsyncIterator[Agent]:
    """Run the command in a folder, and connect to it."""
    script = f'echo $$ > "{pid_file}"; exec "$0" -m toolworld mcp --folder "{folder}"'
    server = StdioServerParameters(
        command="sh", args=["-c", script, sys.executable], env=dict(os.environ)
    )
    async with Client(server) as client:
        yield Agent(client)


def text_of(result: CallToolResult) -> str:
    """Return the text of a result."""
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text
