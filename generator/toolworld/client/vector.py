"""Many episodes that are stepped together, in this process or on a host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, Self, cast

from toolworld.client.local import LocalEpisode, PackagePath, Task
from toolworld.client.remote import Host, new_key
from toolworld.client.results import CallResult, Grade, read_call
from toolworld.errors import EpisodeError, EpisodeGone
from toolworld.jsonvalues import JsonObject, JsonValue


@dataclass(frozen=True)
class Action:
    """A call of a tool.

    Attributes:
        tool: Its name.
        arguments: Its arguments.
    """

    tool: str
    arguments: Mapping[str, object] = field(default_factory=dict)


class EpisodeGroup(Protocol):
    """Episodes as a vector environment uses them: in this process, or on a host."""

    def __len__(self) -> int:
        """Return how many there are."""
        ...

    def call(self, actions: Mapping[int, Action]) -> list[JsonObject]:
        """Make a call in each of some episodes, by their places."""
        ...

    def ask(self, operation: str, parameters: Mapping[int, JsonObject]) -> list[JsonObject]:
        """Run a control operation in each of some episodes."""
        ...

    def close(self) -> None:
        """Close them."""
        ...


class VectorEnvironment:
    """Many episodes, each at a task; one step is one call in each, and on a host one request."""

    def __init__(self, episodes: EpisodeGroup) -> None:
        """Take episodes; ``local`` and ``remote`` open some."""
        self._episodes = episodes

    @classmethod
    def local(cls, package: PackagePath, tasks: Sequence[Task], seed: int = 0) -> Self:
        """Open an episode at each task, in this process.

        Args:
            package: The package's folder, or those of several that are joined.
            tasks: Tasks or their ids; None for the plain seed database.
            seed: Varies the ids of new rows.

        Raises:
            PackageLoadError: There is no package.
            EpisodeError: There is no such task.
        """
        return cls(_LocalGroup([LocalEpisode(package, task, seed) for task in tasks]))

    @classmethod
    def remote(
        cls,
        url: str,
        domain: str,
        tasks: Sequence[Task],
        seed: int = 0,
        token: str | None = None,
    ) -> Self:
        """Open an episode at each task, on a host that ``toolworld serve`` started.

        Args:
            url: The URL of the host, such as ``http://127.0.0.1:8000``.
            domain: The domain of the package, or several that are joined, as ``retail+hotel``.
            tasks: Tasks or their ids; None for the plain seed database.
            seed: Varies the ids of new rows.
            token: The token of the control API; None for the one in ``TOOLWORLD_TOKEN``.

        Raises:
            EpisodeError: The host refuses, or does not answer.
        """
        host = Host(url, token)
        with host.closed_if_refused():
            steps = [{"domain": domain, "task": task, "seed": seed} for task in tasks]
            opened = host.open_many(steps)
        return cls(_RemoteGroup(host, [str(one["id"]) for one in opened]))

    def __len__(self) -> int:
        """Return how many episodes there are."""
        return len(self._episodes)

    def step(self, actions: Sequence[Action | None]) -> list[CallResult | None]:
        """Make one call in each episode, except where the action is None.

        Raises:
            EpisodeError: A call cannot be made; the others were made.
        """
        if len(actions) != len(self):
            raise EpisodeError(f"There are {len(self)} episodes, and {len(actions)} actions.")
        asked = {place: one for place, one in enumerate(actions) if one is not None}
        told = dict(zip(asked, self._episodes.call(asked), strict=True))
        return [read_call(told[place]) if place in told else None for place in range(len(actions))]

    def reset(self, tasks: Sequence[Task] | None = None) -> None:
        """Go back to the start in each episode, or to the start of the tasks given."""
        given = tasks or [None] * len(self)
        self._ask("reset", [{"task": _plain(task)} for task in given])

    def grade(self, answers: Sequence[str | None]) -> list[Grade]:
        """Return the grade of each episode, given its agent's final answer."""
        told = self._ask("grade", [{"answer": answer} for answer in answers])
        return [Grade.read(one) for one in told]

    def close(self) -> None:
        """Close the episodes."""
        self._episodes.close()

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

    def _ask(self, operation: str, parameters: Sequence[JsonObject]) -> list[JsonObject]:
        told = self._episodes.ask(operation, dict(enumerate(parameters)))
        for one in told:
            if "error" in one:
                raise EpisodeError(str(one["error"]))
        return told


def _plain(task: Task) -> JsonValue:
    return cast("JsonValue", task)


class _LocalGroup:
    def __init__(self, episodes: Sequence[LocalEpisode]) -> None:
        self._episodes = episodes

    def __len__(self) -> int:
        return len(self._episodes)

    def call(self, actions: Mapping[int, Action]) -> list[JsonObject]:
        return [
            self._episodes[place].call(one.tool, one.arguments) for place, one in actions.items()
        ]

    def ask(self, operation: str, parameters: Mapping[int, JsonObject]) -> list[JsonObject]:
        return [self._episodes[place].ask(operation, one) for place, one in parameters.items()]

    def close(self) -> None:
        self._episodes = ()


class _RemoteGroup:
    def __init__(self, host: Host, ids: Sequence[str]) -> None:
        self._host, self._ids = host, ids

    def __len__(self) -> int:
        return len(self._ids)

    def call(self, actions: Mapping[int, Action]) -> list[JsonObject]:
        key = new_key()
        steps = [
            {"episode": self._ids[place], "tool": one.tool, "arguments": one.arguments, "key": key}
            for place, one in actions.items()
        ]
        return self._results("/step", steps)

    def ask(self, operation: str, parameters: Mapping[int, JsonObject]) -> list[JsonObject]:
        steps = [
            {"episode": self._ids[place], "operation": operation, "parameters": one}
            for place, one in parameters.items()
        ]
        return self._results("/ask", steps)

    def close(self) -> None:
        for episode in self._ids:
            with suppress(EpisodeGone):
                self._host.request("DELETE", f"/episodes/{episode}")
        self._ids = ()
        self._host.close()

    def _results(self, path: str, steps: Sequence[Mapping[str, object]]) -> list[JsonObject]:
        told: list[JsonObject] = self._host.request("POST", path, {"steps": [*steps]})["results"]
        return told
