"""A package whose tasks cannot be read: the file and line are named, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from toolworld.errors import PackageLoadError, ToolworldError
from toolworld.graph import ToolGraph
from toolworld.prove import Settings, prove
from toolworld.tasks import Order, make_tasks
from toolworld.tasks.certificate import Reason, certify_package

Use = Callable[[Path], object]
USES: dict[str, Use] = {
    "tasks": lambda path: make_tasks(path, Order(1)),
    "certify": lambda path: certify_package(path, ["inproc"]),
    "prove": lambda path: prove(path, Settings(calls=1, search=0)),
}


def file_of(path: Path) -> Path:
    (file,) = path.glob("src/*/data/tasks.jsonl")
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
        certify_package(library, ["inproc"])


def test_tasks_stay_where_no_new_ones_are_found(library: Path, library_graph: ToolGraph) -> None:
    make_tasks(library, Order(1, "easy"), library_graph)
    before = file_of(library).read_text("utf-8")
    report = make_tasks(library, Order(1, "hard"), replace(library_graph, edges=[]))
    assert (report.short, report.content["replaced"]) == (1, 0)
    assert report.content["advice"]
    assert file_of(library).read_text("utf-8") == before


def test_a_server_that_says_something_else_ends_the_work(
    library: Path, library_graph: ToolGraph
) -> None:
    server = library / "src" / "toolworld_library" / "server.py"
    text = server.read_text("utf-8")
    assert text.count("text_result(result.text,") == 1
    server.write_text(
        text.replace("text_result(result.text,", 'text_result(result.text + " ",'), "utf-8"
    )
    report = make_tasks(library, Order(2, "easy"), library_graph)
    assert report.content["delivered"] == 0
    assert report.content["dropped"][Reason.TIERS] >= 2


def test_a_worker_that_is_killed_ends_the_work_with_what_to_do(
    library: Path, library_graph: ToolGraph
) -> None:
    environment = library / "src" / "toolworld_library" / "environment.py"
    killing = (
        "import multiprocessing, os, signal\n"
        "if multiprocessing.parent_process(): os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    text = environment.read_text("utf-8")
    opening = "        function = self._tools.get(name)\n"
    indented = "".join(f"        {line}\n" for line in killing.splitlines())
    environment.write_text(text.replace(opening, indented + opening, 1), "utf-8")
    before = file_of(library).read_text("utf-8")
    with pytest.raises(ToolworldError, match="--workers 1"):
        make_tasks(library, Order(1, "easy", workers=2), library_graph)
    assert file_of(library).read_text("utf-8") == before
