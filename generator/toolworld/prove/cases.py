"""A case: rows put over the seed database, one call on that, and how it ended."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from toolworld.packages import Package

Json = Any
Patch = dict[str, dict[str, Json]]
"""Whole rows by table and key; None takes a row away."""

End = Literal["ok", "rejected", "invalid", "failed"]


@dataclass(frozen=True, eq=False)
class ProofCase:
    """One call in one state, as plain data.

    Attributes:
        initial: Rows put over the seed database first.
        source: Where it comes from: ``task <id>``, ``drafted <name>`` or ``made``.
        patched: Whether rows were arranged that no calls led to.
    """

    tool: str
    arguments: dict[str, Json]
    initial: Patch = field(default_factory=dict)
    source: str = "made"
    patched: bool = False

    def as_json(self) -> dict[str, Json]:
        """Return the case as JSON values."""
        return {"tool": self.tool, "arguments": self.arguments, "initial": self.initial}


@dataclass(frozen=True)
class CallEnd:
    """How a call ended.

    Attributes:
        text: The result or message; an unexpected error's type and text.
        digest: The state's digest afterwards.
        rejection: The code and values of a rejection, as JSON.
    """

    end: End
    text: str
    digest: str
    rejection: str = ""


class DoesNotFit(Exception):  # noqa: N818 - an answer, not a fault
    """The rows of a case break a rule of the database, so there is no such state."""


class CaseEnvironments:
    """Where cases are run: a package's environments, opened and put back."""

    def __init__(self, package: Package) -> None:
        """Take a package."""
        self.package = package
        self._errors = package.modules.errors
        self._task = package.modules.task.Task
        self.environment_type = package.modules.environment.Environment

    def open(self, initial: Patch) -> Any:
        """Return an environment with rows put over the seed database.

        Raises:
            DoesNotFit: They break a rule.
        """
        if not initial:
            return self.environment_type()
        try:
            return self.environment_type(self._task(id="case", instruction="", initial=initial))
        except (self._errors.BadTask, ValueError) as error:
            raise DoesNotFit(str(error)) from error

    def call(self, environment: Any, tool: str, arguments: dict[str, Json]) -> CallEnd:
        """Make a call; an unexpected exception is part of the result."""
        try:
            result = environment.call(tool, arguments)
        except Exception as error:  # noqa: BLE001 - what a tool may not do is what we look for
            return CallEnd("failed", f"{type(error).__name__}: {error}", environment.digest())
        rejected = result.outcome == "rejected"
        rejection = json.dumps([result.code, result.values]) if rejected else ""
        return CallEnd(result.outcome, result.text, environment.digest(), rejection)


def changes_of(environment: Any) -> Patch:
    """Return the changes since an environment was opened, as a patch."""
    patch: Patch = {}
    for change in environment.diff():
        patch.setdefault(change.table, {})[change.key] = change.after
    return patch


def merged(first: Patch, second: Patch) -> Patch:
    """Return one patch put over another."""
    made = {table: dict(rows) for table, rows in first.items()}
    for table, rows in second.items():
        made.setdefault(table, {}).update(rows)
    return made
