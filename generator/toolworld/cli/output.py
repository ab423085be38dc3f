"""What commands print: results to stdout, everything else to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from toolworld.console import VisibleConsole

out = VisibleConsole(soft_wrap=True, highlight=False)
err = VisibleConsole(stderr=True, soft_wrap=True, highlight=False)

FAILED = 1


class WritableReport(Protocol):
    """A report that can be written to a file; printing it shows it."""

    def write(self, path: Path) -> None:
        """Write it as JSON."""


def finish(report: WritableReport, file: Path | None, failed: bool) -> None:
    """Print a report, write it where that is wanted, and exit if what it is about failed."""
    out.print(report)
    if file is not None:
        report.write(file)
    if failed:
        raise typer.Exit(FAILED)


@contextmanager
def telling() -> Iterator[Callable[[str], None]]:
    """Show what is being done, and for how long; a line each where nobody watches."""
    if not err.is_terminal:
        yield lambda text: err.print(text, markup=False)
        return
    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task("Drafting ...")
        yield lambda text: progress.update(task, description=text)


def print_json(value: object) -> None:
    """Print a value as JSON."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def print_rows(rows: list[dict[str, Any]]) -> None:
    """Print rows as a table."""
    table = Table(*rows[0] if rows else ("name",), box=None)
    for row in rows:
        table.add_row(*(Text(str(value)) for value in row.values()))
    out.print(table)
