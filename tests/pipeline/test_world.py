"""A world's folder: its steps taken one by one, each noted in the report."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolworld.errors import ToolworldError
from toolworld.pipeline.report import DraftReport
from toolworld.pipeline.world import World

PROOF = {
    "branches": 4, "branches_covered": 3, "rejections": 2, "rejections_reached": 2,
    "mutants": 9, "killed": 8, "failures": [], "doubts": [], "uncovered": [], "by_tool": [{}],
}  # fmt: skip


def test_steps_are_noted_as_they_are_taken(library_spec: Path, tmp_path: Path) -> None:
    world = World(tmp_path / "library")
    built = world.build(library_spec)
    assert world.report().lines() == []
    replayed = World(tmp_path / "library").replay("inproc")
    assert replayed.tasks == built.tasks > 0
    assert world.report().lines() == [
        ("replay", f"{built.tasks} of {built.tasks} passed over inproc")
    ]
    assert not world.report().failed
    assert "<h1>library</h1>" in (tmp_path / "library" / "report.html").read_text("utf-8")


def test_what_hung_on_an_older_build_is_gone_after_a_new_one() -> None:
    proven = DraftReport({"domain": "library", "seconds": {}}).noted("prove", 1.5, proof=PROOF)
    assert proven.lines()[0] == ("branches", "3 of 4 reached")
    assert proven.content["seconds"] == {"prove": 1.5}
    assert "by_tool" not in proven.content["proof"]
    assert proven.noted("build", 0.5, domain="library").lines() == []


def test_a_world_without_a_report_says_so(tmp_path: Path) -> None:
    with pytest.raises(ToolworldError, match="cannot be read as a report"):
        World(tmp_path).report()


def test_a_broken_report_is_not_built_upon(library_spec: Path, tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text("[]")
    with pytest.raises(ToolworldError, match="is no report; take it away"):
        World(tmp_path).build(library_spec)
