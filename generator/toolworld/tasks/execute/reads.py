"""Reads at the start of a task, each made once and shared by all trials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolworld.packages import Package


class StartReads:
    """What reading calls gave at the start that was looked at last.

    A certificate runs a task some twenty times, and most calls are reads before the first write.
    """

    def __init__(self, package: Package) -> None:
        """Take a package."""
        self._package = package
        tools = package.environment().tools
        self._reading = {one["name"] for one in tools if one["annotations"]["readOnlyHint"]}
        self._start: Any = None
        self._results: dict[str, Any] = {}

    def environment(self) -> Any:
        """Return an environment of the package that makes no read at a start a second time."""
        environment = self._package.environment()
        make = environment.call

        def call(name: str, arguments: Mapping[str, object]) -> Any:
            if name not in self._reading or not _is_at_start(environment, name):
                return make(name, arguments)
            if environment._start is not self._start:
                self._start, self._results = environment._start, {}
            key = f"{name} {arguments}"
            if key not in self._results:
                self._results[key] = make(name, arguments)
            else:
                found = self._results[key]
                environment._note_call(environment._progress, name, arguments, found, ())
            return self._results[key]

        environment.call = call
        return environment


def _is_at_start(environment: Any, name: str) -> bool:
    """Return whether a read would see only rows from the start of the task."""
    progress, tools = environment._progress, environment._tools
    if progress is None or progress.changed or name not in tools:
        return False
    return bool(progress.left == environment.task.world_changes)
