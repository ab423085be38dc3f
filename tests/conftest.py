"""Fixtures that several tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

REPOSITORY = Path(__file__).resolve().parents[1]

# The same examples every time, and no deadline: the machines that run this are shared.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def repository() -> Path:
    """The checkout's root."""
    return REPOSITORY


@pytest.fixture(scope="session")
def library_spec() -> Path:
    """The folder of the small domain that tests build."""
    return REPOSITORY / "tests" / "golden" / "spec" / "library"


@pytest.fixture(scope="session")
def golden_package() -> Path:
    """The committed package of that domain: the golden record."""
    return REPOSITORY / "tests" / "golden" / "package" / "library"
