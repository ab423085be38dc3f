"""Two packages with hand-written tasks and their graphs: the small library and all of retail."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from toolworld import bundled, emit
from toolworld.emit import Package, load_package
from toolworld.graph import ToolGraph, build_graph


@pytest.fixture(scope="session")
def library(golden_package: Path) -> Package:
    return load_package(golden_package)


@pytest.fixture(scope="session")
def library_graph(golden_package: Path) -> ToolGraph:
    return build_graph(golden_package)


@pytest.fixture(scope="session")
def retail(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Package:
    folder = tmp_path_factory.mktemp("growth")
    spec, out = folder / "spec", folder / "package"
    shutil.copytree(bundled.domains()["retail"], spec)
    shutil.copy(repository / "tests" / "by_hand" / "retail.yaml", spec / "tasks.yaml")
    emit.build(spec, out)
    return load_package(out)


@pytest.fixture(scope="session")
def retail_graph(retail: Package) -> ToolGraph:
    """Its graph from few tries: most edges are there."""
    return build_graph(retail.path, tries=8)
