"""Episodes in which chains of calls are tried: a call can be undone, and made elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from pydantic_core import from_json

from toolworld.packages import Package

Arguments: TypeAlias = Mapping[str, Any]
Patch: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Any] | None]]
EpisodeMoment: TypeAlias = Any
"""A snapshot of the package's."""


class CallGiven:
    """What a call gave, as the package says it."""

    def __init__(self, outcome: str, text: str) -> None:
        """Take the outcome and the text."""
        self.outcome, self.text = outcome, text

    @property
    def is_error(self) -> bool:
        """Whether the call did nothing."""
        return self.outcome != "ok"

    @cached_property
    def structured(self) -> Mapping[str, Any]:
        """The result as JSON values; empty unless ok."""
        found: Mapping[str, Any] = {} if self.is_error else from_json(self.text)
        return found


class ChainEpisode:
    """One way through the moments that follow a start."""

    def __init__(self, package: Package, initial: Patch) -> None:
        """Begin with the seed database and a patch over it.

        Raises:
            PackageError: The package's own: the patch does not fit the database.
        """
        task = {"id": "chain", "instruction": "", "initial": initial} if initial else None
        self._environment = package.environment(task)

    def call(self, tool: str, arguments: Arguments) -> CallGiven:
        """Make a call and go on from after it."""
        result = self._environment.call(tool, arguments)
        return CallGiven(result.outcome, result.text)

    def peek(self, tool: str, arguments: Arguments) -> CallGiven:
        """Return what a call would give, and stay."""
        before = self._environment.snapshot()
        given = self.call(tool, arguments)
        self._environment.restore(before)
        return given

    def now(self) -> EpisodeMoment:
        """Return the present moment, to go back to."""
        return self._environment.snapshot()

    def go(self, moment: EpisodeMoment) -> None:
        """Go to another moment of this episode."""
        self._environment.restore(moment)

    def diff(self) -> Sequence[Any]:
        """Return the rows that differ from the start, as the package tells them."""
        changes: Sequence[Any] = self._environment.diff()
        return changes
