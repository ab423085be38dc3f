"""One episode, in this process or on a host."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Protocol, Self, cast

from toolworld.client.local import LocalEpisode, PackagePath, Task
from toolworld.client.remote import RemoteEpisode
from toolworld.client.results import CallResult, Grade, PersonReply, read_call
from toolworld.jsonvalues import JsonObject, JsonValue


class Episode(Protocol):
    """An episode as an environment uses it: in this process, or on a host."""

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The definitions of the tools."""
        ...

    @property
    def tasks(self) -> list[dict[str, Any]]:
        """The tasks of its package."""
        ...

    def call(self, tool: str, arguments: Mapping[str, object]) -> JsonObject:
        """Call a tool."""
        ...

    def ask(self, operation: str, parameters: Mapping[str, object]) -> JsonObject:
        """Run a control operation."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


class Environment:
    """One episode: its tools, its person and its grade.

    An operation that cannot be done raises an ``EpisodeError``; the episode stays as it was.

    Attributes:
        episode: The episode; one on a host has ``mcp_url`` and ``mcp_token``.
    """

    def __init__(self, episode: Episode) -> None:
        """Take an episode; ``local`` and ``remote`` open one."""
        self.episode = episode

    @classmethod
    def local(cls, package: PackagePath, task: Task = None, seed: int = 0) -> Self:
        """Open an episode in this process.

        Args:
            package: The package's folder, or those of several that are joined.
            task: A task or its id; None for the plain seed database.
            seed: Varies the ids of new rows.

        Raises:
            PackageLoadError: There is no package.
            EpisodeError: There is no such task.
        """
        return cls(LocalEpisode(package, task, seed))

    @classmethod
    def remote(
        cls, url: str, domain: str, task: Task = None, seed: int = 0, token: str | None = None
    ) -> Self:
        """Open an episode on a host that ``toolworld serve`` started.

        Args:
            url: The URL of the host, such as ``http://127.0.0.1:8000``.
            domain: The domain of the package, or several that are joined, as ``retail+hotel``.
            task: A task or its id; None for the plain seed database.
            seed: Varies the ids of new rows.
            token: The token of the control API; None for the one in ``TOOLWORLD_TOKEN``.

        Raises:
            EpisodeError: The host refuses, or does not answer.
        """
        return cls(RemoteEpisode(url, domain, task, seed, token))

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The definitions of the tools, as MCP lists them."""
        return self.episode.tools

    @property
    def tasks(self) -> list[dict[str, Any]]:
        """The tasks of its package, each with its id and what the person says first."""
        return self.episode.tasks

    def call(self, tool: str, arguments: Mapping[str, object] | None = None) -> CallResult:
        """Call a tool; unless the outcome is ``ok``, nothing is changed."""
        return read_call(self.episode.call(tool, arguments or {}))

    def say(self, text: str) -> PersonReply:
        """Say something to the person, and return the reply."""
        told = self.episode.ask("say", {"text": text})
        return PersonReply(str(told["text"]), cast("list[JsonValue]", told["acts"]))

    def grade(self, answer: str | None = None) -> Grade:
        """Return the grade of the episode, given the agent's final answer."""
        return Grade.read(self.episode.ask("grade", {"answer": answer}))

    def reset(self, task: Task = None, seed: int | None = None) -> None:
        """Go back to the start, or to the start of another task or seed."""
        self.episode.ask("reset", {"task": task, "seed": seed})

    def snapshot(self) -> str:
        """Keep a snapshot of the present state, and return its name."""
        return str(self.episode.ask("snapshot", {})["snapshot"])

    def restore(self, snapshot: str) -> None:
        """Go back to a snapshot."""
        self.episode.ask("restore", {"snapshot": snapshot})

    def diff(self) -> list[JsonObject]:
        """Return the rows that differ from the start."""
        return cast("list[JsonObject]", self.episode.ask("diff", {})["changes"])

    def state(self) -> JsonObject:
        """Return all rows, by table and key."""
        return cast("JsonObject", self.episode.ask("state", {})["state"])

    def digest(self) -> str:
        """Return the digest of the state."""
        return str(self.episode.ask("digest", {})["digest"])

    def close(self) -> None:
        """Close the episode."""
        self.episode.close()

    def __enter__(self) -> Self:
        """Return the environment, which is closed after the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()
