"""The walks over syntax trees see what those of ``ast`` see, in the same order."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tools.committed import REPOSITORY
from toolworld.spec.tree_walk import children, walk

FILES = sorted((REPOSITORY / "generator" / "toolworld" / "spec").glob("*.py"))


@pytest.mark.parametrize("file", FILES[::8], ids=lambda file: file.name)
def test_they_see_the_same_nodes_in_the_same_order(file: Path) -> None:
    tree = ast.parse(file.read_text("utf-8"))
    assert walk(tree) == list(ast.walk(tree))
    assert all(children(node) == list(ast.iter_child_nodes(node)) for node in ast.walk(tree))
