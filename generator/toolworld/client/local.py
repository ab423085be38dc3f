"""Episodes in this process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from toolworld.jsonvalues import JsonObject
from toolworld.packages import load_package
from toolworld.serving.hosted import HostedPackage, OpenedEpisode

Task = str | Mapping[str, object] | None


class LocalEpisode:
    """One episode in this process."""

    def __init__(self, package: str | Path, task: Task, seed: int) -> None:
        """Open an episode of a package's folder.

        Raises:
            PackageLoadError: There is no package.
            EpisodeError: There is no such task.
        """
        self._opened: OpenedEpisode = _hosted(Path(package).resolve()).open(task, seed)

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The definitions of the tools."""
        return self._opened.tools

    @property
    def tasks(self) -> list[dict[str, Any]]:
        """The tasks of its package."""
        return self._opened.hosted.package.tasks()

    def call(self, tool: str, arguments: Mapping[str, object]) -> JsonObject:
        """Call a tool."""
        return self._opened.call(tool, arguments)

    def ask(self, operation: str, parameters: Mapping[str, object]) -> JsonObject:
        """Run a control operation."""
        return self._opened.ask(operation, parameters)

    def close(self) -> None:
        """Do nothing: an episode that nobody holds is freed."""


@cache
def _hosted(folder: Path) -> HostedPackage:
    """Load a package once, for all episodes of it."""
    return HostedPackage(load_package(folder))
