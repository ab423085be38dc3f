"""Each class has a name of its own."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest


def classes(folders: Iterable[Path]) -> dict[str, list[Path]]:
    """Return the files in which classes of a name are."""
    found: dict[str, list[Path]] = defaultdict(list)
    for folder in folders:
        for file in folder.rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(file.relative_to(folder))
    return found


@pytest.mark.parametrize("program", [["generator", "tools"], ["templates/package"]], ids=str)
def test_no_class_name_is_used_twice(repository: Path, program: list[str]) -> None:
    found = classes(repository / folder for folder in program)
    assert {name: files for name, files in found.items() if len(files) > 1} == {}
    assert len(found) > 100
