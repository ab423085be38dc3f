"""Packages whose episodes are opened here, and the operations on an episode, in JSON."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Protocol

from toolworld.errors import EpisodeError
from toolworld.jsonvalues import JsonObject
from toolworld.packages import Package

DEFECT = "The tool {} failed because of a defect of the package, not of the call. Nothing changed."
LATE = "The tool {} took too long and was ended. Nothing changed."

Start = str | Mapping[str, object] | None
"""Where an episode starts: a task or its id; None for the plain seed database."""

logger = logging.getLogger(__name__)


class OpenEpisode(Protocol):
    """An open episode, of one package or of several.

    Attributes:
        domain: What it is an episode of.
    """

    domain: str

    @property
    def for_server(self) -> Any:
        """The object that the MCP server of its domain uses."""
        ...

    @property
    def tools(self) -> list[JsonObject]:
        """The definitions of its tools, as MCP lists them."""
        ...

    def call(self, tool: str, arguments: Mapping[str, object]) -> JsonObject:
        """Call a tool; unless the outcome is ``ok``, nothing is changed."""
        ...

    def ask(self, operation: str, parameters: Mapping[str, object]) -> JsonObject:
        """Run a control operation, such as ``reset`` or ``grade``."""
        ...


class HostedWorld(Protocol):
    """What episodes can be opened of: one package, or several joined.

    Attributes:
        domain: Its name here.
    """

    domain: str

    def open(self, task: Start = None, seed: int = 0) -> OpenEpisode:
        """Open an episode."""
        ...

    def tasks(self) -> list[dict[str, Any]]:
        """Return its tasks, each with its id and what the person says first."""
        ...

    @property
    def tool_count(self) -> int:
        """How many tools it has."""
        ...

    @property
    def episode_key(self) -> str:
        """The key of a request's scope under which the server finds ``for_server``."""
        ...

    def mcp_server(self) -> Any:
        """Return an MCP server of its episodes."""
        ...


class HostedPackage:
    """A package to open episodes of.

    Attributes:
        domain: Its name here: its module's without the prefix.
        package: The package.
        took_too_long: The exception that ends a tool that runs for too long.
    """

    def __init__(self, package: Package, seconds: float = 0) -> None:
        """Import the modules that its episodes need.

        Args:
            package: The package.
            seconds: How long one of its tools may run; 0 for no bound.
        """
        bounds = package.modules.bounds
        self.took_too_long: type[BaseException] = bounds.TookTooLong
        self._bound = bounds.TimeBound.of(seconds)
        self.package = package
        self.domain = package.module_name.removeprefix("toolworld_")
        self._control = package.modules.control
        self._errors = package.modules.errors

    def open(self, task: Start = None, seed: int = 0) -> OpenedEpisode:
        """Open an episode.

        Args:
            task: A task or its id; None for the plain seed database.
            seed: Varies the ids of new rows.

        Raises:
            EpisodeError: There is no such task, or it does not fit the package.
        """
        try:
            episode = self._control.open_episode({"task": task, "seed": seed})
        except self._errors.PackageError as error:
            raise EpisodeError(str(error)) from error
        episode.bound = self._bound
        return OpenedEpisode(self, episode)

    def tasks(self) -> list[dict[str, Any]]:
        """Return the package's tasks as JSON values."""
        return self.package.tasks()

    @property
    def tool_count(self) -> int:
        """How many tools the package has."""
        return len(self.package.modules.definitions.definitions())

    @property
    def episode_key(self) -> str:
        """The key of a request's scope under which the package's server finds its episode."""
        return self.package.modules.web.EPISODE_KEY

    def mcp_server(self) -> Any:
        """Return an MCP server of the package's episodes."""
        modules = self.package.modules
        return modules.server.build_server(modules.web.episode_of)

    @property
    def operations(self) -> Mapping[str, Any]:
        """The control operations on an episode, by name."""
        return {**self._control.QUERIES, **self._control.COMMANDS}

    @property
    def refusal(self) -> type[Exception]:
        """The error that the package raises when it refuses something."""
        return self._errors.PackageError


class OpenedEpisode:
    """One episode of a package.

    Attributes:
        hosted: Its package.
        domain: The package's name here.
        for_server: The package's own object.
    """

    def __init__(self, hosted: HostedPackage, episode: Any) -> None:
        """Take a package's episode."""
        self.hosted, self.domain, self.for_server = hosted, hosted.domain, episode

    @property
    def tools(self) -> list[JsonObject]:
        """The definitions of its tools, as MCP lists them."""
        return self.for_server.tools  # type: ignore[no-any-return]

    def call(self, tool: str, arguments: Mapping[str, object]) -> JsonObject:
        """Call a tool; unless the outcome is ``ok``, nothing is changed.

        Raises:
            EpisodeError: It has no such tool.
        """
        try:
            result = self.for_server.environment.call(tool, arguments)
        except self.hosted.refusal as error:
            raise EpisodeError(str(error)) from error
        except self.hosted.took_too_long:
            logger.error("The tool %s took too long; what it changed was rolled back.", tool)
            return _outcome("failed", LATE.format(tool))
        except Exception:
            logger.exception("The tool %s failed; what it changed was rolled back.", tool)
            return _outcome("failed", DEFECT.format(tool))
        return _outcome(result.outcome, result.text, result.code, dict(result.values))

    def ask(self, operation: str, parameters: Mapping[str, object]) -> JsonObject:
        """Run a control operation, such as ``reset``, ``say`` or ``grade``.

        Raises:
            EpisodeError: There is no such operation, or it cannot be done.
        """
        found = self.hosted.operations.get(operation)
        if found is None:
            known = ", ".join(sorted(self.hosted.operations))
            raise EpisodeError(f"An episode has no {operation:.80}; there are: {known}.")
        try:
            return found(self.for_server, parameters)  # type: ignore[no-any-return]
        except self.hosted.refusal as error:
            raise EpisodeError(str(error)) from error


def _outcome(
    outcome: str, text: str, code: str = "", values: JsonObject | None = None
) -> JsonObject:
    return {"outcome": outcome, "text": text, "code": code, "values": values or {}}
