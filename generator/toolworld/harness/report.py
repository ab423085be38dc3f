"""What a replay found: as data, as JSON in a file, and as people read it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from toolworld.artifacts import write_report
from toolworld.visible import visible

MOST_SHOWN = 20
"""How many failures are shown in full; the JSON report has all of them."""


@dataclass(frozen=True)
class Failure:
    """One task that failed, and the first thing that went wrong with it.

    Attributes:
        task: The task's id; empty when the package as a whole failed.
        reason: What is wrong, in one sentence.
        step: The first call that differs, counted from 0; None when no single call is to blame.
        detail: What was expected, what happened, and the difference in state, on several lines.
    """

    task: str
    reason: str
    step: int | None = None
    detail: str = ""


@dataclass(frozen=True)
class PackageReport:
    """What a replay found in one package, or in one file of calls.

    Attributes:
        calls: The tool calls made over the transport that was asked for.
        failures: One for each task that failed, or a single one for the package as a whole.
    """

    name: str
    path: str
    tasks: int
    calls: int
    seconds: float
    failures: tuple[Failure, ...] = ()

    @property
    def failed(self) -> int:
        """How many tasks failed; 1 for a package that failed as a whole."""
        return len(self.failures)

    @property
    def passed(self) -> int:
        """How many tasks passed."""
        return self.tasks - sum(1 for failure in self.failures if failure.task)

    def as_json(self) -> dict[str, Any]:
        """Return the row as JSON values."""
        return {
            "name": self.name,
            "path": self.path,
            "tasks": self.tasks,
            "passed": self.passed,
            "failed": self.failed,
            "calls": self.calls,
            "seconds": round(self.seconds, 3),
            "failures": [asdict(failure) for failure in self.failures],
        }


@dataclass(frozen=True)
class Report:
    """What a replay found. Printing it with rich shows a table.

    Attributes:
        transport: How the servers were reached.
        by_package: One row a package, in the order they were given.
        of: What was replayed: tasks of packages, or a file of calls, each counted like a task.
    """

    transport: str
    by_package: tuple[PackageReport, ...]
    seconds: float
    of: Literal["tasks", "calls"] = "tasks"

    @property
    def tasks(self) -> int:
        """How many tasks were replayed."""
        return sum(row.tasks for row in self.by_package)

    @property
    def passed(self) -> int:
        """How many tasks passed."""
        return sum(row.passed for row in self.by_package)

    @property
    def failed(self) -> int:
        """How many tasks failed, counting 1 for a package that failed as a whole."""
        return sum(row.failed for row in self.by_package)

    @property
    def calls(self) -> int:
        """How many tool calls were made over the transport."""
        return sum(row.calls for row in self.by_package)

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        return {
            "packages": len(self.by_package),
            "tasks": self.tasks,
            "passed": self.passed,
            "failed": self.failed,
            "calls": self.calls,
            "seconds": round(self.seconds, 3),
            "transport": self.transport,
            "of": self.of,
            "by_package": [row.as_json() for row in self.by_package],
        }

    def write(self, path: Path) -> None:
        """Write the report as JSON; the file is the old one or the new one, never half of it.

        Raises:
            ToolworldError: The file cannot be written.
        """
        write_report(path, self.as_json())

    def __rich__(self) -> RenderableType:
        """Show the report as people read it."""
        parts: list[RenderableType] = [_table(self)]
        shown = first_failures(self, MOST_SHOWN)
        parts += [_failure(row, failure) for row, failure in shown]
        left = self.failed - len(shown)
        if left:
            parts.append(Text(f"... and {left} more failures; --json FILE writes all of them."))
        return Group(*parts)


def package_failed(name: str, path: str, failure: Failure, tasks: int = 0) -> PackageReport:
    """Return the row of a package that could not be replayed at all."""
    return PackageReport(name, path, tasks, calls=0, seconds=0.0, failures=(failure,))


def first_failures(report: Report, limit: int) -> Sequence[tuple[PackageReport, Failure]]:
    """Return the first failures of a report, each with its package."""
    pairs = [(row, failure) for row in report.by_package for failure in row.failures]
    return pairs[:limit]


def _table(report: Report) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("package" if report.of == "tasks" else "server", overflow="fold")
    last = "calls" if report.of == "tasks" else "made"
    for heading in (report.of, "passed", "failed", last, "seconds"):
        table.add_column(heading, justify="right")
    for row in report.by_package:
        numbers = (row.tasks, row.passed, row.failed, row.calls)
        style = "red" if row.failed else None
        table.add_row(
            Text(visible(row.name)), *map(str, numbers), f"{row.seconds:.2f}", style=style
        )
    if len(report.by_package) > 1:
        numbers = (report.tasks, report.passed, report.failed, report.calls)
        table.add_section()
        table.add_row("all", *map(str, numbers), f"{report.seconds:.2f}", style="bold")
    return table


def _failure(row: PackageReport, failure: Failure) -> RenderableType:
    where = " ".join(part for part in (row.name, failure.task) if part)
    if failure.step is not None:
        where += f", step {failure.step}"
    headline = Text.assemble((f"\nFAILED {visible(where)}: ", "red bold"), visible(failure.reason))
    if not failure.detail:
        return headline
    return Group(headline, Text(textwrap.indent(visible(failure.detail), "    ")))
