"""How a report and a replay's progress look to people."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from toolworld.harness.report import Failure, PackageReport, Report, first_failures
from toolworld.visible import visible

MOST_SHOWN = 20
"""How many failures are shown in full; the JSON report has all of them."""


@dataclass(frozen=True)
class Progress:
    """How far a replay is.

    Attributes:
        package: The package at work.
        done: Tasks done, of all packages.
        total: Tasks to do, of all packages.
    """

    package: str
    done: int
    total: int


OnProgress = Callable[[Progress], None]


@contextmanager
def progress_bar(console: Console) -> Iterator[OnProgress]:
    """Show a progress bar while a replay runs; what it yields is the replay's ``on_progress``."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    hidden = not console.is_terminal
    with Bar(*columns, TimeElapsedColumn(), console=console, transient=True, disable=hidden) as bar:
        replaying = bar.add_task("replaying", total=None)

        def show(progress: Progress) -> None:
            bar.update(
                replaying,
                description=progress.package,
                completed=progress.done,
                total=progress.total,
            )

        yield show


def render(report: Report) -> RenderableType:
    """Return a table with a row a package, and the failures under it."""
    parts: list[RenderableType] = [_table(report)]
    shown = first_failures(report, MOST_SHOWN)
    parts += [_failure(row, failure) for row, failure in shown]
    left = report.failed - len(shown)
    if left:
        parts.append(Text(f"... and {left} more failures; --json FILE writes all of them."))
    return Group(*parts)


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
