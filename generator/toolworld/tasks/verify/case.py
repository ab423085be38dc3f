"""A task being certified: the package, gold with its results, and the counts of trials."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from toolworld.errors import PackageLoadError
from toolworld.graph.surface import Surface, ToolFacts
from toolworld.jsonvalues import JsonValue, Path, leaves, pattern
from toolworld.packages import Package
from toolworld.packages.files import MEND
from toolworld.packages.task import TaskModel
from toolworld.tasks.execute import PlayedStep, Player, Playthrough
from toolworld.tasks.scenarios.code import Branch
from toolworld.tasks.scenarios.draws import NotDrawn, Situation
from toolworld.tasks.verify.heard import Heard
from toolworld.tasks.verify.situated import SituatedTasks


class CertifiedPackage:
    """What claims need to know of a package, read once for all its tasks.

    Attributes:
        player: What runs gold.
        clock: The time in its world.
        answers: Its module that compares texts.
    """

    def __init__(self, package: Package) -> None:
        """Read a package.

        Raises:
            PackageLoadError: It was built before agents could talk with people.
        """
        if "say" not in package.modules.task.Step.model_fields:
            raise PackageLoadError(f"{package.path} was built by an older toolworld. {MEND}")
        base = package.modules.seed.default_base()
        self.package = package
        self.player = Player(package)
        self.clock: datetime = base.clock
        self.answers: Any = package.modules.answers
        self._tables: Any = base.tables
        self._places: dict[tuple[str, Path], tuple[str, str]] = {}
        self._names: dict[str, list[str]] = {}

    @cached_property
    def situated(self) -> SituatedTasks:
        """The scenarios that its tasks are made from."""
        return SituatedTasks(self.package, self.player.reads)

    @cached_property
    def policy(self) -> Heard:
        """The text of its policy."""
        clauses = self.package.modules.clauses.all_clauses()
        return Heard(self.answers, [clause.text for clause in clauses])

    @cached_property
    def has_conduct(self) -> bool:
        """Whether clauses of its policy are kept by conduct."""
        return bool(self.package.modules.clauses.conduct_clauses())

    @cached_property
    def roles(self) -> Sequence[str]:
        """The roles that people may have."""
        return list(self.package.modules.clauses.roles())

    @cached_property
    def identified_roles(self) -> frozenset[str]:
        """The roles without tools of their own: such people must be identified."""
        roles = self.package.modules.clauses.roles()
        return frozenset(name for name, tools in roles.items() if not tools)

    @property
    def surface(self) -> Surface:
        """Its tools and entities."""
        return self.player.surface

    def tool(self, step: PlayedStep) -> ToolFacts | None:
        """Return the facts about the tool that a step calls; None for a message."""
        return self.surface.tools.get(step.step.tool)

    def place_in_result(self, tool: str, path: Path) -> tuple[str, str]:
        """Return the nearest field above a place in a tool's results, and the entity it names.

        Returns:
            The name; and an entity, a unique column, or nothing.
        """
        known = self._places.get((tool, path))
        if known is None:
            name = next((part for part in reversed(path) if isinstance(part, str)), "")
            named = self.surface.tools[tool].result_names.get(pattern(path), "")
            known = self._places[tool, path] = name, named
        return known

    def names_of(self, named: str) -> Sequence[str]:
        """Return the keys of an entity's rows, or the texts of a unique column."""
        if named not in self._names:
            entity, _, column = named.partition(".")
            rows = self._tables[self.surface.entities[entity].table].rows
            found = (getattr(row, column) for row in rows.values()) if column else rows
            self._names[named] = [text for text in found if text is not None]
        return self._names[named]

    def siblings(self, named: str, key: str) -> Iterator[str]:
        """Yield the names of rows that refer to the same row as one does, itself included."""
        entity, _, column = named.partition(".")
        facts = self.surface.entities[entity]
        table = self._tables[facts.table]
        row = table.rows.get(key)
        for path in facts.ids if row is not None and not column else ():
            if path.isidentifier():
                for other in table.index((path,)).get(getattr(row, path), ()):
                    yield getattr(other, facts.key)


class ShownValue(NamedTuple):
    """A value that a result shows.

    Attributes:
        name: The nearest name above it.
        named: What it names: an entity, or a unique column; else empty.
    """

    name: str
    value: JsonValue
    named: str


class CertifiedCase:
    """One task, its gold with results, and the counts of trials by claim.

    Attributes:
        counts: How often each thing was run, under ``claim.thing``.
        branches: The branches that the expert takes.
        rng: Random numbers that depend on what the task asks for and on the claim, not on the
            task's id, which it may get later.
    """

    def __init__(self, package: CertifiedPackage, task: TaskModel, run: Playthrough) -> None:
        """Take a task and its gold."""
        self.package, self.task, self.run = package, task, run
        self.counts: Counter[str] = Counter()
        self.branches: frozenset[Branch] = frozenset()
        self.rng = random.Random()  # noqa: S311

    def reseed(self, claim: str) -> None:
        """Begin the random numbers of a claim."""
        self.rng.seed(f"{claim} {self._asked}")

    @cached_property
    def _asked(self) -> str:
        calls = [(step.tool, step.arguments) for step in self.task.gold]
        return f"{self.task.instruction} {calls}"

    @property
    def player(self) -> Player:
        """What runs gold."""
        return self.package.player

    def count(self, thing: str, number: int = 1) -> None:
        """Count something that was run."""
        self.counts[thing] += number

    @cached_property
    def situation(self) -> Situation | None:
        """The situation of the task; None if it has none or its scenario is gone."""
        try:
            return self.package.situated.situation(self.task, self.run.start.opening)
        except NotDrawn:
            return None

    @cached_property
    def shown(self) -> Sequence[Sequence[ShownValue]]:
        """What the result of each step shows."""
        return [list(self._shown(step)) for step in self.run.steps]

    def _shown(self, step: PlayedStep) -> Iterator[ShownValue]:
        for path, value in leaves(step.structured):
            name, named = self.package.place_in_result(step.step.tool, path)
            yield ShownValue(name, value, named)

    def seen_names(self, named: str, before: int) -> list[str]:
        """Return the names of rows that steps before one showed, the latest result first."""
        shown = reversed(self._named_in[:before])
        return list(dict.fromkeys(name for names in shown for name in names.get(named, ())))

    def laid_names(self, named: str) -> Iterator[str]:
        """Yield the names of the rows that the task puts over the database."""
        entity, _, column = named.partition(".")
        facts = self.package.surface.entities[entity]
        for row in self.task.initial.get(facts.table, {}).values():
            name = row[column or facts.key] if row is not None else None
            if isinstance(name, str):
                yield name

    @cached_property
    def _named_in(self) -> Sequence[dict[str, list[str]]]:
        """The names of rows in the result of each step, by entity."""
        found: list[dict[str, list[str]]] = []
        for shown in self.shown:
            found.append({})
            for one in shown:
                if one.named and isinstance(one.value, str):
                    found[-1].setdefault(one.named, []).append(one.value)
        return found
