"""Tasks made on the spot for the library package, and what certifies them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from toolworld.emit import Package, load_package
from toolworld.tasks.certificate import Certifier, Verdict

Task = dict[str, Any]
MakeTask = Callable[..., Task]
Certify = Callable[..., Verdict]


@pytest.fixture(scope="session")
def library(golden_package: Path) -> Package:
    """The golden record, loaded."""
    return load_package(golden_package)


@pytest.fixture(scope="session")
def certifier(library: Package) -> Certifier:
    """What certifies tasks of the library."""
    return Certifier(library)


@pytest.fixture(scope="session")
def make_task(library: Package) -> MakeTask:
    """Makes a task of a few steps; its goal is where they lead."""

    def make(instruction: str, *gold: Mapping[str, Any], **more: Any) -> Task:
        task: Task = {
            "id": "made_on_the_spot",
            "instruction": instruction,
            "persona": "",
            "known_info": {},
            "tools": [],
            "initial": {},
            "gold": [{"arguments": {}, "expect": "ok", **step} for step in gold],
            "goal": {"changes": [], "answers": []},
            "difficulty": {},
            "certificate": {},
        }
        answers = more.pop("answers", [])
        task |= more
        environment = library.environment(task)
        resolve = library.module("task").resolve
        results: list[dict[str, Any]] = []
        for step in task["gold"]:
            arguments = {key: resolve(one, results) for key, one in step["arguments"].items()}
            results.append(environment.call(step["tool"], arguments).structured)
        changes = [change.as_json() for change in environment.diff()]
        return {**task, "goal": {"changes": changes, "answers": answers}}

    return make


@pytest.fixture
def certify(certifier: Certifier, make_task: MakeTask) -> Certify:
    """Makes a task and certifies it."""

    def made(instruction: str, *gold: Mapping[str, Any], **more: Any) -> Verdict:
        return certifier.certify(make_task(instruction, *gold, **more))

    return made
