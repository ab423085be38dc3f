"""Sessions on the golden package, and on a package of the starter with people who answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolworld import emit
from toolworld.bundled import start_domain
from toolworld.packages import load_package
from toolworld.play import PlaySession, open_session
from toolworld.tasks import TaskOrder, make_tasks

Open = Callable[..., PlaySession]


@pytest.fixture
def library(golden_package: Path) -> Open:
    """Opens sessions on the golden package, whose people say only the first message."""
    return lambda task=None, seed=0: open_session(golden_package, task, seed)


@pytest.fixture(scope="session")
def bikes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package of the starter, with its tasks by hand and some that are made."""
    folder = tmp_path_factory.mktemp("play")
    start_domain("bikes", folder / "domain")
    emit.build(folder / "domain", folder / "bikes")
    make_tasks(folder / "bikes", TaskOrder(24))
    return folder / "bikes"


@pytest.fixture(scope="session")
def talking(bikes: Path) -> dict[str, Any]:
    """A task of it that begins with a question to the person and changes something."""
    tasks = load_package(bikes).tasks()
    return next(
        task
        for task in tasks
        if task["gold"][0]["say"] and task["goal"]["changes"] and task["goal"]["answers"]
    )
