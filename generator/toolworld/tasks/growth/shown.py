"""Calls that the graph shows to succeed, with the rows they need beside the seed database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolworld.emit import Package
from toolworld.tasks.growth.links import Links, Sample
from toolworld.tasks.growth.patches import renamed
from toolworld.tasks.growth.start import Place, Row

Json = Any

FIRST_NUMBER = 1_000
"""Keys of such rows are this far above those there are: above clones, and gold's own new rows."""


@dataclass(frozen=True)
class Shown:
    """A call, and the rows that must be there for it."""

    arguments: Mapping[str, Json]
    rows: Mapping[Place, Row]


class Showing:
    """Makes them for all tools of a package, once."""

    def __init__(self, package: Package, links: Links) -> None:
        """Run what evidence says to run before each call."""
        self._schemas = package.module("models").SCHEMAS
        self._tables = package.module("seed").default_base().tables
        self._minted: dict[str, int] = {}
        environment = package.environment()
        self._calls = {
            name: list(self._shown(environment, samples)) for name, samples in links.samples.items()
        }

    def of(self, tool: str) -> Sequence[Shown]:
        """Return the calls of a tool, those that need no rows first."""
        return self._calls[tool]

    def _shown(self, environment: Any, samples: Sequence[Sample]) -> Iterator[Shown]:
        for sample in samples:
            environment.reset()
            for call in sample.setup:
                environment.call(call.tool, call.arguments)
            changes = environment.diff()
            if all(change.after is not None for change in changes):
                yield self._renamed(sample, changes)

    def _renamed(self, sample: Sample, changes: Sequence[Any]) -> Shown:
        """Return a call with the rows it needs, those that are new under keys of their own."""
        names = {
            change.key: self._key(change.table)
            for change in changes
            if change.before is None and self._schemas[change.table].prefix
        }
        rows = {
            Place(change.table, names.get(change.key, change.key)): renamed(change.after, names)
            for change in changes
        }
        return Shown(renamed(sample.arguments, names), rows)

    def _key(self, table: str) -> str:
        number = self._minted.get(table, self._tables[table].next_number + FIRST_NUMBER)
        self._minted[table] = number + 1
        return f"{self._schemas[table].prefix}-{number:05d}"
