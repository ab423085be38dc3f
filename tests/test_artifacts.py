"""Files are written whole or not at all."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.interrupting import interruptions
from toolworld.artifacts import write_report, write_whole
from toolworld.errors import ToolworldError


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_whole(path, "old")
    write_report(path, {"tools": 3, "name": "café"})
    assert path.read_text("utf-8") == '{\n  "tools": 3,\n  "name": "café"\n}\n'
    assert [one.name for one in tmp_path.iterdir()] == ["report.json"]


def test_what_cannot_be_encoded_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "\ud800")
    assert path.read_text("utf-8") == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["report.json"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_at_any_moment_leaves_the_old_file_or_the_new(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_whole(path, "old")
    for _ in interruptions(lambda: write_whole(path, "new")):
        assert [one.name for one in tmp_path.iterdir()] == ["report.json"]
        assert path.read_text("utf-8") in {"old", "new"}
        path.write_text("old", "utf-8")
    assert path.read_text("utf-8") == "new"


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ToolworldError, match="cannot be written to .*none/report.json"):
        write_report(tmp_path / "none" / "report.json", {})


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old", "utf-8")
    link = tmp_path / "link.json"
    link.symlink_to("real.json")
    write_whole(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "real.json").read_text("utf-8") == "new"


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_text, "utf-8")
        write_whole(pipe, "shown")
        assert read.result(10) == "shown"
