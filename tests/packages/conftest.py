"""A package that a test may change."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from toolworld.packages import Package, load_package


@pytest.fixture
def package(golden_package: Path, tmp_path: Path) -> Package:
    """A copy of the library's package."""
    return load_package(Path(shutil.copytree(golden_package, tmp_path / "library")))
