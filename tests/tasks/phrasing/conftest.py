"""The library's phrasebook."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolworld.emit import load_package
from toolworld.tasks.phrasing import Phrasebook

from .outlines import Library


@pytest.fixture(scope="session")
def library(golden_package: Path) -> Library:
    """The golden record's phrases and rows."""
    package = load_package(golden_package)
    return Library(Phrasebook.load(package), package.environment().state())
