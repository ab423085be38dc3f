"""Tools run in a task's world before they are let into the task.

A call is run that the graph shows to succeed: as things are, or after the calls that lead to it
if their tools are in already. What has nothing to do with the task's own rows need not be run
again: the graph's evidence was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from toolworld.graph.evidence import PlannedCall
from toolworld.graph.surface import ToolFacts
from toolworld.graph.values import places
from toolworld.jsonvalues import texts
from toolworld.packages import Package
from toolworld.tasks.context.links import Links, ToolSet
from toolworld.tasks.context.start import Patch


@dataclass(frozen=True)
class ShownChain:
    """Calls in order that were shown to succeed from the seed database.

    Attributes:
        before: The tools of all calls but the last one.
        tables: The tables that the calls touch.
        named: What names rows in their arguments.
        only_read: Whether they change nothing.
    """

    calls: tuple[PlannedCall, ...]
    before: ToolSet
    tables: frozenset[str]
    named: frozenset[str]
    only_read: bool


class RehearsalStage:
    """The parts of rehearsals that are the same for all tasks of a package.

    Attributes:
        shown: For each tool, calls that lead to it and succeed.
    """

    def __init__(self, package: Package, tools: Sequence[ToolFacts], links: Links) -> None:
        """Take a package, its tools in order, and its graph."""
        self._environment = package.environment()
        self._by_name = {tool.name: tool for tool in tools}
        self.shown = [
            [
                self._shown_by(links, (*sample.setup, PlannedCall(tool.name, sample.arguments)))
                for sample in links.samples[number]
            ]
            for number, tool in enumerate(tools)
        ]

    def _shown_by(self, links: Links, calls: tuple[PlannedCall, ...]) -> ShownChain:
        tools = [self._by_name[call.tool] for call in calls]
        return ShownChain(
            calls,
            links.set_of(call.tool for call in calls[:-1]),
            frozenset().union(*(tool.read_tables | tool.changed_tables for tool in tools)),
            frozenset(
                str(text)
                for tool, call in zip(tools, calls, strict=True)
                for parts, _ in tool.name_places
                for _, text in places(dict(call.arguments), parts)
            ),
            all(tool.read_only for tool in tools),
        )

    def start(self, initial: Patch) -> Any:
        """Return the package's snapshot of a patch over the seed database."""
        self._environment.reset({"id": "rehearsal", "instruction": "", "initial": initial})
        return self._environment.snapshot()

    def succeeds(self, calls: Sequence[PlannedCall], start: Any) -> bool:
        """Whether calls succeed in order from a snapshot."""
        self._environment.restore(start)
        return all(not self._environment.call(one.tool, one.arguments).is_error for one in calls)


class Rehearsal:
    """Runs tools in the world of one task."""

    def __init__(self, stage: RehearsalStage, initial: Patch) -> None:
        """Take a task's patch over the seed database."""
        self._stage, self._initial = stage, initial
        self._said = {key for rows in initial.values() for key in rows}
        self._said.update(text for rows in initial.values() for text in texts([*rows.values()]))

    def runs(self, tool: int, have: ToolSet) -> bool:
        """Whether a tool can be called from the task's start, after tools already chosen."""
        ready = [shown for shown in self._stage.shown[tool] if not shown.before & ~have]
        return any(not self._concerns(shown) for shown in ready) or any(
            self._stage.succeeds(shown.calls, self._start) for shown in ready
        )

    @cached_property
    def _start(self) -> Any:
        return self._stage.start(self._initial)

    def _concerns(self, shown: ShownChain) -> bool:
        """Whether calls have to do with rows of the task's patch.

        They have not if their tables have none, if nothing that they name is said in any, or if
        they name nothing and only look: so few of those come upon them that it is not worth it.
        """
        if shown.tables.isdisjoint(self._initial):
            return False
        return not shown.named.isdisjoint(self._said) if shown.named else not shown.only_read
