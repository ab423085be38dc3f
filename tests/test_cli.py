"""The command line: what each subcommand prints, and how errors become exit codes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from toolworld import ToolworldError
from toolworld.cli import app
from toolworld.emit import checking
from toolworld.packages import Package


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_help_names_every_command() -> None:
    result = run("--help")
    assert result.exit_code == 0
    for command in ("list", "check", "build", "replay", "demo", "init"):
        assert command in result.stdout


def test_version() -> None:
    assert run("--version").stdout == f"{version('toolworld')}\n"


def test_list_shows_the_bundled_domains() -> None:
    result = run("list", "--json")
    names = [row["name"] for row in json.loads(result.stdout)]
    assert names == sorted(names)
    assert "retail" in names


def test_check_of_a_sound_domain(library_spec: Path) -> None:
    result = run("check", library_spec)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "no problems" in result.stdout


def test_check_reports_all_problems_on_stderr(library_spec: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(library_spec, tmp_path / "library")
    with (folder / "tools.py").open("a") as tools:
        tools.write("\n\nimport os\n\n\ndef _grow(db: Database) -> int:\n    return 2**9\n")
    result = run("check", folder)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("tools.py:") >= 2
    assert "Traceback" not in result.stderr
    problems = json.loads(run("check", folder, "--json").stdout)
    assert len(problems) >= 2
    assert {"file", "line", "rule", "message", "mend"} == problems[0].keys()


def test_an_unknown_domain_is_one_message() -> None:
    result = run("check", "atlantis")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "atlantis" in result.stderr
    assert "retail" in result.stderr


def test_a_folder_without_domain_yaml_is_one_message(tmp_path: Path) -> None:
    result = run("check", tmp_path)
    assert result.exit_code == 1
    assert "domain.yaml" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("build", "library"),
        ("build", "library", "--out", "x", "--rows", "many"),
        ("replay",),
        ("replay", "--server", "some command"),
        ("replay", "package", "--server", "some command", "--calls", "calls.json"),
        ("replay", "package", "--transport", "pigeon"),
    ],
)
def test_wrong_usage_is_2(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr


def test_ctrl_c_during_a_build_leaves_the_old_package(library_spec: Path, tmp_path: Path) -> None:
    package = tmp_path / "library"
    run("build", library_spec, "--out", package)
    before = {path: path.read_bytes() for path in package.rglob("*") if path.is_file()}
    command = [sys.executable, "-m", "toolworld", "build", "retail", "--out", str(package)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as building:
        while not list(tmp_path.glob(".library.*")):
            assert building.poll() is None
            time.sleep(0.01)
        building.send_signal(signal.SIGINT)
        _, said = building.communicate(timeout=30)
    assert (building.returncode, said.split()) == (130, ["Interrupted."])
    assert list(tmp_path.iterdir()) == [package]
    assert {path: path.read_bytes() for path in package.rglob("*") if path.is_file()} == before


def test_text_from_a_spec_is_not_taken_for_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Path) -> None:
        raise ToolworldError("the type [red]list of[/] is [bold")

    monkeypatch.setattr(checking, "load_limited", broken)
    result = run("check", "retail")
    assert result.exit_code == 1
    assert "the type [red]list of[/] is [bold" in result.stderr


def test_build_then_check_then_replay(library_spec: Path, tmp_path: Path) -> None:
    package = tmp_path / "library"
    assert run("build", library_spec, "--out", package).exit_code == 0
    assert run("build", library_spec, "--out", package, "--check").exit_code == 0
    report = tmp_path / "report.json"
    result = run("replay", package, "--json", report)
    assert result.exit_code == 0, result.output
    totals = json.loads(report.read_text())
    assert totals["tasks"] == totals["passed"] > 0
    assert totals["failed"] == 0
    assert totals.keys() >= {"packages", "calls", "seconds", "by_package"}


def test_build_check_shows_what_is_stale(library_spec: Path, tmp_path: Path) -> None:
    package = tmp_path / "library"
    run("build", library_spec, "--out", package)
    readme = package / "README.md"
    readme.write_text(readme.read_text() + "edited by hand\n")
    result = run("build", library_spec, "--out", package, "--check")
    assert result.exit_code == 1
    assert "-edited by hand" in result.stdout


def test_init_starts_a_domain_that_builds_as_it_is(tmp_path: Path) -> None:
    folder, package = tmp_path / "bike_shop", tmp_path / "package"
    result = run("init", "bike_shop", "--out", folder)
    assert result.exit_code == 0
    assert str(folder / "domain.yaml") in result.stdout
    assert "name: bike_shop\n" in (folder / "domain.yaml").read_text()
    assert run("check", folder).exit_code == 0
    assert run("build", folder, "--out", package).exit_code == 0
    assert run("replay", package).exit_code == 0


@pytest.mark.parametrize("name", ["Bike", "b", "9lives", "bike-shop", "../up", "x" * 40])
def test_init_refuses_bad_names(name: str, tmp_path: Path) -> None:
    result = run("init", name, "--out", tmp_path / "new")
    assert result.exit_code == 1
    assert not (tmp_path / "new").exists()


def test_init_leaves_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    result = run("init", "bike_shop", "--out", tmp_path)
    assert result.exit_code == 1
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    "arguments",
    [("init", "bike_shop", "--out"), ("build", "retail", "--out")],
    ids=["init", "build"],
)
def test_a_place_that_cannot_be_written_is_one_message(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    result = run(*arguments, tmp_path / "file" / "under")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "cannot be written" in result.stderr


def test_laws_are_searched_and_episodes_made_again(starter: Package, tmp_path: Path) -> None:
    file = tmp_path / "laws.json"
    few = ("--calls", "800", "--suspects", "200")
    result = run("laws", starter.path, *few, "--json", file)
    assert (result.exit_code, "0 findings" in result.stdout) == (0, True)
    call = {"tool": "repair_bike", "arguments": {"bike_id": "BIK-00001"}}
    content = json.loads(file.read_text("utf-8"))
    content["findings"] = [{"law": "each_day_is_paid", "calls": [call]}]
    file.write_text(json.dumps(content), "utf-8")
    again = run("laws", starter.path, "--again", file)
    assert (again.exit_code, again.stdout) == (0, "each_day_is_paid: holds now\n")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("pro", ["prove"]),
        ("replay --tr", ["--transport"]),
        ("replay --transport s", ["stdio"]),
        ("check re", ["retail"]),
    ],
)
def test_a_shell_completes_what_is_typed(typed: str, offered: list[str]) -> None:
    words = f"toolworld {typed}"
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    result = subprocess.run(
        [sys.executable, "-m", "toolworld"],
        env={**os.environ, **asked, "_TOOLWORLD_COMPLETE": "complete_bash"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.split() == offered
