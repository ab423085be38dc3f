"""The library as a domain folder to be changed, and as a package."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.building import made_once
from toolworld import emit


@pytest.fixture
def spec(tmp_path: Path, library_spec: Path) -> Path:
    """A copy of the library's domain folder, to be changed."""
    return Path(shutil.copytree(library_spec, tmp_path / "spec"))


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory, library_spec: Path) -> Path:
    """The library's package; nothing may be written into it."""
    return made_once(tmp_path_factory, "library", lambda out: emit.build(library_spec, out))


@pytest.fixture
def package(tmp_path: Path, library: Path) -> Path:
    """A built package, with a file of its own to tell it from a new one."""
    out = Path(shutil.copytree(library, tmp_path / "out" / "library"))
    (out / "README.md").write_text("The old one.")
    return out
