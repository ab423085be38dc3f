"""A folder is held by one process, and by none that is gone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from toolworld.errors import ToolworldError
from toolworld.system.locks import LOCK, holding

HOLD = """
import sys, time
from pathlib import Path
from toolworld.system.locks import holding
with holding(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


def test_a_second_process_is_refused_with_who_holds_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(ToolworldError, match=f"in use by process {holder.pid} since "):
            with holding(tmp_path):
                pass
        holder.kill()
        holder.wait()
        with holding(tmp_path):
            assert f"process {os.getpid()}" in (tmp_path / LOCK).read_text("utf-8")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_made_for_the_lock_is_gone_afterwards_if_it_is_empty(tmp_path: Path) -> None:
    for name in ("empty", "used"):
        with holding(tmp_path / name):
            if name == "used":
                (tmp_path / name / "file").touch()
    assert [path.name for path in tmp_path.iterdir()] == ["used"]


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ToolworldError, match="cannot be used"), holding(tmp_path / "file" / "x"):
        pass
