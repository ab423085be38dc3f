"""What a killed process left goes, and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from toolworld.system.makers import Maker
from toolworld.system.temporary import OLD, is_left, remove_own, sweep, temporary_beside

LEAVE = """
import os, signal, sys
from pathlib import Path
from toolworld.system.temporary import temporary_beside
folder = temporary_beside(Path(sys.argv[1]))
(folder / "old").mkdir(parents=True)
print(folder, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """A temporary folder of a package, whose maker was killed."""
    command = [sys.executable, "-c", LEAVE, str(tmp_path / "package")]
    ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == -signal.SIGKILL
    return Path(ended.stdout.strip())


def test_what_a_killed_process_left_is_swept(left: Path) -> None:
    (left.parent / "package").mkdir()
    assert is_left(left)
    sweep(left.parent)
    assert [path.name for path in left.parent.iterdir()] == ["package"]


def test_what_it_moved_out_of_the_way_goes_back(left: Path) -> None:
    (left / OLD / "kept").touch()
    sweep(left.parent)
    assert [path.name for path in left.parent.iterdir()] == ["package"]
    assert (left.parent / "package" / "kept").is_file()


def test_what_a_process_that_runs_makes_stays(tmp_path: Path) -> None:
    mine = temporary_beside(tmp_path / "package")
    mine.touch()
    sweep(tmp_path)
    assert mine.exists()


@pytest.mark.parametrize(
    "name",
    [
        "package",
        ".package.0123456789abcdef",
        ".package.toolworld-x-1-1-0123456789abcdef",
        "package.toolworld-01234567-1-1-0123456789abcdef",
        ".package.toolworld-01234567-1-1-0123456789abcdeg",
        ".toolworld-01234567-1-1-0123456789abcdef",
    ],
)
def test_what_has_another_name_stays(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    sweep(tmp_path)
    assert (tmp_path / name).is_dir()


def test_what_is_of_another_machine_goes_when_it_is_old(tmp_path: Path) -> None:
    there = tmp_path / ".package.toolworld-01234567-1-1-0123456789abcdef"
    there.touch()
    sweep(tmp_path)
    assert there.exists()
    two_days_ago = time.time() - 2 * 86_400
    os.utime(there, (two_days_ago, two_days_ago))
    sweep(tmp_path)
    assert not there.exists()


def test_a_link_is_removed_and_not_what_it_leads_to(tmp_path: Path) -> None:
    gone = Maker.here()
    name = f".package.toolworld-{Maker(gone.machine, gone.pid, gone.started + 1)}-{'0' * 16}"
    (tmp_path / "mine").mkdir()
    (tmp_path / name).symlink_to(tmp_path / "mine")
    sweep(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_one_that_cannot_be_put_back_keeps_no_other_one(left: Path) -> None:
    (left / OLD / "kept").touch()
    second = left.with_name(left.name[:-16] + "f" * 16)
    (second / OLD).mkdir(parents=True)
    (second / OLD / "kept").touch()
    sweep(left.parent)
    assert [path.name for path in left.parent.iterdir()] == ["package"]


def test_what_a_process_that_ends_has_not_removed_goes(tmp_path: Path) -> None:
    mine = temporary_beside(tmp_path / "package")
    mine.mkdir()
    (tmp_path / "other").mkdir()
    remove_own()
    assert [path.name for path in tmp_path.iterdir()] == ["other"]
