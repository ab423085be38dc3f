"""Built packages of the domains, each made once for a test session."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from toolworld import bundled, emit


@pytest.fixture(scope="session")
def built(
    tmp_path_factory: pytest.TempPathFactory, library_spec: Path
) -> Callable[[str], emit.Package]:
    """Builds a domain's package when it is first asked for, and imports it."""
    folders = {"library": library_spec, **bundled.domains()}

    @cache
    def build(name: str) -> emit.Package:
        out = tmp_path_factory.mktemp("packages") / name
        emit.build(folders[name], out)
        return emit.load_package(out)

    return build


@pytest.fixture(scope="session")
def library(built: Callable[[str], emit.Package]) -> emit.Package:
    """The library's package."""
    return built("library")
