"""The library package, loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolworld.packages import Package, load_package


@pytest.fixture(scope="session")
def library(golden_package: Path) -> Package:
    """The library, as the present templates make it."""
    return load_package(golden_package)
