"""Making tasks: as many as asked for, each sound, the same each time, in the package's file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.chained.conftest import Json, tasks_in
from toolworld.chained import ChainedOrder, ChainedReport, make_tasks
from toolworld.errors import PackageLoadError, ToolworldError
from toolworld.graph import ToolGraph
from toolworld.packages import Package
from toolworld.tasks.verify import certify_package

Made = tuple[ChainedReport, Package]


def made_tasks(made: Made) -> list[Json]:
    return [task for task in made[1].tasks() if task["id"].startswith("made-")]


def test_as_many_tasks_as_asked_for_are_made(made: Made) -> None:
    report = made[0].content
    assert (report["asked"], report["delivered"], made[0].short) == (18, 18, 0)
    assert set(report["levels"]) == {"easy", "medium", "hard"}
    assert min(report["levels"].values()) > 0
    levels = Counter(task["difficulty"]["level"] for task in made_tasks(made))
    assert levels == report["levels"]


def test_tasks_written_by_hand_stay_first(made: Made, library_package: Path) -> None:
    by_hand = tasks_in(library_package)
    assert tasks_in(made[1].path)[: len(by_hand)] == by_hand


def test_every_made_task_passes_its_certificate_again(made: Made) -> None:
    report = certify_package(made[1].path)
    again = [one for one in report.tasks if one.task.startswith("made-")]
    assert len(again) == 18
    assert all(one.passed and one.compared for one in again)


def test_instructions_name_no_tool_and_are_all_different(made: Made) -> None:
    tasks = made_tasks(made)
    tools = [tool["name"] for tool in made[1].environment().tools]
    assert not [task for task in tasks for name in tools if name in task["instruction"]]
    assert len({task["instruction"] for task in tasks}) == len(tasks)


def test_no_sequence_of_tools_is_had_too_often(made: Made) -> None:
    shapes = Counter(tuple(step["tool"] for step in task["gold"]) for task in made_tasks(made))
    assert max(shapes.values()) <= 2


def test_the_figures_of_the_report_are_those_of_the_tasks(
    made: Made, library_graph: ToolGraph
) -> None:
    report, tasks = made[0].content, made_tasks(made)
    used = {step["tool"] for task in tasks for step in task["gold"]}
    assert report["tools_used"] == len(used)
    assert set(report["unused_tools"]) == set(library_graph.tools) - used
    assert 0 < report["edges_used"] <= report["edges"] == len(library_graph.edges)
    assert report["attempts"] == report["delivered"] + sum(report["dropped"].values())


def test_a_second_run_gives_the_same_tasks(library: Path, library_graph: ToolGraph) -> None:
    make_tasks(library, ChainedOrder(4, "easy", seed=3), library_graph)
    once = tasks_in(library)
    make_tasks(library, ChainedOrder(4, "easy", seed=3), library_graph)
    assert tasks_in(library) == once


def test_another_seed_gives_other_tasks(library: Path, library_graph: ToolGraph) -> None:
    make_tasks(library, ChainedOrder(3, "easy", seed=1), library_graph)
    one = tasks_in(library)
    make_tasks(library, ChainedOrder(3, "easy", seed=2), library_graph)
    assert tasks_in(library) != one
    assert len(tasks_in(library)) == len(one)


@pytest.mark.parametrize("difficulty", ["easy", "medium"])
def test_only_the_difficulty_asked_for_is_made(
    library: Path, library_graph: ToolGraph, difficulty: str
) -> None:
    report = make_tasks(library, ChainedOrder(2, difficulty), library_graph)
    assert report.content["levels"] == {difficulty: 2}
    made = [task for task in tasks_in(library) if task["id"].startswith("made-")]
    assert [task["difficulty"]["level"] for task in made] == [difficulty] * 2


def test_what_cannot_be_had_is_said_with_what_to_do(
    library: Path, library_graph: ToolGraph
) -> None:
    report = make_tasks(library, ChainedOrder(1, "hard"), library_graph)
    assert report.short == 1
    assert "1 hard are missing" in report.content["advice"][0]
    assert report.content["replaced"] == 0


def test_a_folder_that_is_no_package_is_named(tmp_path: Path) -> None:
    with pytest.raises(PackageLoadError, match="toolworld build"):
        make_tasks(tmp_path, ChainedOrder(1))


def test_a_file_that_cannot_be_rewritten_is_as_it_was(
    library: Path, library_graph: ToolGraph
) -> None:
    (file,) = library.glob("src/*/tasks/tasks.jsonl")
    broken = file.read_text("utf-8").replace("}\n", "\n", 1)
    file.write_text(broken, "utf-8")
    with pytest.raises(ToolworldError, match=r"tasks\.jsonl"):
        make_tasks(library, ChainedOrder(1, "easy"), library_graph)
    assert file.read_text("utf-8") == broken
