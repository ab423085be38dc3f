"""One episode for programs with an event loop of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

import anyio

from toolworld.client.environment import Environment
from toolworld.client.local import PackagePath, Task
from toolworld.client.results import CallResult, Grade, PersonReply
from toolworld.jsonvalues import JsonObject

T = TypeVar("T")


class AsyncEnvironment:
    """An ``Environment`` whose methods are awaited; see there.

    Requests over the network wait in a thread, so that the loop goes on. An episode in this process
    answers at once: its calls take microseconds.
    """

    def __init__(self, environment: Environment, in_thread: bool) -> None:
        """Take an environment; ``local`` and ``remote`` open one."""
        self._environment = environment
        self._run = anyio.to_thread.run_sync if in_thread else _at_once

    @classmethod
    async def local(cls, package: PackagePath, task: Task = None, seed: int = 0) -> Self:
        """Open an episode in this process, as ``Environment.local`` does."""
        return cls(Environment.local(package, task, seed), in_thread=False)

    @classmethod
    async def remote(
        cls, url: str, domain: str, task: Task = None, seed: int = 0, token: str | None = None
    ) -> Self:
        """Open an episode on a host, as ``Environment.remote`` does."""
        open_ = partial(Environment.remote, url, domain, task, seed, token)
        return cls(await anyio.to_thread.run_sync(open_), in_thread=True)

    async def tools(self) -> list[dict[str, Any]]:
        """Return the definitions of the tools, as MCP lists them."""
        return await self._run(lambda: self._environment.tools)

    async def call(self, tool: str, arguments: Mapping[str, object] | None = None) -> CallResult:
        """Call a tool; unless the outcome is ``ok``, nothing is changed."""
        return await self._run(partial(self._environment.call, tool, arguments))

    async def say(self, text: str) -> PersonReply:
        """Say something to the person, and return the reply."""
        return await self._run(partial(self._environment.say, text))

    async def grade(self, answer: str | None = None) -> Grade:
        """Return the grade of the episode, given the agent's final answer."""
        return await self._run(partial(self._environment.grade, answer))

    async def reset(self, task: Task = None, seed: int | None = None) -> None:
        """Go back to the start, or to the start of another task or seed."""
        await self._run(partial(self._environment.reset, task, seed))

    async def diff(self) -> list[JsonObject]:
        """Return the rows that differ from the start."""
        return await self._run(self._environment.diff)

    async def close(self) -> None:
        """Close the episode."""
        await self._run(self._environment.close)

    async def __aenter__(self) -> Self:
        """Return the environment, which is closed after the block."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close it."""
        await self.close()


async def _at_once(work: Callable[[], T]) -> T:
    return work()
