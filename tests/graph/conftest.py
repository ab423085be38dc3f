"""The library's graph, found once."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolworld.graph import ToolGraph, build_graph


@pytest.fixture(scope="session")
def graph(golden_package: Path) -> ToolGraph:
    """The graph of the golden record."""
    return build_graph(golden_package)
