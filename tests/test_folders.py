"""A package's folder is replaced whole or not at all."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.interrupting import interruptions
from toolworld.folders import MARK, replacing


def texts_in(folder: Path) -> dict[str, str]:
    """Return all files by path, and folders with their name for a text."""
    return {
        path.relative_to(folder).as_posix(): path.read_text() if path.is_file() else path.name
        for path in folder.rglob("*")
    }


def replace(out: Path, text: str) -> None:
    with replacing(out) as made:
        (made / MARK).write_text(text)


def test_a_replaced_folder_is_taken_away(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), replacing(tmp_path / "out") as made:
        (made / "half").write_text("half")
        raise ZeroDivisionError
    assert texts_in(tmp_path) == {}


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_at_any_moment_leaves_the_old_package_or_the_new(tmp_path: Path) -> None:
    out = tmp_path / "out"
    replace(out, "old")
    old, new = ({"out": "out", f"out/{MARK}": text} for text in ("old", "new"))
    seen = []
    for _ in interruptions(lambda: replace(out, "new")):
        seen.append(texts_in(tmp_path))
        shutil.rmtree(out)
        replace(out, "old")
    assert [one for one in seen if one not in (old, new)] == []
    assert old in seen
    assert new in seen
    assert texts_in(tmp_path) == new


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_at_any_moment_leaves_no_new_parents(tmp_path: Path) -> None:
    package = tmp_path / "deep" / "deeper" / "out"
    for _ in interruptions(lambda: replace(package, "new")):
        assert package.is_dir() or not list(tmp_path.iterdir())
        shutil.rmtree(tmp_path / "deep", ignore_errors=True)
    assert (package / MARK).read_text() == "new"
