"""Tries out scenarios: checks them by the rules, builds a package, and makes tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock

from toolworld.emit import build_spec
from toolworld.emit.checking import check_limited
from toolworld.emit.jobs import Limits, Marker, run_all
from toolworld.errors import Problem, ToolworldError
from toolworld.graph import ToolGraph
from toolworld.packages import Package, forget, load_package
from toolworld.spec import Spec
from toolworld.spec.scenarios import Scenario
from toolworld.system.temporary import temporary_folder
from toolworld.tasks.make import ScenarioTasks, TaskMaker
from toolworld.tasks.scenarios.making import Making

TASKS = 10
"""How many tasks a scenario has to make."""
SECONDS, MEGABYTES = 180.0, 2048
MOST_TOLD, MOST_RELAYED = 4, 0.1
LONGEST_LINE = 160
DEFINED = re.compile(r"^(?:def (\w+)\(|(\w+):)")


@dataclass(frozen=True)
class Trial:
    """Tries scenarios of an area in a domain.

    Attributes:
        texts: The domain's files.
        graph: Its tool graph, which scenarios do not change.
        turn: A lock to hold while trying scenarios: parsing in two threads at once fails on some
            Pythons (https://github.com/python/cpython/issues/106905), and so may forking.
    """

    texts: Mapping[str, str]
    graph: ToolGraph
    turn: Lock = field(default_factory=Lock)

    def check(self, files: Mapping[str, str]) -> tuple[Spec | None, dict[str, list[str]]]:
        """Return the spec with these files, and findings by function or scenario.

        A problem outside any function has an empty name.
        """
        texts = {**self.texts, **files}
        spec, problems = check_limited(texts)
        wrong: dict[str, list[str]] = {}
        for problem in sorted(problems, key=lambda one: one.file.endswith(".yaml")):
            lines = texts.get(problem.file, "").splitlines()
            wrong.setdefault(_owner(lines, problem), []).append(_told(lines, problem))
        return spec, wrong

    def make(self, spec: Spec, names: Sequence[str]) -> dict[str, list[str]]:
        """Make tasks of some scenarios; return the findings on each."""
        with temporary_folder() as folder:
            try:
                build_spec(spec, folder / "package")
                package = load_package(folder / "package")
            except ToolworldError as error:
                return {name: [str(error)] for name in names}
            try:
                return self._made(package, names)
            finally:
                forget(package.alias)

    def _made(self, package: Package, names: Sequence[str]) -> dict[str, list[str]]:
        scenarios = {one.name: one for one in Making(package).scenarios}
        maker = TaskMaker(package, self.graph, 0)
        works = [partial(_make, maker, scenarios[name]) for name in names]
        found: dict[str, list[str]] = {}
        for number, ended in run_all(works, Limits(job=SECONDS, memory=MEGABYTES), 1):
            scenario = scenarios[names[number]]
            wrong = [f"making its tasks {ended.death}."]
            if ended.value is not None:
                wrong = list(findings_of(ended.value, scenario))
            if wrong:
                found[scenario.name] = wrong
        return found


def _make(maker: TaskMaker, scenario: Scenario, marker: Marker) -> ScenarioTasks:
    marker.set(scenario.name)
    return maker.make(scenario, TASKS)


def findings_of(made: ScenarioTasks, scenario: Scenario) -> Iterator[str]:
    """Yield what is wrong with a scenario, judged by the tasks that it makes."""
    for fault, times in made.faults.most_common(MOST_TOLD):
        yield f"{fault} ({times} times)"
    for branch in made.missed[:MOST_TOLD]:
        yield f"in {made.draws} draws never {branch}: let the draw lead there, or leave it out."
    if len(made.tasks) < TASKS:
        yield f"only {len(made.tasks)} of {TASKS} tasks come of {made.draws} draws."
        for reason, times in made.dropped.most_common(MOST_TOLD):
            yield f"{times} draws or tasks are lost: {reason}"
    if len(made.tasks) == TASKS:
        yield from _poor_mixture(made, scenario)


def _poor_mixture(made: ScenarioTasks, scenario: Scenario) -> Iterator[str]:
    words = scenario.words.outcomes
    never = [name for name in words if not made.outcomes[name]]
    if never:
        yield f"no draw ends in {', '.join(never)}: let the situation lead there, or leave it out."
    done = [task for task in made.tasks if words[str(task["outcome"])].kind == "done"]
    if done and not any(task["twin"] for task in done):
        yield (
            "no task that ends done has a twin: name with draw.turn(row, column=value) a cell "
            "that, changed alone, makes the same wish end otherwise."
        )
    if all(words[name].kind == "done" for name in made.outcomes):
        yield "every draw ends in the wish carried out: let some be refused, offered or declined."
    if made.relayed > MOST_RELAYED * len(made.tasks):
        yield (
            f"on {made.relayed} of {len(made.tasks)} tasks it is enough to try and to repeat the "
            "error: what the person asks for should take a look-up."
        )


def _told(lines: Sequence[str], problem: Problem) -> str:
    line = lines[problem.line - 1].strip() if 0 < problem.line <= len(lines) else ""
    where = f"in `{line[:LONGEST_LINE]}`: " if line else ""
    return f"{where}[{problem.rule}] {problem.message} {problem.mend}"


def _owner(lines: Sequence[str], problem: Problem) -> str:
    """Return the function or the scenario's words that a problem is in; empty for neither."""
    for line in reversed(lines[: problem.line]):
        if found := DEFINED.match(line):
            return found[1] or found[2]
    return ""
