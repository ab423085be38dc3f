"""``toolworld certify``: what it prints, writes and exits with."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from toolworld.cli import app
from toolworld.tasks.verify import certify_package


def certify(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["certify", *map(str, arguments)])


@pytest.fixture
def package(golden_package: Path, tmp_path: Path) -> Path:
    """A copy of the library package with its first two tasks, to be changed."""
    path = shutil.copytree(golden_package, tmp_path / "library")
    first, second, *_ = lines_of(path).read_text(encoding="utf-8").splitlines()
    lines_of(path).write_text(f"{first}\n{second}\n", encoding="utf-8")
    return path


def lines_of(package: Path) -> Path:
    return package / "src" / "toolworld_library" / "tasks" / "tasks.jsonl"


def change_first_task(package: Path, **changes: Any) -> None:
    first, *rest = lines_of(package).read_text(encoding="utf-8").splitlines()
    task = json.loads(first) | changes
    lines_of(package).write_text("\n".join([json.dumps(task), *rest]) + "\n", encoding="utf-8")


def test_sound_tasks_are_certified(package: Path, tmp_path: Path) -> None:
    result = certify(package, "--json", tmp_path / "report.json")
    assert result.exit_code == 0, result.output
    report = json.loads((tmp_path / "report.json").read_text())
    assert (report["tasks"], report["failed"], report["compared"]) == (2, 0, 0)
    assert report["calls"] > 10 * report["tasks"]
    assert report["by_task"][0]["certificate"]["necessary"] == {"writes": 2}


def test_a_failing_task_is_named_with_what_to_do(package: Path) -> None:
    change_first_task(package, known_info={}, instruction="Please extend all I have.")
    result = certify(package)
    assert result.exit_code == 1
    assert "renew_all_loans\n  unknowable_value: step 0, find_member" in result.stdout
    assert "Let the person say it" in result.stdout


def test_a_stored_certificate_must_come_out_again(package: Path) -> None:
    report = certify_package(package)
    stored = report.as_json()["by_task"][0]["certificate"]
    change_first_task(package, certificate=stored)
    report = certify_package(package)
    assert (report.failed, [task.compared for task in report.tasks]) == (0, [True, False])
    change_first_task(package, certificate=stored | {"calls": 7})
    report = certify_package(package)
    assert report.flaws() == {"outdated_certificate": 1}
    assert f"calls was 7, is {stored['calls']}" in report.tasks[0].flaws[0].message


def test_a_folder_without_a_package_is_an_error(tmp_path: Path) -> None:
    result = certify(tmp_path)
    assert result.exit_code == 1
    assert "is not a toolworld package" in result.output


def test_a_package_without_tasks_is_an_error(package: Path) -> None:
    lines_of(package).write_text("")
    result = certify(package)
    assert result.exit_code == 1
    assert "has no tasks. Make some: toolworld tasks" in result.output
