"""The committed tasks: each certificate still holds, and they are of all kinds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tools import committed
from tools.redraft import DRAFTED
from toolworld.harness import replay_packages
from toolworld.packages import load_package
from toolworld.tasks.verify import certify_package

PACKAGES = [path for _, path in committed.servers()]


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.name)
def test_every_committed_task_passes_its_certificate(path: Path) -> None:
    report = certify_package(path)
    flaws = {task.task: [str(flaw) for flaw in task.flaws] for task in report.tasks}
    assert {name: found for name, found in flaws.items() if found} == {}, "make tasks"
    assert len(report.tasks) >= (98 if path.name in DRAFTED else 200)
    assert all(task.compared for task in report.tasks)


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.name)
def test_committed_tasks_are_of_all_difficulties_and_use_the_tools(path: Path) -> None:
    package = load_package(path)
    tasks = package.tasks()
    levels = Counter(task["difficulty"]["level"] for task in tasks)
    assert min(levels.values()) >= 0.1 * len(tasks)
    assert set(levels) == {"easy", "medium", "hard"}
    used = {step["tool"] for task in tasks for step in task["gold"] if step.get("tool")}
    assert len(used) > 0.6 * len(package.environment().tools)


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.name)
def test_committed_tasks_replay(path: Path) -> None:
    """In some of them the world changes while the agent talks, which is no write of gold's."""
    report = replay_packages([path])
    assert [str(one) for row in report.by_package for one in row.failures] == []
