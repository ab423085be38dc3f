"""The committed tasks: each certificate still holds, and they are of all kinds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tools import committed
from tools.redraft import DRAFTED
from toolworld import emit
from toolworld.tasks.make import defaults_of
from toolworld.tasks.model import read_task
from toolworld.tasks.scenarios.talk import left_to_defaults
from toolworld.tasks.verify import certify_package
from toolworld.tasks.verify.situated import SituatedTasks

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
    package = emit.load_package(path)
    tasks = package.tasks()
    levels = Counter(task["difficulty"]["level"] for task in tasks)
    assert min(levels.values()) >= 0.1 * len(tasks)
    assert set(levels) == {"easy", "medium", "hard"}
    used = {step["tool"] for task in tasks for step in task["gold"] if step.get("tool")}
    assert len(used) > 0.6 * len(package.environment().tools)


@pytest.mark.parametrize("name", ["retail", "hotel"])
def test_no_agent_has_to_ask_for_what_has_a_default(name: str) -> None:
    package = emit.load_package(committed.SERVERS / name)
    situated, defaults = SituatedTasks(package), defaults_of(package)
    for task in (read_task(package, one) for one in package.tasks()):
        situation = situated.situation(task)
        assert situation is not None
        run = situated.experts.run(situation, situated.worded(task))
        assert not left_to_defaults(run, defaults), task.id
