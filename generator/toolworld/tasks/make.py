"""Tasks of one scenario: drawn, solved, surrounded, put into words and certified."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from toolworld.graph import ToolGraph
from toolworld.jsonvalues import JsonObject
from toolworld.packages import Package
from toolworld.spec.scenarios import Scenario
from toolworld.tasks.context import Difficulty, Distractors, Meant, ToolSubset, merged, rows_added
from toolworld.tasks.context.start import RowKey
from toolworld.tasks.quota import ScenarioQuota, due_outcomes
from toolworld.tasks.scenarios.draws import NotDrawn, Situation
from toolworld.tasks.scenarios.experts import ExpertRun
from toolworld.tasks.scenarios.gold import answers_of, goal_of, gold_of
from toolworld.tasks.scenarios.talk import Defaults, left_to_defaults, manner_of, needs_talk
from toolworld.tasks.scenarios.twins import Twins
from toolworld.tasks.verify.certify import Certifier
from toolworld.tasks.verify.situated import SituatedTasks
from toolworld.tasks.wording.messages import Worded

DRAWS_A_TASK, MORE_DRAWS = 40, 300
"""How many draws there are for each task that is wanted, and for a scenario at least."""
NEXT, BEFORE = "+1", "-1"
"""Where a twin stands, until tasks have ids."""
LONGEST_FLAW = 450
TaskKey = tuple[str, str, str]
DENSITIES = (0.0, 1.0, 2.0)
DECLINES = ("declined", "offered")
"""What a person who drops their wish says no to: what is proposed, and something else."""


@dataclass(frozen=True, eq=False)
class Solved:
    """A situation in words that its expert solved.

    Attributes:
        number: Which draw it is of.
        cell: The cell by which it differs from its twin; None unless it was found as one.
    """

    situation: Situation
    worded: Worded
    run: ExpertRun
    cell: tuple[str, str, str] | None = None

    @property
    def key(self) -> TaskKey:
        """What no two tasks have in common."""
        scenario = self.situation.scenario.name
        cell = ".".join(self.cell) if self.cell else ""
        return scenario, f"{self.run.outcome} {cell}", self.worded.instruction


@dataclass
class ScenarioTasks:
    """What came of one scenario.

    Attributes:
        tasks: The tasks, without ids.
        outcomes: How often each outcome was drawn.
        dropped: How often draws and tasks came to nothing, by reason.
        faults: What its author has to mend, each with how often it was met.
        missed: The branches that nothing takes.
        branches: How many branches there are.
        draws: How many draws were made.
        relayed: On how many tasks relaying an error earns the reward.
        short: How many tasks are missing that were wanted.
    """

    scenario: str
    tasks: list[JsonObject] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    branches: int = 0
    draws: int = 0
    relayed: int = 0
    short: int = 0

    def joined(self, other: ScenarioTasks) -> ScenarioTasks:
        """Return the joined result of two rounds of one scenario."""
        return ScenarioTasks(
            self.scenario,
            [*self.tasks, *other.tasks],
            self.outcomes + other.outcomes,
            self.dropped + other.dropped,
            self.faults + other.faults,
            [branch for branch in self.missed if branch in other.missed],
            other.branches or self.branches,
            max(self.draws, other.draws),
            self.relayed + other.relayed,
            other.short,
        )


class TaskMaker:
    """Makes tasks from the scenarios of a package."""

    def __init__(self, package: Package, graph: ToolGraph, seed: int) -> None:
        """Read a package and its graph once."""
        self._package, self._seed = package, seed
        self.certifier = Certifier(package)
        self.situated: SituatedTasks = self.certifier.package.situated
        tools = self.certifier.package.surface.tools.values()
        written = {column for tool in tools for column in tool.writes}
        self._twins = Twins(package, self.situated.experts, written)
        self._distractors = Distractors(package)
        self._subset = ToolSubset(package, graph)
        self._difficulty = Difficulty(package)
        self._contains = package.modules.answers.contains_answer
        self._defaults = defaults_of(package)
        self._clauses = package.modules.clauses.all_clauses()
        self._due = due_outcomes(self.situated.making.scenarios)
        self._tools: dict[str, set[str]] = {}
        self._warm(package)

    def _warm(self, package: Package) -> None:
        """Load, before forking, everything that each process needs to make tasks."""
        self.situated.making.code  # noqa: B018
        self.situated.uniqueness.is_taken("")
        self._subset.call_each()
        for table in package.modules.seed.default_base().tables.values():
            for column in table.schema.selective:
                table.index((column,))

    def make(self, scenario: Scenario, wanted: int, first: int = 0) -> ScenarioTasks:
        """Return tasks of a scenario.

        Args:
            scenario: The scenario.
            wanted: How many tasks.
            first: The number of the first draw; the ones before were used already.
        """
        made = ScenarioTasks(scenario.name)
        branches = self.situated.making.code.branches_of(scenario.expert)
        quota = ScenarioQuota(scenario, branches, wanted, self._due.get(scenario.name, ()))
        keys: set[TaskKey] = set()
        numbers = iter(range(first, first + MORE_DRAWS + DRAWS_A_TASK * wanted))
        for solved in self._in_turn(self._solutions(scenario, numbers, made, quota), quota):
            if quota.wants(solved.run.outcome):
                made.tasks += self._pair(solved, made, quota, keys)
            if not quota.room:
                break
        made.branches, made.short = len(branches), quota.room
        made.missed = [str(branch) for branch in branches if branch not in quota.taken]
        if made.draws and not made.outcomes and not made.faults:
            reason, _ = made.dropped.most_common(1)[0]
            where = self.situated.making.code.place(scenario.name)
            made.faults[f"{where}: no draw comes to anything: {reason}"] = made.dropped.total()
        return made

    def _solutions(
        self, scenario: Scenario, numbers: Iterator[int], made: ScenarioTasks, quota: ScenarioQuota
    ) -> Iterator[Solved]:
        """Draw situations, and yield those that the expert solves."""
        for number in numbers:
            made.draws = number + 1
            solved = self._solved(scenario, number, made)
            if solved is not None:
                made.outcomes[solved.run.outcome] += 1
                quota.draw(solved.run.branches)
                yield solved

    def _in_turn(self, solutions: Iterator[Solved], quota: ScenarioQuota) -> Iterator[Solved]:
        """Yield the due situations first, then those with the most branches that no task takes."""
        explored = []
        for solved in solutions:
            explored.append(solved)
            if quota.is_explored:
                break
        while explored:
            best = max(explored, key=lambda one: quota.news(one.run.outcome, one.run.branches))
            explored.remove(best)
            yield best
        yield from solutions

    def _solved(self, scenario: Scenario, number: int, made: ScenarioTasks) -> Solved | None:
        """Draw a situation and have the expert solve it; failures are counted."""
        rng = random.Random(f"{self._seed}/{scenario.name}/{number}/words")  # noqa: S311
        messages = len(scenario.words.says)
        try:
            situation = self.situated.drawer(self._seed).draw(scenario, number)
            for message in range(number, number + messages):
                words, run = self._run(situation, message % messages, rng, made)
                if not left_to_defaults(run, self._defaults):
                    return Solved(situation, words, run)
            made.dropped["no message tells what nobody would ask for"] += 1
        except NotDrawn as error:
            (made.faults if error.is_fault else made.dropped)[error.named] += 1
        return None

    def _run(
        self, situation: Situation, message: int, rng: random.Random, made: ScenarioTasks
    ) -> tuple[Worded, ExpertRun]:
        """Have the expert solve a situation; without its behaviours unless they matter."""
        scenario, facts, wording = situation.scenario, situation.facts, self.situated.wording
        words = wording.worded(scenario, facts, message, rng)
        try:
            return words, self.situated.experts.run(situation, words)
        except NotDrawn as error:
            if error.is_fault or not words.person.behaviours:
                raise
            made.dropped[f"as the person behaves: {error.named}"] += 1
        words = wording.worded(scenario, facts, message, rng, plain=True)
        return words, self.situated.experts.run(situation, words)

    def _pair(
        self, solved: Solved, made: ScenarioTasks, quota: ScenarioQuota, keys: set[TaskKey]
    ) -> list[JsonObject]:
        """Return the tasks of a solved situation and of its twin."""
        twin = self._twin(solved, quota) if quota.room > 1 and quota.may_have_twin else None
        if twin is None and quota.passes_over(solved.run.outcome, solved.run.branches):
            return []
        task = self._fresh(solved, made, keys)
        if task is None:
            return []
        quota.make(solved.run.outcome, solved.run.branches)
        other = self._fresh(twin, made, keys) if twin is not None else None
        if twin is None or other is None:
            return [task]
        quota.make(twin.run.outcome, twin.run.branches)
        return [{**task, "twin": NEXT}, {**other, "twin": BEFORE}]

    def _fresh(self, solved: Solved, made: ScenarioTasks, keys: set[TaskKey]) -> JsonObject | None:
        """Return the certified task of a solved situation, unless there is one like it."""
        if solved.key in keys:
            made.dropped["alike"] += 1
            return None
        task = self._certified(solved, made)
        if task is not None:
            keys.add(solved.key)
        return task

    def _twin(self, solved: Solved, quota: ScenarioQuota) -> Solved | None:
        situation = solved.situation
        name = f"{self._seed}/{situation.scenario.name}/{situation.number}/twin"
        rng = random.Random(name)  # noqa: S311 - no secret

        only_done = quota.only_done or not quota.is_done(solved.run.outcome)

        def fits(run: ExpertRun) -> bool:
            is_wanted = not only_done or quota.is_done(run.outcome)
            return is_wanted and not left_to_defaults(run, self._defaults)

        twin = self._twins.of(situation, solved.worded, solved.run, rng, fits)
        if twin is None:
            return None
        quota.find_twin()
        return replace(solved, situation=twin.situation, run=twin.run, cell=twin.cell)

    def _certified(self, solved: Solved, made: ScenarioTasks) -> JsonObject | None:
        """Return a whole task, how difficult it is and its certificate; None if it is not sound."""
        name = f"{self._seed}/{solved.situation.scenario.name}/{solved.situation.number}/task"
        rng = random.Random(name)  # noqa: S311 - no secret
        try:
            task = self._whole(solved, rng)
        except NotDrawn as error:
            (made.faults if error.is_fault else made.dropped)[error.named] += 1
            return None
        if not any(task["goal"].values()):
            made.dropped["nothing is asked that this outcome tells"] += 1
            return None
        verdict = self.certifier.certify(task)
        if verdict.run is None or not verdict.passed:
            made.dropped[str(verdict.flaws[0])[:LONGEST_FLAW]] += 1
            return None
        certificate: dict[str, Any] = verdict.certificate or {}
        made.relayed += bool(certificate.get("naive", {}).get("relaying_earns"))
        near = rows_added(solved.situation.initial, task["initial"])
        difficulty = self._difficulty.of(verdict.run, near).as_json()
        return {**task, "difficulty": difficulty, "certificate": certificate}

    def _whole(self, solved: Solved, rng: random.Random) -> dict[str, Any]:
        """Return a task: gold and goal, near misses around it, the tools."""
        situation, worded, experts = solved.situation, solved.worded, self.situated.experts
        scenario, run = situation.scenario, experts.finished(situation, solved.run)
        words = scenario.words.outcomes[run.outcome]
        question = worded.question(words)
        asked = question.asks if question is not None else ()
        start = experts.start(situation, worded)
        facts = [one.says for one in (*start.person.facts.values(), *start.person.behaviours)]
        said = " ".join([worded.instruction, question.text if question else "", *facts])
        task: dict[str, Any] = {
            **start.model_dump(mode="json"),
            "id": f"{scenario.name}-{situation.number}{'t' if solved.cell else ''}",
            "outcome": run.outcome,
            "drawn": [self._seed, situation.number],
            "conversation": needs_talk(run, worded.instruction, self._contains, self._defaults),
            "gold": gold_of(run),
            "goal": goal_of(run, words, {*worded.asks, *asked}, said, self._contains),
            "clauses": self._in_play(words.clause, run),
        }
        rows = {name: (one.table, one.key) for name, one in situation.facts.described.items()}
        task["person"] |= manner_of(run, rows, worded.said)
        answers = answers_of(run, words, asked, said, self._contains)
        if question is not None and answers:
            task["person"]["question"] = {"says": question.text, "answers": answers}
        if words.kind == "declined":
            said_to_no = task["person"]["when"].get(run.outcome)
            task["person"]["when"] |= dict.fromkeys(DECLINES, said_to_no) if said_to_no else {}
        task["initial"] = self._with_near_misses(situation, run, rng)
        tools = self._tools_of(scenario)
        task["tools"] = list(self._subset.grow(task, tools, rng))
        return task

    def _in_play(self, clause: str | None, run: ExpertRun) -> list[str]:
        """Return the clauses that decide: the outcome's, and those that refusals name."""
        codes = {step.code for step in run.steps if step.code}
        return [
            one.number
            for one in self._clauses
            if one.number == clause or (one.kept_by == "tools" and codes & set(one.names))
        ]

    def _with_near_misses(
        self, situation: Situation, run: ExpertRun, rng: random.Random
    ) -> dict[str, Any]:
        """Return the start state with rows that could be taken for those that are meant."""
        density = rng.choice(DENSITIES)
        if not density or situation.later:
            return dict(situation.initial)
        meant = Meant.by(situation.facts.described.values())
        changed = [RowKey(change.table, change.key) for change in run.changes]
        calls = [(step.tool, step.arguments) for step in run.steps]
        named = self._distractors.named(changed, calls)
        found = self._distractors.near(situation.initial, named, rng, density, meant)
        return merged(situation.initial, found)

    def _tools_of(self, scenario: Scenario) -> set[str]:
        """Return the tools that a scenario's expert may call."""
        if scenario.name not in self._tools:
            code, tools = self.situated.making.code, self.certifier.package.surface.tools
            self._tools[scenario.name] = code.tools_of(scenario.expert, tools)
        return self._tools[scenario.name]


def defaults_of(package: Package) -> Defaults:
    """Return the defaults of arguments, by tool and name."""
    return {
        tool["name"]: {
            name: schema["default"]
            for name, schema in tool["inputSchema"]["properties"].items()
            if "default" in schema
        }
        for tool in package.environment().tools
    }


def numbered(tasks: Sequence[JsonObject]) -> list[JsonObject]:
    """Return the tasks of one scenario with their ids, twins by theirs."""
    ids = [f"{task['scenario']}-{number:03d}" for number, task in enumerate(tasks, 1)]
    return [
        {**task, "id": ids[place], "twin": _twin_of(task, ids, place)}
        for place, task in enumerate(tasks)
    ]


def _twin_of(task: JsonObject, ids: Sequence[str], place: int) -> str:
    away = {NEXT: 1, BEFORE: -1}.get(str(task.get("twin", "")), 0)
    return ids[place + away] if away else ""
