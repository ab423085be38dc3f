"""Two packages with their graphs, found once: the small library and the whole of retail."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolworld.emit import Package, load_package
from toolworld.graph import ToolGraph, build_graph


@pytest.fixture(scope="session")
def library(golden_package: Path) -> Package:
    return load_package(golden_package)


@pytest.fixture(scope="session")
def library_graph(golden_package: Path) -> ToolGraph:
    return build_graph(golden_package)


@pytest.fixture(scope="session")
def retail(repository: Path) -> Package:
    return load_package(repository / "generated_servers" / "retail")


@pytest.fixture(scope="session")
def retail_graph(repository: Path) -> ToolGraph:
    """Its graph from few tries: most edges are there."""
    return build_graph(repository / "generated_servers" / "retail", tries=8)
