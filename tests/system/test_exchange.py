"""Folders change places at once, or it is said that the system cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolworld.system.exchange import exchange


def test_two_folders_change_places(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    changed = exchange(tmp_path / "one", tmp_path / "other")
    assert (tmp_path / "one" / "other").exists() == changed


def test_what_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        exchange(tmp_path / "one", tmp_path / "other")
