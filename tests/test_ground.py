"""The ground: exported names, what the wheel holds, and documents whose commands are run."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from inspect import ismodule
from pathlib import Path

import pytest
from typer.testing import CliRunner

import toolworld
from toolworld import bundled
from toolworld.cli import app


def test_exported_members_are_the_importable_ones() -> None:
    public = {
        name
        for name, value in vars(toolworld).items()
        if not name.startswith("_") and not ismodule(value) and name != "annotations"
    }
    assert sorted(public) == toolworld.__all__


def test_importing_toolworld_is_cheap() -> None:
    code = "import sys, toolworld; print(*sorted(m.partition('.')[0] for m in sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"mcp", "pydantic", "typer", "faker", "networkx"} & set(loaded.stdout.split())


@pytest.fixture(scope="module")
def dist(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source distribution, built without a network."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)],
        cwd=repository,
        capture_output=True,
        check=True,
    )
    return folder


def test_the_wheel_holds_every_template(dist: Path, repository: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    templates = [path for path in (repository / "templates").rglob("*") if path.is_file()]
    wanted = {
        f"toolworld/_templates/{path.relative_to(repository / 'templates').as_posix()}"
        for path in templates
        if "__pycache__" not in path.parts
    }
    assert wanted <= names
    assert "toolworld/py.typed" in names
    strays = {
        name for name in names if name.endswith(".pyc") or name.startswith(("tests", "tools"))
    }
    assert not strays


def test_the_source_distribution_can_make_the_wheel(dist: Path) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    names = {name.partition("/")[2] for name in tarfile.open(sdist).getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "templates/starter/domain.yaml"} <= names


def test_an_unpacked_wheel_finds_its_templates(dist: Path, tmp_path: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    shutil.unpack_archive(wheel, tmp_path, "zip")
    code = "from toolworld import bundled; print(bundled.templates()); print(*bundled.domains())"
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert Path(shown[0]) == (tmp_path / "toolworld" / "_templates").resolve()
    assert shown[1].split() == list(bundled.domains())


FEWER = {"laws": ("--calls", "4000", "--suspects", "400")}
"""What is added to a command of the README, so that it does not search for as long as it would."""
WALK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_walk_through_of_the_readme_works_as_written(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    readme = (repository / "README.md").read_text(encoding="utf-8")
    section = readme.split("\n## Add a domain of your own\n")[1].split("\n## Draft ")[0]
    commands = [follow(*block) for block in WALK.findall(section)]
    assert sum(commands) >= 7


def follow(language: str, path: str, text: str) -> int:
    """Do what a block of the walk-through says; return how many commands were run."""
    if language == "diff":
        patch(Path(path), text)
    elif path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(text)
    else:
        return sum(run_line(line) for line in text.splitlines())
    return 0


def patch(path: Path, diff: str) -> None:
    lines = diff.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] in " -")
    new = "".join(line[1:] for line in lines if line[0] in " +")
    content = path.read_text(encoding="utf-8")
    assert content.count(old) == 1, f"{path} holds this {content.count(old)} times:\n{old}"
    path.write_text(content.replace(old, new), encoding="utf-8")


def run_line(line: str) -> bool:
    """Run a toolworld command of a document; leave other programs alone."""
    name, *arguments = shlex.split(line, comments=True)
    if name != "toolworld":
        return False
    result = CliRunner().invoke(app, [*arguments, *FEWER.get(arguments[0], ())])
    assert result.exit_code == 0, f"{line}\n{result.output}"
    return True


def test_every_command_the_readme_names_exists(repository: Path) -> None:
    readme = (repository / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\W*toolworld (\w+)", readme.replace("`", "\n"), re.MULTILINE))
    assert named >= {"list", "check", "build", "replay", "init", "demo"}
    known = CliRunner().invoke(app, ["--help"]).stdout
    assert {name for name in named if f" {name} " not in known} == set()


def test_every_make_target_the_readme_names_exists(repository: Path) -> None:
    readme = (repository / "README.md").read_text(encoding="utf-8")
    makefile = (repository / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make ([a-z-]+)", readme, re.MULTILINE)) <= targets


def test_every_relative_link_of_the_readme_leads_somewhere(repository: Path) -> None:
    readme = (repository / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:|#)([^)]+)\)", readme)
    assert [link for link in links if not (repository / link).exists()] == []
