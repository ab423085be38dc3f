"""``--out`` may be a link: what it leads to is replaced, and the link stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.starter import STARTER
from toolworld import emit
from toolworld.errors import BuildError


def test_what_a_link_leads_to_is_built_and_built_again(tmp_path: Path) -> None:
    link, real = tmp_path / "link", tmp_path / "real"
    link.symlink_to("real")
    for _ in range(2):
        assert emit.build(STARTER, link).path == link
        assert link.is_symlink()
        assert (real / "server.json").is_file()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]


def test_a_link_to_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "today.txt").write_text("Mine.")
    (tmp_path / "link").symlink_to("notes")
    with pytest.raises(BuildError, match="holds no package"):
        emit.build(STARTER, tmp_path / "link")
    assert (tmp_path / "notes" / "today.txt").read_text() == "Mine."


def test_a_link_that_leads_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("other")
    (tmp_path / "other").symlink_to("one")
    with pytest.raises(BuildError, match=r"--out"):
        emit.build(STARTER, tmp_path / "one")


def test_a_path_that_is_too_long_is_refused() -> None:
    with pytest.raises(BuildError, match=r"--out folder cannot be used"):
        emit.build(STARTER, Path("a" * 5_000))
