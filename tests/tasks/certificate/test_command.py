"""``toolworld certify``: what it prints, writes and exits with."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from toolworld.cli import app


def certify(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["certify", *map(str, arguments), "--transport", "inproc"])


@pytest.fixture
def package(golden_package: Path, tmp_path: Path) -> Path:
    """A copy of the library package, to be changed."""
    return shutil.copytree(golden_package, tmp_path / "library")


def change_first_task(package: Path, **changes: Any) -> None:
    path = package / "src" / "toolworld_library" / "data" / "tasks.jsonl"
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    task = json.loads(first) | changes
    path.write_text("\n".join([json.dumps(task), *rest]) + "\n", encoding="utf-8")


def test_sound_tasks_are_certified(golden_package: Path, tmp_path: Path) -> None:
    result = certify(golden_package, "--json", tmp_path / "report.json")
    assert result.exit_code == 0, result.output
    report = json.loads((tmp_path / "report.json").read_text())
    assert (report["tasks"], report["failed"], report["compared"]) == (6, 0, 0)
    assert report["sequences"] > report["tasks"]
    assert set(report["by_task"][0]["certificate"]["tiers"]) == {"inproc"}


def test_a_failing_task_is_named_with_what_to_do(package: Path) -> None:
    change_first_task(package, instruction="Please use renew_loan on everything.")
    result = certify(package)
    assert result.exit_code == 1
    assert "renew_all_loans: the instruction names a tool" in result.stdout
    assert "Say what is wanted, not which tool does it." in result.stdout


def test_a_stored_certificate_must_come_out_again(package: Path, tmp_path: Path) -> None:
    certify(package, "--json", tmp_path / "report.json")
    report = json.loads((tmp_path / "report.json").read_text())
    stored = report["by_task"][0]["certificate"]
    change_first_task(package, certificate=stored)
    assert certify(package).exit_code == 0
    change_first_task(package, certificate=stored | {"digest": "0" * 32})
    result = certify(package)
    assert result.exit_code == 1
    assert "the certificate is another now" in result.stdout
    assert f"digest was {'0' * 32}, is {stored['digest']}" in result.stdout


def test_a_folder_without_a_package_is_an_error(tmp_path: Path) -> None:
    result = certify(tmp_path)
    assert result.exit_code == 1
    assert "is not a toolworld package" in result.output


def test_a_package_without_tasks_is_an_error(package: Path) -> None:
    (package / "src" / "toolworld_library" / "data" / "tasks.jsonl").write_text("")
    result = certify(package)
    assert result.exit_code == 1
    assert "has no tasks. Make some: toolworld tasks" in result.output
