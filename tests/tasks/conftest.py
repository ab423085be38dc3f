"""The library's package and graph, found once, and tasks made of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolworld import emit
from toolworld.graph import ToolGraph, build_graph
from toolworld.tasks import Order, TasksReport, make_tasks

Json = dict[str, Any]
Built = Callable[[], Path]


@pytest.fixture(scope="session")
def library_folder(library_spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library package, built as the present templates make it."""
    path = tmp_path_factory.mktemp("built") / "library"
    emit.build(library_spec, path)
    return path


@pytest.fixture(scope="session")
def library_graph(golden_package: Path) -> ToolGraph:
    """The graph of the golden record."""
    return build_graph(golden_package)


@pytest.fixture
def library(golden_package: Path, tmp_path: Path) -> Path:
    """A copy of the golden package that a test may write to."""
    return shutil.copytree(golden_package, tmp_path / "library")


@pytest.fixture(scope="session")
def made(
    golden_package: Path, library_graph: ToolGraph, tmp_path_factory: pytest.TempPathFactory
) -> tuple[TasksReport, emit.Package]:
    """A copy of the golden package with 24 made tasks, and the report of making them."""
    path = tmp_path_factory.mktemp("made") / "library"
    shutil.copytree(golden_package, path)
    report = make_tasks(path, Order(24), library_graph)
    return report, emit.load_package(path)


def tasks_in(path: Path) -> list[Json]:
    """Return the tasks in a package's file."""
    (file,) = path.glob("src/*/data/tasks.jsonl")
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]
