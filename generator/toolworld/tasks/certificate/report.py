"""What certifying a package's tasks again came to: the data, its JSON form, and a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from toolworld.artifacts import write_report
from toolworld.tasks.certificate.reasons import Reason

Json = Any


@dataclass(frozen=True)
class Row:
    """One task of the report.

    Attributes:
        certificate: What was found; None if the task fails.
        reason: Why it fails.
        detail: Which step or text it is, and what was run.
        mend: What could be left out of gold, if that mends it.
        compared: Whether the task carried a certificate, which is still the same.
    """

    task: str
    certificate: Mapping[str, Json] | None
    reason: Reason | None = None
    detail: str = ""
    mend: str = ""
    compared: bool = False

    @property
    def passed(self) -> bool:
        """Whether the task is certified."""
        return self.certificate is not None

    @property
    def advice(self) -> str:
        """What to do about a task that fails."""
        return self.reason.advice if self.reason is not None else ""

    def as_json(self) -> dict[str, Json]:
        """Return the row as JSON values."""
        if self.certificate is not None:
            return {"task": self.task, "passed": True, "certificate": self.certificate}
        return {
            "task": self.task,
            "passed": False,
            "reason": self.reason,
            "detail": self.detail,
            "advice": self.advice,
        }


@dataclass(frozen=True)
class CertifyReport:
    """All tasks of a package, certified again. Printing it with rich shows a table."""

    package: str
    rows: tuple[Row, ...]
    sequences: int
    calls: int
    transports: tuple[str, ...]
    seconds: float

    @property
    def failed(self) -> int:
        """How many tasks fail."""
        return sum(not row.passed for row in self.rows)

    def reasons(self) -> dict[str, int]:
        """Return how many tasks fail for each reason, the most frequent first."""
        counts = Counter(str(row.reason) for row in self.rows if not row.passed)
        return dict(counts.most_common())

    def as_json(self) -> dict[str, Json]:
        """Return the report as JSON values."""
        return {
            "package": self.package,
            "tasks": len(self.rows),
            "passed": len(self.rows) - self.failed,
            "failed": self.failed,
            "compared": sum(row.compared for row in self.rows),
            "reasons": self.reasons(),
            "sequences": self.sequences,
            "calls": self.calls,
            "transports": list(self.transports),
            "seconds": round(self.seconds, 3),
            "by_task": [row.as_json() for row in self.rows],
        }

    def write(self, path: Path) -> None:
        """Write the report as JSON.

        Raises:
            ToolworldError: The file cannot be written.
        """
        write_report(path, self.as_json())

    def __rich__(self) -> RenderableType:
        """Show the report as people read it."""
        failing = [row for row in self.rows if not row.passed]
        return Group(self._totals(), *(part for row in failing for part in _shown(row)))

    def _totals(self) -> Table:
        table = Table(
            "package", "tasks", "certified", "failed", "sequences", "calls", "s", box=None
        )
        table.add_row(
            self.package,
            str(len(self.rows)),
            str(len(self.rows) - self.failed),
            str(self.failed),
            str(self.sequences),
            str(self.calls),
            f"{self.seconds:.1f}",
        )
        return table


def _shown(row: Row) -> tuple[Text, Text, Text]:
    return (
        Text.assemble("\n", (row.task, "bold"), ": ", (str(row.reason), "red")),
        Text(f"  {row.detail}"),
        Text(f"  {row.advice}", style="dim"),
    )
