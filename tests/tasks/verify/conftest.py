"""The library package, and what makes and certifies tasks of it on the spot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.tasks.samples import JsonTask, written
from toolworld.packages import Package, load_package
from toolworld.tasks.verify import CLAIMS, Certifier, TaskVerdict

Certify = Callable[..., TaskVerdict]
Write = Callable[..., JsonTask]


@pytest.fixture(scope="session")
def library(golden_package: Path) -> Package:
    """The library, as the present templates make it."""
    return load_package(golden_package)


@pytest.fixture(scope="session")
def certifier(library: Package) -> Certifier:
    """What certifies tasks of the library."""
    return Certifier(library)


@pytest.fixture(scope="session")
def write(library: Package) -> Write:
    """Writes a task whose goal is where its steps lead."""

    def task(instruction: str, *gold: Mapping[str, Any], **more: Any) -> JsonTask:
        return written(library, instruction, *gold, **more)

    return task


@pytest.fixture
def certify(certifier: Certifier, write: Write) -> Certify:
    """Writes a task and certifies it."""

    def made(instruction: str, *gold: Mapping[str, Any], **more: Any) -> TaskVerdict:
        return certifier.certify(write(instruction, *gold, **more))

    return made


@pytest.fixture
def flaws_of(library: Package) -> Callable[[JsonTask, str], list[str]]:
    """Returns the codes of the flaws that one claim finds, after gold passed."""

    def found(task: JsonTask, name: str) -> list[str]:
        claims = [claim for claim in CLAIMS if claim.is_first or claim.name == name]
        verdict = Certifier(library, claims).certify(task)
        return [flaw.code for flaw in verdict.flaws]

    return found
