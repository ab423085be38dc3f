"""The map of the architecture page names what there is, in the order in which it is imported."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.committed import REPOSITORY

GENERATOR = REPOSITORY / "generator" / "toolworld"
PACKAGE = REPOSITORY / "templates" / "package" / "src" / "PACKAGE"
PAGE = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")
MAP = PAGE.split("<!-- map: generator/toolworld -->")[1].split("<!-- end -->")[0]
PRIVATE = {"__init__.py", "__main__.py", "__pycache__", "py.typed"}


def named(text: str) -> list[str]:
    """Return what stands in the first column of tables, folders with a slash at their end."""
    rows = re.findall(r"^\|([^|\n]*)\|", text, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def test_the_map_names_every_folder_and_module() -> None:
    there = {
        f"{path.name}/" if path.is_dir() else path.name
        for path in GENERATOR.iterdir()
        if path.name not in PRIVATE
    }
    assert set(named(MAP)) == there


def test_imports_run_the_way_of_the_map() -> None:
    order = [name for name in named(MAP) if name.endswith("/")]
    against = [
        f"{folder}{path.name} imports {target}/"
        for folder in order
        for path in sorted((GENERATOR / folder).rglob("*.py"))
        for target in imported(path)
        if f"{target}/" in order and order.index(f"{target}/") > order.index(folder)
    ]
    assert against == []


def imported(path: Path) -> Iterator[str]:
    """Yield the folders of toolworld that a module imports, lazily or not."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "toolworld":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("toolworld."):
            yield str(node.module).split(".")[1]


def test_the_map_of_a_package_names_every_folder_and_what_stands_beside_them() -> None:
    section = PAGE.split("### A package")[1].split("\n## ")[0]
    there = {
        f"{path.name}/" if path.is_dir() else path.name.removesuffix(".jinja")
        for path in PACKAGE.iterdir()
        if not path.name.startswith("__") and path.suffix != ".typed"
    }
    in_rooms = {path.name.removesuffix(".jinja") for path in PACKAGE.rglob("*")}
    assert there <= set(named(section))
    assert {name for name in named(section) if name.endswith("/")} <= there | {"talk/"}
    assert {name.rstrip("/") for name in named(section)} <= in_rooms


FILES = sorted(set(re.findall(r"`([a-z_]+(?:/[a-z_*]+)*\.py|[a-z_]+/[a-z_/]*)`", PAGE)))
PLACES = (
    REPOSITORY, GENERATOR, REPOSITORY / "templates" / "starter", PACKAGE,
    *(path for path in PACKAGE.iterdir() if path.is_dir()),
)  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_what_the_page_names_exists(name: str) -> None:
    patterns = (name.rstrip("/"), f"{name}.jinja")
    assert any(list(place.glob(pattern)) for place in PLACES for pattern in patterns)
