"""A package to replay, and ways to break it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


class Library:
    """A copy of the library package that a test may break."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source = path / "src" / "toolworld_library"
        self.tasks_file = self.source / "tasks" / "tasks.jsonl"

    def tasks(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.tasks_file.read_text().splitlines()]

    @contextmanager
    def only(self, task_id: str) -> Iterator[dict[str, Any]]:
        """Leave one task in the package, as what the block makes of it."""
        (task,) = (task for task in self.tasks() if task["id"] == task_id)
        yield task
        self.tasks_file.write_text(json.dumps(task) + "\n")

    def edit(self, file: str, old: str, new: str) -> None:
        """Replace text that stands once in a file of the module."""
        path = self.source / file
        text = path.read_text()
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))


@pytest.fixture(scope="session")
def built_library(golden_package: Path) -> Path:
    """The library package; not to be changed."""
    return golden_package


@pytest.fixture
def copy_library(built_library: Path, tmp_path: Path) -> Callable[[str], Library]:
    """Makes copies of the library package under names of their own."""

    def copy(name: str) -> Library:
        return Library(shutil.copytree(built_library, tmp_path / name))

    return copy


@pytest.fixture
def library(copy_library: Callable[[str], Library]) -> Library:
    """A copy of the library package."""
    return copy_library("library")
