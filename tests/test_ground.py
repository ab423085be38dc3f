"""The ground: exported names, and what the wheel holds."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from inspect import ismodule
from pathlib import Path

import pytest

import toolworld
from toolworld import bundled


def test_exported_members_are_the_importable_ones() -> None:
    imported = {name for name in toolworld.__all__ if hasattr(toolworld, name)}
    public = {
        name
        for name, value in vars(toolworld).items()
        if not name.startswith("_") and not ismodule(value)
    }
    assert sorted(imported) == toolworld.__all__
    assert public - {"annotations", "TYPE_CHECKING"} == imported


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
