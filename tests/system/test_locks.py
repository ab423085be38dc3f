"""A folder is held by one process, and by none that is gone."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import TextIO

import pytest

from toolworld.errors import ToolworldError
from toolworld.system import locks
from toolworld.system.locks import LOCK, holding

HOLD = """
import sys, time
from pathlib import Path
from toolworld.system import locks
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


def test_a_lock_that_is_let_go_while_it_is_looked_at_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, waiting = locks._lock, [tmp_path / LOCK]

    def late(file: TextIO) -> bool:
        # Its holder has removed it since it was opened.
        while waiting:
            waiting.pop().unlink()
        return lock(file)

    monkeypatch.setattr(locks, "_lock", late)
    with holding(tmp_path):
        assert f"process {os.getpid()}" in (tmp_path / LOCK).read_text("utf-8")


def test_a_file_system_without_locks_is_used_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unable(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", unable)
    with holding(tmp_path):
        assert (tmp_path / LOCK).exists()
    assert list(tmp_path.iterdir()) == []
