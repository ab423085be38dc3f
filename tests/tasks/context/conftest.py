"""Packages with tasks written by hand, and their graphs: the library, retail, and bike rentals."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from toolworld import bundled, emit
from toolworld.emit import Package, load_package
from toolworld.graph import ToolGraph, build_graph


def rng(seed: object) -> random.Random:
    """Return random numbers that depend on a seed alone."""
    return random.Random(str(seed))  # noqa: S311 - not for secrets


@pytest.fixture(scope="session")
def library(golden_package: Path) -> Package:
    return load_package(golden_package)


@pytest.fixture(scope="session")
def library_graph(golden_package: Path) -> ToolGraph:
    return build_graph(golden_package)


@pytest.fixture(scope="session")
def retail(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Package:
    folder = tmp_path_factory.mktemp("context")
    spec, out = folder / "spec", folder / "package"
    shutil.copytree(bundled.domains()["retail"], spec)
    shutil.copy(repository / "tests" / "by_hand" / "retail.yaml", spec / "tasks.yaml")
    emit.build(spec, out)
    return load_package(out)


@pytest.fixture(scope="session")
def retail_graph(retail: Package) -> ToolGraph:
    """Its graph from few tries: most edges are there."""
    return build_graph(retail.path, tries=8)


@pytest.fixture
def rentals(tmp_path: Path) -> Callable[[str], Package]:
    """Builds a bike rental shop whose rentals have keys of another form, given as an f-string."""

    def build(key: str) -> Package:
        spec = tmp_path / "spec"
        bundled.start_domain("bikes", spec)
        (spec / "tasks.yaml").unlink()
        edit(spec / "domain.yaml", "    prefix: REN\n", "")
        edit(
            spec / "seed.py", "db.rentals.add(", f'db.rentals.add(\n            rental_id=f"{key}",'
        )
        tools = (spec / "tools.py").read_text("utf-8")
        before, rest = tools.split("def rent_bike(")
        tools = before + "def return_bike(" + rest.split("def return_bike(")[1]
        (spec / "tools.py").write_text(tools.replace("MOST_DAYS = 30\n", ""), "utf-8")
        phrases = (spec / "phrases.yaml").read_text("utf-8")
        before, rest = phrases.split("  rent_bike:\n")
        phrases = before + "  return_bike:\n" + rest.split("  return_bike:\n")[1]
        (spec / "phrases.yaml").write_text(phrases.replace("known_ids: [Rental]\n", ""), "utf-8")
        emit.build(spec, tmp_path / "package")
        return load_package(tmp_path / "package")

    return build


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
