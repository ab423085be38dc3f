"""Measurements as rows, which are judged, printed and written."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rich.table import Table

Unit = Literal[
    "seconds", "bytes", "episodes", "tasks", "edges", "tools", "branches", "rejections", "mutants"
]


@dataclass(frozen=True)
class BenchRow:
    """One measurement; its bar is met when the ratio is at most the bar.

    Attributes:
        name: What was measured.
        ours: Our figure.
        baseline: The figure that ours is compared with.
        bar: The highest ratio allowed; 1/10,000 asks for 10,000 times as fast.
        note: What else there is to know.
        unit: The unit of both figures.
    """

    name: str
    ours: float
    baseline: float
    bar: float
    note: str = ""
    unit: Unit = "seconds"

    @property
    def ratio(self) -> float:
        """Ours divided by the baseline: the lower, the better."""
        return self.ours / self.baseline

    @property
    def met(self) -> bool:
        """Whether the bar is met."""
        return self.ratio <= self.bar

    def as_json(self) -> dict[str, str | float]:
        """Return the row as it is written."""
        return {
            "name": self.name,
            "ours": self.ours,
            "baseline": self.baseline,
            "ratio": self.ratio,
            "bar": self.bar,
            "note": self.note,
        }


def write_rows(path: Path, rows: Sequence[BenchRow]) -> None:
    """Write rows as a JSON list."""
    content = [row.as_json() for row in rows]
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def as_table(rows: Sequence[BenchRow]) -> Table:
    """Return rows as a table for people."""
    table = Table(
        title=f"Ours against the baseline, Python {platform.python_version()}",
        caption="ratio = ours / baseline",
    )
    table.add_column("measured")
    for heading in ("ours", "baseline", "ratio", "bar"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("")
    table.add_column("note", style="dim")
    for row in rows:
        verdict = "[green]met[/]" if row.met else "[bold red]missed[/]"
        amounts = (_amount(row.ours, row.unit), _amount(row.baseline, row.unit))
        table.add_row(
            row.name, *amounts, _times(row.ratio), f"at most {_times(row.bar)}", verdict, row.note
        )
    return table


def _amount(value: float, unit: Unit) -> str:
    if unit != "seconds":
        return f"{value:,.0f} {unit}"
    for factor, name in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if value * factor >= 1:
            return f"{value * factor:.3g} {name}"
    return f"{value * 1e9:.3g} ns"


def _times(ratio: float) -> str:
    if 0 < ratio < 0.1:
        return f"1/{1 / ratio:,.0f}"
    return f"{ratio:.2f}"
