"""Fixtures that several tests share."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from tests.building import made_once
from toolworld import emit
from toolworld.garbage import SELDOM
from toolworld.packages import Package, load_package

REPOSITORY = Path(__file__).resolve().parents[1]

# The same examples every time, and no deadline: the machines that run this are shared.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


def pytest_configure(config: pytest.Config) -> None:
    """Keep graphs apart from the user's own, for this run only; its processes share them."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        cache = tempfile.mkdtemp(prefix="toolworld-cache-")
        os.environ["XDG_CACHE_HOME"] = cache
        config.add_cleanup(lambda: shutil.rmtree(cache, ignore_errors=True))


def pytest_collection_finish() -> None:
    """Look for cycles seldom, and never among the tests: that would take a fifth of their time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)


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


@pytest.fixture(scope="session")
def starter_spec(repository: Path) -> Path:
    """The folder of the bike shop, which is the start of domains of one's own."""
    return repository / "templates" / "starter"


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory, starter_spec: Path) -> Package:
    """The bike shop's package, built once; nothing may be written into it."""
    return load_package(
        made_once(tmp_path_factory, "starter", lambda folder: emit.build(starter_spec, folder))
    )


@pytest.fixture(scope="session")
def other_starter(
    tmp_path_factory: pytest.TempPathFactory, starter_spec: Path
) -> Callable[..., Package]:
    """Builds the bike shop with one text of one of its files replaced."""

    def build(file: str, before: str, after: str) -> Package:
        folder = tmp_path_factory.mktemp("other_starter")
        shutil.copytree(starter_spec, folder / "spec")
        text = (folder / "spec" / file).read_text("utf-8")
        assert text.count(before) == 1, f"{before!r} is {text.count(before)} times in {file}"
        (folder / "spec" / file).write_text(text.replace(before, after), "utf-8")
        emit.build(folder / "spec", folder / "starter")
        return load_package(folder / "starter")

    return build
