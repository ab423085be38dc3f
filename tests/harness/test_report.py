"""A report: its JSON, its file, and how it looks to people."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from toolworld import ToolworldError
from toolworld.harness import Failure, PackageReport, Progress, Report, progress_bar

LATE = Failure("renew", "renew_loan: ok was expected.", 2, "call: renew_loan {}\ngot: [bold]no")
REPORT = Report(
    "stdio",
    (
        PackageReport("library", "packages/library", 6, 40, 1.23456, (LATE,)),
        PackageReport("hotel", "packages/hotel", 0, 0, 0.0, (Failure("", "It is broken."),)),
    ),
    seconds=1.5,
)


def test_the_json_of_a_report() -> None:
    rows = REPORT.as_json().pop("by_package")
    totals = {name: value for name, value in REPORT.as_json().items() if name != "by_package"}
    assert totals == {
        "packages": 2,
        "tasks": 6,
        "passed": 5,
        "failed": 2,
        "calls": 40,
        "seconds": 1.5,
        "transport": "stdio",
        "of": "tasks",
    }
    assert rows[0] == {
        "name": "library",
        "path": "packages/library",
        "tasks": 6,
        "passed": 5,
        "failed": 1,
        "calls": 40,
        "seconds": 1.235,
        "failures": [
            {"task": "renew", "reason": LATE.reason, "step": 2, "detail": LATE.detail},
        ],
    }


def test_a_written_report_replaces_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text("old")
    REPORT.write(path)
    assert json.loads(path.read_text()) == REPORT.as_json()
    assert list(tmp_path.iterdir()) == [path]


def test_a_report_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ToolworldError, match="cannot be written"):
        REPORT.write(tmp_path / "no" / "such" / "folder.json")
    taken = tmp_path / "taken"
    taken.mkdir()
    with pytest.raises(ToolworldError, match="cannot be written"):
        REPORT.write(taken)
    assert list(tmp_path.iterdir()) == [taken]


def shown(report: Report) -> str:
    file = StringIO()
    Console(file=file, width=100).print(report)
    return file.getvalue()


def test_people_see_a_table_and_the_failures() -> None:
    text = shown(REPORT)
    lines = [line.split() for line in text.splitlines()]
    assert ["package", "tasks", "passed", "failed", "calls", "seconds"] in lines
    assert ["library", "6", "5", "1", "40", "1.23"] in lines
    assert ["all", "6", "5", "2", "40", "1.50"] in lines
    assert "FAILED library renew, step 2: renew_loan: ok was expected." in text
    assert "    got: [bold]no" in text
    assert "FAILED hotel: It is broken." in text


def test_a_long_list_of_failures_is_cut() -> None:
    failures = tuple(Failure(f"task_{number}", "It failed.") for number in range(25))
    text = shown(Report("inproc", (PackageReport("big", "big", 25, 0, 0.0, failures),), 0.0))
    assert "task_19" in text
    assert "task_20" not in text
    assert "... and 5 more failures" in text


def test_the_progress_bar_takes_progress() -> None:
    with progress_bar(Console(quiet=True)) as on_progress:
        on_progress(Progress("library", 1, 6))
