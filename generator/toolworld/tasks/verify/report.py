"""What certifying a package's tasks again came to: the data, its JSON form, and a table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from toolworld.artifacts import write_report
from toolworld.jsonvalues import JsonObject
from toolworld.tasks.verify.flaw import Flaw


@dataclass(frozen=True)
class RecheckedTask:
    """One task of the report.

    Attributes:
        flaws: What is wrong with it.
        certificate: What was run; None if anything is wrong.
        compared: Whether the task carries a certificate, with which this one was compared.
    """

    task: str
    flaws: tuple[Flaw, ...]
    certificate: JsonObject | None
    compared: bool

    @property
    def passed(self) -> bool:
        """Whether the task is certified."""
        return not self.flaws

    def as_json(self) -> dict[str, Any]:
        """Return the task as JSON values."""
        if self.passed:
            return {"task": self.task, "passed": True, "certificate": self.certificate}
        return {"task": self.task, "passed": False, "flaws": [one.as_json() for one in self.flaws]}


@dataclass(frozen=True)
class CertifyReport:
    """All tasks of a package, certified again. Printing it with rich shows a table."""

    package: str
    tasks: tuple[RecheckedTask, ...]
    calls: int
    seconds: float

    @property
    def failed(self) -> int:
        """How many tasks fail."""
        return sum(not task.passed for task in self.tasks)

    def flaws(self) -> dict[str, int]:
        """Return how often each flaw was found, the most frequent first."""
        return dict(Counter(flaw.code for task in self.tasks for flaw in task.flaws).most_common())

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        return {
            "package": self.package,
            "tasks": len(self.tasks),
            "passed": len(self.tasks) - self.failed,
            "failed": self.failed,
            "compared": sum(task.compared for task in self.tasks),
            "flaws": self.flaws(),
            "calls": self.calls,
            "seconds": round(self.seconds, 3),
            "by_task": [task.as_json() for task in self.tasks],
        }

    def write(self, path: Path) -> None:
        """Write the report as JSON.

        Raises:
            ToolworldError: The file cannot be written.
        """
        write_report(path, self.as_json())

    def __rich__(self) -> RenderableType:
        """Show the report as people read it."""
        failing = [task for task in self.tasks if not task.passed]
        return Group(self._totals(), *(part for task in failing for part in _shown(task)))

    def _totals(self) -> Table:
        table = Table("package", "tasks", "certified", "failed", "calls", "s", box=None)
        table.add_row(
            self.package,
            str(len(self.tasks)),
            str(len(self.tasks) - self.failed),
            str(self.failed),
            str(self.calls),
            f"{self.seconds:.1f}",
        )
        return table


def _shown(task: RecheckedTask) -> list[Text]:
    lines = [Text(f"\n{task.task}", "bold")]
    for flaw in task.flaws:
        lines.append(Text.assemble("  ", (flaw.code, "red"), f": {flaw.message}"))
        lines.append(Text(f"  {flaw.mend}", "dim"))
    return lines
