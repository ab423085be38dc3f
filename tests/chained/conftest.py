"""The library's package, graph and phrases, and tasks made of it from chains."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.chained.outlines import Library
from toolworld.chained import ChainedOrder, ChainedReport, make_tasks
from toolworld.chained.phrasing import Phrasebook
from toolworld.graph import ToolGraph, kept_graph
from toolworld.packages import Package, load_package

Json = dict[str, Any]


@pytest.fixture(scope="session")
def library_package(golden_package: Path) -> Path:
    """The library, not to be changed."""
    return golden_package


@pytest.fixture(scope="session")
def library_graph(library_package: Path) -> ToolGraph:
    """Its graph."""
    return kept_graph(library_package, print)


@pytest.fixture
def library(library_package: Path, tmp_path: Path) -> Path:
    """A copy of the package that a test may write to."""
    return shutil.copytree(library_package, tmp_path / "library")


@pytest.fixture(scope="session")
def made(
    library_package: Path, library_graph: ToolGraph, tmp_path_factory: pytest.TempPathFactory
) -> tuple[ChainedReport, Package]:
    """A copy of the package with 18 made tasks, and the report of making them."""
    path = tmp_path_factory.mktemp("made") / "library"
    shutil.copytree(library_package, path)
    report = make_tasks(path, ChainedOrder(18), library_graph)
    return report, load_package(path)


@pytest.fixture(scope="session")
def phrases(library_package: Path) -> Library:
    """The library's phrases and rows."""
    package = load_package(library_package)
    return Library(Phrasebook.load(package), package.environment().state())


def tasks_in(path: Path) -> list[Json]:
    """Return the tasks in a package's file."""
    (file,) = path.glob("src/*/tasks/tasks.jsonl")
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]
