"""A tool graph that was found is kept until the package changes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from toolworld.graph import ToolGraph, kept_graph, to_json


@pytest.fixture
def package(golden_package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Path(shutil.copytree(golden_package, tmp_path / "package"))


@pytest.fixture
def found(package: Path, graph: ToolGraph) -> Callable[[], bool]:
    """Return whether a graph was looked for, rather than kept."""

    def look() -> bool:
        said: list[str] = []
        assert to_json(kept_graph(package, said.append)) == to_json(graph)
        return bool(said)

    return look


def test_a_graph_is_found_once(package: Path, found: Callable[[], bool]) -> None:
    assert found()
    assert not found()
    (module,) = package.glob("src/*")
    with (module / "tasks" / "tasks.jsonl").open("a") as tasks:
        tasks.write("\n")
    assert not found()


def test_a_changed_package_is_tried_anew(package: Path, found: Callable[[], bool]) -> None:
    assert found()
    (module,) = package.glob("src/*")
    with (module / "tools.py").open("a") as code:
        code.write("\n# changed\n")
    assert found()


def test_what_is_kept_and_broken_is_found_again(tmp_path: Path, found: Callable[[], bool]) -> None:
    assert found()
    (kept,) = tmp_path.glob("cache/**/*.json")
    kept.write_text(kept.read_text()[:-9])
    assert found()
    assert not found()


def test_where_nothing_can_be_kept_a_graph_is_found_all_the_same(
    tmp_path: Path, found: Callable[[], bool]
) -> None:
    (tmp_path / "cache").write_text("in the way")
    assert found()
    assert found()
