"""As many tasks as are asked for, or as many as can be had, written into the package."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from toolworld.emit import load_package
from toolworld.emit.made import made_id
from toolworld.graph import ToolGraph, build_graph
from toolworld.tasks.advice import advice, unknowable
from toolworld.tasks.aim import Wanted
from toolworld.tasks.certificate.reasons import Reason
from toolworld.tasks.certificate.tiers import Agreement
from toolworld.tasks.chains.drafts import key_of
from toolworld.tasks.chains.ledger import Ledger
from toolworld.tasks.chains.stage import known_ids
from toolworld.tasks.files import write_made
from toolworld.tasks.forked import seldom_collected
from toolworld.tasks.growth.settings import LEVELS
from toolworld.tasks.make import Made, Outcome, TaskMaker
from toolworld.tasks.quotas import MIXED, Quotas
from toolworld.tasks.report import TasksReport
from toolworld.tasks.transports import Transports, transports
from toolworld.tasks.workers import Workers, workers

Json = Any
Progress = Callable[[str], None]

ROUND = 24
"""How many attempts are made before what they used is counted."""
SPARE = 3
"""How many more attempts there are than tasks that are missing."""
BARREN = 15
"""After so many rounds without a task to keep it is given up."""
SAME_SHAPE = 0.02
"""The largest share of tasks with one and the same sequence of tools."""


@dataclass(frozen=True)
class Order:
    """What is asked for.

    Attributes:
        difficulty: ``easy``, ``medium``, ``hard`` or ``mixed``.
        seed: Varies the tasks.
        workers: How many processes make them; the tasks are the same.
    """

    count: int
    difficulty: str = MIXED
    seed: int = 0
    workers: int = 1


def make_tasks(
    path: Path, order: Order, graph: ToolGraph | None = None, progress: Progress | None = None
) -> TasksReport:
    """Make tasks of a package and write them into it.

    The same package, order and graph give the same tasks, whatever the number of workers.

    Args:
        path: The package's folder.
        order: What is asked for.
        graph: Its tool graph, if it is at hand.
        progress: Told what is being done.

    Raises:
        PackageLoadError: The folder holds no package or an old one, or its tasks are broken.
        ToolworldError: The tasks cannot be written.
    """
    say = progress or _silent
    package = load_package(path)
    package.tasks()
    started = time.monotonic()
    graph = graph or build_graph(path, on_progress=say, workers=order.workers)
    collected, agreed = Collected(order), True
    while agreed and collected.quotas.missing:
        # The servers first: they start while the package is looked through.
        with (
            seldom_collected(),
            transports(package) as servers,
            workers(TaskMaker(package, graph, order.seed), order.workers) as crew,
        ):
            collected.collect(crew, servers, say)
            say("Running gold over every transport")
            agreed = collected.keep_agreed(servers.agreements())
    replaced = write_made(path, collected.tasks())
    seconds = round(time.monotonic() - started, 1)
    content = collected.content(graph, known_ids(package), seconds)
    return TasksReport({**content, "replaced": replaced})


def _silent(_: str) -> None:
    return


@dataclass
class Collected:
    """Tasks so far, and what became of all attempts."""

    order: Order
    made: list[Made] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    mended: Counter[str] = field(default_factory=Counter)
    ledger: Ledger = field(default_factory=Ledger)
    attempts: int = 0

    def __post_init__(self) -> None:
        """Want what is asked for."""
        self.quotas = Quotas(self.order.count, self.order.difficulty)
        self._checked = self._longest = 0
        self._shapes_allowed = max(2, int(SAME_SHAPE * self.order.count))

    def collect(self, crew: Workers, servers: Transports, say: Progress) -> None:
        """Make attempts, a round at a time, until there is enough or nothing comes any more.

        What is made meanwhile runs over every transport.
        """
        barren = 0
        while self.quotas.missing and barren < BARREN:
            before = len(self.made)
            levels = frozenset(self.quotas.open_levels)
            planned = [
                Wanted(number, level, levels)
                for number, level in enumerate(self.quotas.plan(self._round()), self.attempts)
            ]
            for outcome in crew.run(planned, self.ledger):
                self._take(outcome)
            servers.run(replace(made.gold, name=str(n)) for n, made in self._since(before))
            self.attempts += len(planned)
            barren = barren + 1 if len(self.made) == before else 0
            say(f"{len(self.made)} of {self.order.count} tasks, {self.attempts} attempts")

    def _round(self) -> int:
        """Return how many attempts are next: towards the end few more than tasks are missing."""
        return min(ROUND, self.quotas.missing + SPARE)

    def _since(self, first: int) -> list[tuple[int, Made]]:
        """Return the tasks from a place on, with their places."""
        return list(enumerate(self.made))[first:]

    def keep_agreed(self, agreements: Mapping[str, Agreement]) -> bool:
        """Drop the tasks whose gold does not come out the same over every transport.

        Args:
            agreements: What came of it, by place.

        Returns:
            Whether any of the new tasks does: else it is the package, and more are no help.
        """
        new = self._since(self._checked)
        del self.made[self._checked :]
        for number, made in new:
            agreement = agreements[str(number)]
            if agreement.mismatch:
                self.dropped[Reason.TIERS] += 1
                self.quotas.kept[made.level] -= 1
            else:
                certificate = {**made.task["certificate"], "tiers": [*agreement.digests]}
                self.made.append(replace(made, task={**made.task, "certificate": certificate}))
        before, self._checked = self._checked, len(self.made)
        return self._checked > before

    def _take(self, outcome: Outcome) -> None:
        self.ledger.note_tries(outcome.tried)
        self._longest = max(self._longest, outcome.steps)
        made = outcome.made
        reason = outcome.reason if made is None else self._refusal(made)
        if made is None or reason:
            self.dropped[reason] += 1
            return
        self.made.append(made)
        self.mended.update(made.mends)
        self.quotas.kept[made.level] += 1
        self.ledger.note(made.shape, made.edges)

    def _refusal(self, made: Made) -> str:
        """Return why a task is not kept though it is sound; empty if it is kept."""
        if not self.quotas.wants(made.level):
            return "another difficulty than asked for"
        if self.ledger.shapes[made.shape] >= self._shapes_allowed:
            return "too many of the same shape"
        return ""

    def tasks(self) -> list[Mapping[str, Json]]:
        """Return the tasks with their ids, the easy ones first."""
        by_level = sorted(self.made, key=lambda made: LEVELS.index(made.level))
        return [{**one.task, "id": made_id(n)} for n, one in enumerate(by_level, 1)]

    def content(self, graph: ToolGraph, known: Collection[str], seconds: float) -> dict[str, Json]:
        """Return the report's content."""
        unused = [name for name in graph.tools if name not in self.ledger.tools]
        kept = {key_of(edge) for edge in graph.edges}
        used = kept & {edge for edge, count in self.ledger.edges.items() if count}
        return {
            "asked": self.order.count,
            "delivered": len(self.made),
            "dropped": dict(self.dropped.most_common()),
            "mended": dict(self.mended.most_common()),
            "seconds": seconds,
            "tools_used": len(self.ledger.tools),
            "edges_used": len(used),
            "tools": len(graph.tools),
            "edges": len(graph.edges),
            "levels": {level: self.quotas.kept[level] for level in self.quotas.levels},
            "attempts": self.attempts,
            "unused_tools": unused,
            "unknowable": [f"{one.tool}.{one.path}" for one in unknowable(graph.arguments, known)],
            "advice": advice(graph, self.quotas.short, self._longest, self.dropped, unused, known),
        }
