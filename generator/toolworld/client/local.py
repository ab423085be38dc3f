"""Episodes in this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from toolworld.episodes.hosted import HostedPackage, HostedWorld, OpenEpisode, Start
from toolworld.episodes.joined import JoinedPackages
from toolworld.jsonvalues import JsonObject
from toolworld.packages import load_package

Task = Start
PackagePath = str | Path | Sequence[str | Path]
"""The folder of a package, or the folders of several that are joined."""


class LocalEpisode:
    """One episode in this process."""

    def __init__(self, package: PackagePath, task: Task, seed: int) -> None:
        """Open an episode of a package's folder, or of several joined.

        Raises:
            PackageLoadError: There is no package.
            EpisodeError: There is no such task, or the packages cannot be joined.
        """
        given = (package,) if isinstance(package, str | Path) else package
        self._world = _world(tuple(Path(one).resolve() for one in given))
        self._opened: OpenEpisode = self._world.open(task, seed)

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The definitions of the tools."""
        return self._opened.tools

    @property
    def tasks(self) -> list[dict[str, Any]]:
        """The tasks of its package or packages."""
        return self._world.tasks()

    def call(self, tool: str, arguments: Mapping[str, object]) -> JsonObject:
        """Call a tool."""
        return self._opened.call(tool, arguments)

    def ask(self, operation: str, parameters: Mapping[str, object]) -> JsonObject:
        """Run a control operation."""
        return self._opened.ask(operation, parameters)

    def close(self) -> None:
        """Do nothing: an episode that nobody holds is freed."""


@cache
def _package(folder: Path) -> HostedPackage:
    """Load a package once, for all episodes of it."""
    return HostedPackage(load_package(folder))


@cache
def _world(folders: tuple[Path, ...]) -> HostedWorld:
    """Return a package, or several joined once for all episodes of them."""
    packages = [_package(folder) for folder in folders]
    return packages[0] if len(packages) == 1 else JoinedPackages(packages)
