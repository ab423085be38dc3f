"""Built packages of the domains with their hand-written tasks, each made once for a session."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.building import made_once
from tests.package.rentals import Begin, rental_task
from toolworld import bundled, emit
from toolworld.packages import Package, load_package

BY_HAND = Path(__file__).resolve().parents[1] / "by_hand"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, library_spec: Path) -> Callable[[str], Package]:
    """Builds a domain's package when it is first asked for, and imports it."""
    folders = {"library": library_spec, **bundled.domains()}

    @cache
    def build(name: str) -> Package:
        spec = tmp_path_factory.mktemp("specs") / name
        shutil.copytree(folders[name], spec)
        tasks = [file.read_text("utf-8") for file in sorted((BY_HAND / name).glob("*.yaml"))]
        if tasks:
            (spec / "tasks.yaml").write_text("\n".join(tasks), "utf-8")
        out = made_once(tmp_path_factory, f"{name}_by_hand", lambda out: emit.build(spec, out))
        return load_package(out)

    return build


@pytest.fixture(scope="session")
def library(built: Callable[[str], Package]) -> Package:
    """The library's package."""
    return built("library")


@pytest.fixture
def begin(starter: Package) -> Begin:
    """Begins an episode at the task of renting a bike, or at one that differs in parts."""
    return lambda **parts: starter.environment(rental_task(**parts))
