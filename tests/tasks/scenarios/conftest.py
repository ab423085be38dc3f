"""The bike shop's scenarios, and a bike shop of which each scenario has one fault."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.tasks.scenarios.faulty import FAULTY_CODE, faulty_words
from toolworld import emit
from toolworld.graph import ToolGraph, kept_graph
from toolworld.packages import Package, load_package
from toolworld.spec.scenarios import Scenario
from toolworld.tasks.scenarios.draws import NotDrawn, Situation
from toolworld.tasks.scenarios.experts import ExpertRun
from toolworld.tasks.verify.situated import SituatedTasks
from toolworld.tasks.wording.messages import Worded


@dataclass(frozen=True)
class Solved:
    """A situation in words, and what its expert did."""

    situation: Situation
    worded: Worded
    run: ExpertRun


def chance(seed: int) -> random.Random:
    """Return random numbers that are always the same."""
    return random.Random(seed)  # noqa: S311


class Solver:
    """Draws and solves situations of a package."""

    def __init__(self, package: Package) -> None:
        self.situated = SituatedTasks(package)

    def scenario(self, name: str) -> Scenario:
        """Return a scenario by its name."""
        return next(one for one in self.situated.making.scenarios if one.name == name)

    def solve(self, name: str, number: int, says: int | None = None, seed: int = 0) -> Solved:
        """Return a draw, solved, in the words of one of the messages."""
        scenario = self.scenario(name)
        situation = self.situated.drawer(seed).draw(scenario, number)
        message = number % len(scenario.words.says) if says is None else says
        worded = self.situated.wording.worded(scenario, situation.facts, message, chance(number))
        run = self.situated.experts.run(situation, worded)
        return Solved(situation, worded, self.situated.experts.finished(situation, run))

    def ends(self, name: str, outcome: str, says: int | None = None) -> Solved:
        """Return the first draw that ends in an outcome."""
        for number in range(300):
            try:
                solved = self.solve(name, number, says)
            except NotDrawn:
                continue
            if solved.run.outcome == outcome:
                return solved
        raise AssertionError(f"{name} never ends in {outcome}")


@pytest.fixture(scope="session")
def solver(starter: Package) -> Solver:
    """Solves situations of the bike shop."""
    return Solver(starter)


@pytest.fixture(scope="session")
def starter_graph(starter: Package) -> ToolGraph:
    """The bike shop's tool graph."""
    return kept_graph(starter.path, print)


@pytest.fixture(scope="session")
def faulty(tmp_path_factory: pytest.TempPathFactory, starter_spec: Path) -> Package:
    """The bike shop with one more file of scenarios, each of which has a fault."""
    folder = tmp_path_factory.mktemp("faulty")
    spec = Path(shutil.copytree(starter_spec, folder / "spec"))
    (spec / "scenarios" / "faults.py").write_text(FAULTY_CODE)
    (spec / "scenarios" / "faults.yaml").write_text(faulty_words())
    emit.build(spec, folder / "faulty")
    return load_package(folder / "faulty")


@pytest.fixture
def copied(starter: Package, tmp_path: Path) -> Callable[[], Path]:
    """Returns the folder of a copy of the bike shop's package that a test may write into."""

    def copy(name: str = "starter") -> Path:
        return Path(shutil.copytree(starter.path, tmp_path / name))

    return copy
