"""A package whose tasks cannot be read: the file and line are named, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from toolworld.chained import ChainedOrder, make_tasks
from toolworld.errors import PackageLoadError
from toolworld.graph import ToolGraph
from toolworld.prove import ProofSettings, prove
from toolworld.tasks.verify import certify_package

Use = Callable[[Path], object]
USES: dict[str, Use] = {
    "tasks": lambda path: make_tasks(path, ChainedOrder(1)),
    "certify": certify_package,
    "prove": lambda path: prove(path, ProofSettings(calls=1, search=0)),
}


def file_of(path: Path) -> Path:
    (file,) = path.glob("src/*/tasks/tasks.jsonl")
    return file


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("line", ['{"id": "half', '{"id": "bare"}'], ids=["no JSON", "no task"])
def test_a_broken_line_is_named(library: Path, use: Use, line: str) -> None:
    file = file_of(library)
    text = f"{file.read_text('utf-8')}{line}\n"
    file.write_text(text, "utf-8")
    with pytest.raises(Exception, match=r"tasks\.jsonl:7: this is no task"):
        use(library)
    assert file.read_text("utf-8") == text


def test_a_missing_file_asks_for_another_build(library: Path) -> None:
    file_of(library).unlink()
    with pytest.raises(PackageLoadError, match="toolworld build"):
        certify_package(library)


def test_tasks_stay_where_no_new_ones_are_found(library: Path, library_graph: ToolGraph) -> None:
    make_tasks(library, ChainedOrder(1, "easy"), library_graph)
    before = file_of(library).read_text("utf-8")
    report = make_tasks(library, ChainedOrder(1, "hard"), replace(library_graph, edges=[]))
    assert (report.short, report.content["replaced"]) == (1, 0)
    assert report.content["advice"]
    assert file_of(library).read_text("utf-8") == before
