"""The progress of a replay, and the bar that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar


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
    """Show a progress bar while a replay runs; yields the callback for ``on_progress``."""
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
