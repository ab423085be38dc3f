"""Making tasks of a package's scenarios: the same each time, with twins, certified."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tests.tasks.scenarios.conftest import copied as copied
from tests.tasks.scenarios.conftest import faulty as faulty
from tests.tasks.scenarios.conftest import starter_graph as starter_graph
from tests.tasks.scenarios.faulty import HANGING_CODE, faulty_words
from toolworld import emit
from toolworld.cli import app
from toolworld.errors import PackageLoadError
from toolworld.graph import ToolGraph
from toolworld.packages import Package, load_package
from toolworld.tasks import TaskOrder, make_tasks, run
from toolworld.tasks.verify import certify_package

COUNT = 16
Copy = Callable[..., Path]


def text_of(path: Path) -> str:
    return (path / "src" / "toolworld_starter" / "tasks" / "tasks.jsonl").read_text("utf-8")


def made_in(path: Path) -> list[dict[str, Any]]:
    """Return the tasks that are made from scenarios."""
    return [task for task in map(json.loads, text_of(path).splitlines()) if task.get("scenario")]


@pytest.fixture(scope="module")
def made(
    tmp_path_factory: pytest.TempPathFactory, starter: Package, starter_graph: ToolGraph
) -> Path:
    """A package with made tasks; nothing may be written into it."""
    path = Path(shutil.copytree(starter.path, tmp_path_factory.mktemp("made") / "starter"))
    report = make_tasks(path, TaskOrder(COUNT), starter_graph)
    assert not report.short
    assert not report.faulty
    return path


def test_as_many_are_made_as_were_asked_for_scenario_by_scenario(made: Path) -> None:
    ids = [task["id"] for task in made_in(made)]
    assert ids == [
        f"{name}-{number:03d}" for name in ("rent_one", "bring_back") for number in range(1, 9)
    ]


def test_workers_and_runs_make_the_same_bytes(
    made: Path, copied: Copy, starter_graph: ToolGraph
) -> None:
    other = copied("other")
    make_tasks(other, TaskOrder(COUNT, workers=2), starter_graph)
    assert text_of(other) == text_of(made)
    report = make_tasks(other, TaskOrder(COUNT), starter_graph)
    assert text_of(other) == text_of(made)
    assert report.content["replaced"] == COUNT


def test_another_seed_makes_other_tasks(made: Path, copied: Copy, starter_graph: ToolGraph) -> None:
    other = copied("other")
    make_tasks(other, TaskOrder(COUNT, seed=1), starter_graph)
    first, second = ({task["instruction"] for task in made_in(path)} for path in (made, other))
    assert first != second


def test_tasks_written_by_hand_stay_first(made: Path, starter: Package) -> None:
    assert text_of(made).startswith(text_of(starter.path))


def test_twins_point_at_each_other_and_differ_in_what_is_right(made: Path) -> None:
    tasks = {task["id"]: task for task in made_in(made)}
    twins = [task for task in tasks.values() if task["twin"]]
    assert len(twins) >= 4
    for task in twins:
        other = tasks[task["twin"]]
        assert other["twin"] == task["id"] != other["id"]
        assert other["instruction"] == task["instruction"]
        assert (other["outcome"], other["goal"]) != (task["outcome"], task["goal"])


def test_a_task_says_how_it_is_made_and_what_matters_to_it(made: Path) -> None:
    for task in made_in(made):
        seed, number = task["drawn"]
        assert (seed, number >= 0, task["role"]) == (0, True, "customer")
        assert task["certificate"]["calls"] > 0
        assert set(task["clauses"]) <= {"2.1", "2.2", "2.3", "3.1", "3.2"} and task["clauses"]
        held_back = [name for name, fact in task["person"]["facts"].items() if not fact["said"]]
        asked = [step["say"] for step in task["gold"][:-1] if step.get("say")]
        assert task["conversation"] is bool(asked)
        assert held_back or not any("Could you tell me" in text for text in asked)


def test_tasks_are_a_mixture_of_ends(made: Path) -> None:
    ends = {"rent_one": "rented", "bring_back": "late in_time"}
    for name, done in ends.items():
        outcomes = [task["outcome"] for task in made_in(made) if task["scenario"] == name]
        assert 5 <= sum(outcome in done.split() for outcome in outcomes) < len(outcomes)


def test_certifying_again_gives_the_same_certificates(made: Path) -> None:
    report = certify_package(made)
    assert report.flaws() == {}
    assert sum(task.compared for task in report.tasks) == COUNT
    stored = {task["id"]: task["certificate"] for task in made_in(made)}
    found = {task.task: task.certificate for task in report.tasks if task.compared}
    assert found == stored


def test_gold_earns_the_reward_and_the_opening_alone_does_not(made: Path) -> None:
    package = load_package(made)
    resolve = package.module("tasks.task").resolve
    for task in made_in(made):
        environment = package.environment(task["id"])
        assert environment.grade().reward == 0.0
        results: list[Any] = []
        for step in task["gold"]:
            if step.get("say"):
                environment.say(step["say"])
                results.append({})
            else:
                arguments = resolve(step["arguments"], results)
                results.append(environment.call(step["tool"], arguments).structured)
        assert environment.grade().reward == 1.0, task["id"]


def test_the_report_counts_what_came_of_each_scenario(
    copied: Copy, starter_graph: ToolGraph
) -> None:
    content = make_tasks(copied(), TaskOrder(4, mutants=True), starter_graph).content
    assert (content["asked"], content["delivered"], content["replaced"]) == (4, 4, 0)
    for one in content["scenarios"].values():
        assert one["tasks"] == sum(one["outcomes"].values()) == 2
        assert one["draws"] >= sum(one["drawn"].values()) >= 2
        assert (one["missed"], one["faults"]) == ([], {})
    assert content["mutants"] > len(content["survivors"]) > 0
    assert all(line.startswith("making/rentals.py:") for line in content["survivors"])
    assert set(content["breaches"]) == {"1.1", "1.2", "1.3", "2.2"}
    assert (content["unbroken"], content["wrong_breaches"]) == ([], [])
    assert content["wanting"][0].startswith("no scenario uses: ")
    assert "repair_bike" in content["wanting"][0]


def test_a_scenario_that_hangs_is_named_and_the_others_of_its_process_are_made(
    starter_spec: Path, starter_graph: ToolGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = Path(shutil.copytree(starter_spec, tmp_path / "spec"))
    (spec / "scenarios" / "hanging.py").write_text(HANGING_CODE)
    (spec / "scenarios" / "hanging.yaml").write_text(faulty_words("hangs"))
    path = emit.build(spec, tmp_path / "package").path
    monkeypatch.setattr(run, "SECONDS", 3.0)
    monkeypatch.setattr(run, "EACH", 1)
    content = make_tasks(path, TaskOrder(6), starter_graph).content
    assert content["scenarios"]["hangs"]["faults"] == {"it does not come back": 1}
    assert content["delivered"] == 6, "the others make up for it"


# The command


def tasks(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["tasks", *map(str, arguments)])


def test_the_command_writes_tasks_and_a_report(copied: Copy, tmp_path: Path) -> None:
    path = copied()
    result = tasks(path, "-n", "4", "--json", tmp_path / "report.json")
    assert result.exit_code == 0, result.output
    assert "4 of 4" in result.stdout
    assert len(made_in(path)) == 4
    assert json.loads((tmp_path / "report.json").read_text())["delivered"] == 4


def test_the_command_fails_and_names_what_is_to_be_mended(faulty: Package, tmp_path: Path) -> None:
    path = Path(shutil.copytree(faulty.path, tmp_path / "faulty"))
    report_file = tmp_path / "report.json"
    result = tasks(path, "-n", "15", "--json", report_file)
    assert result.exit_code == 1
    shown = " ".join(result.stdout.split())
    assert "crashes: to mend: making/faults.py:" in shown
    assert "IndexError: list index out of range" in shown
    assert "no draw comes to anything: a condition does not hold" in shown
    report = json.loads(report_file.read_text())
    assert report["delivered"] == 15, "scenarios without a fault make up for the others"
    assert {task["scenario"] for task in made_in(path)} == {"rent_one", "bring_back"}


def test_a_package_without_scenarios_is_an_error(golden_package: Path) -> None:
    with pytest.raises(PackageLoadError, match=r"no scenarios to make tasks from\. Write some"):
        make_tasks(golden_package, TaskOrder(1))
    assert tasks(golden_package, "-n", "1").exit_code == 1
