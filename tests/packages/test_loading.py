"""A package is loaded from its folder, whatever becomes of the process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolworld.errors import PackageLoadError
from toolworld.packages import Package, files_of, load_package
from toolworld.packages.files import read_json, read_json_if_there
from toolworld.packages.tasks_file import read_tasks, write_made

TASK = {"id": "one", "instruction": "Please do it.", "gold": [], "scenario": "asks"}


def test_a_relative_path_stays_what_it_was(
    golden_package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(golden_package.parent)
    package = load_package(Path(golden_package.name))
    monkeypatch.chdir(tmp_path)
    assert package.modules.definitions.definitions()
    assert package.tasks()


def test_two_loads_of_a_package_share_nothing(golden_package: Path) -> None:
    one, other = load_package(golden_package), load_package(golden_package)
    assert one.modules.errors.Rejected is not other.modules.errors.Rejected


@pytest.mark.parametrize("name", ["", "empty"])
def test_a_folder_without_a_package_says_what_to_do(tmp_path: Path, name: str) -> None:
    with pytest.raises(PackageLoadError, match=r"is not a toolworld package.*toolworld build"):
        files_of(tmp_path / name)


def test_a_module_that_cannot_be_imported_is_named(tmp_path: Path) -> None:
    module = tmp_path / "src" / "toolworld_broken"
    module.mkdir(parents=True)
    (module / "__init__.py").write_text("1 / 0\n", "utf-8")
    with pytest.raises(PackageLoadError, match="ZeroDivisionError"):
        load_package(tmp_path)


def test_a_file_that_is_no_json_is_named(tmp_path: Path) -> None:
    (tmp_path / "cases.json").write_text("[", "utf-8")
    with pytest.raises(PackageLoadError, match=r"cases\.json cannot be read"):
        read_json(tmp_path / "cases.json")
    with pytest.raises(PackageLoadError, match=r"cases\.json cannot be read"):
        read_json_if_there(tmp_path / "cases.json")
    assert read_json_if_there(tmp_path / "explained.json") == []


@pytest.mark.parametrize(("line", "said"), [("{", "no JSON"), ("[]", "a JSON object")])
def test_a_line_of_tasks_that_is_none_is_named_with_its_number(
    tmp_path: Path, line: str, said: str
) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(f"{json.dumps(TASK)}\n{line}\n", "utf-8")
    with pytest.raises(PackageLoadError, match=rf"tasks\.jsonl:2.*{said}"):
        read_tasks(path)


def test_a_task_that_does_not_fit_the_package_is_named(package: Package) -> None:
    path = package.files.tasks
    path.write_text('{"id": 1}\n', "utf-8")
    with pytest.raises(PackageLoadError, match=r"tasks\.jsonl:1: this is no task: id"):
        package.tasks()


def test_texts_with_odd_line_ends_are_one_task(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.touch()
    odd = {**TASK, "instruction": "one\u2028two\x85three"}
    write_made(path, [odd])
    assert read_tasks(path) == [odd]


def test_made_tasks_take_the_place_of_those_made_before(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    by_hand = {**TASK, "id": "mine", "scenario": ""}
    path.write_text(f"{json.dumps(by_hand)}\n", "utf-8")
    assert write_made(path, [TASK, {**TASK, "id": "two"}]) == 0
    assert write_made(path, [{**TASK, "id": "three"}]) == 2
    assert [one["id"] for one in read_tasks(path)] == ["mine", "three"]
    assert write_made(path, []) == 0
    assert [one["id"] for one in read_tasks(path)] == ["mine", "three"], "none are lost"
