"""As many tasks as are asked for, or as many as can be had, written into the package."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from toolworld.chained.advice import advice, unknowable
from toolworld.chained.chains.drafts import key_of
from toolworld.chained.chains.ledger import UseLedger
from toolworld.chained.chains.stage import known_ids
from toolworld.chained.levels import MIXED, Aim, Quotas
from toolworld.chained.make import ChainAttempt, ChainedMaker, ChainedTask
from toolworld.chained.report import ChainedReport
from toolworld.graph import ToolGraph, kept_graph
from toolworld.packages import files_of, load_package
from toolworld.packages.made import made_id
from toolworld.packages.tasks_file import write_made
from toolworld.tasks.context import LEVELS

Json: TypeAlias = Any
Progress: TypeAlias = Callable[[str], None]

ROUND = 24
"""How many attempts are made before what they used is counted."""
SPARE = 3
"""How many more attempts there are than tasks that are missing."""
PATIENT, BARREN = 4, 12
"""After so many rounds without a task to keep any mix will do; after more it is given up."""
SAME_SHAPE = 0.02
"""The largest share of tasks with one and the same sequence of tools."""


@dataclass(frozen=True)
class ChainedOrder:
    """What is asked for.

    Attributes:
        difficulty: ``easy``, ``medium``, ``hard`` or ``mixed``.
        seed: Varies the tasks.
        workers: How many processes look for the tool graph, where it is not at hand.
    """

    count: int
    difficulty: str = MIXED
    seed: int = 0
    workers: int = 1


def make_tasks(
    path: Path,
    order: ChainedOrder,
    graph: ToolGraph | None = None,
    progress: Progress | None = None,
) -> ChainedReport:
    """Make tasks of a package from chains of calls, and write them into it.

    The same package, order and graph give the same tasks.

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
    graph = graph or kept_graph(path, say, order.workers)
    chained = ChainedTasks(order)
    chained.collect(ChainedMaker(package, graph, order.seed), say)
    replaced = write_made(files_of(path).tasks, chained.tasks())
    seconds = round(time.monotonic() - started, 1)
    content = chained.content(graph, known_ids(package), seconds)
    return ChainedReport({**content, "replaced": replaced})


def _silent(_: str) -> None:
    return


@dataclass
class ChainedTasks:
    """Tasks so far, and what became of all attempts."""

    order: ChainedOrder
    made: list[ChainedTask] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    ledger: UseLedger = field(default_factory=UseLedger)
    attempts: int = 0

    def __post_init__(self) -> None:
        """Want what is asked for."""
        self.quotas = Quotas(self.order.count, self.order.difficulty)
        self._longest = 0
        self._shapes_allowed = max(2, int(SAME_SHAPE * self.order.count))

    def collect(self, maker: ChainedMaker, say: Progress) -> None:
        """Make attempts, a round at a time, until there is enough or nothing comes any more."""
        barren = 0
        while self.quotas.missing and barren < BARREN:
            before = len(self.made)
            levels = frozenset(self.quotas.open_levels)
            planned = self.quotas.plan(min(ROUND, self.quotas.missing + SPARE))
            aims = [
                Aim(number, level, levels) for number, level in enumerate(planned, self.attempts)
            ]
            for found in [maker.attempt(aim, self.ledger) for aim in aims]:
                self._take(found)
            self.attempts += len(aims)
            barren = barren + 1 if len(self.made) == before else 0
            if barren == PATIENT:
                self.quotas.relax()
            say(f"{len(self.made)} of {self.order.count} tasks, {self.attempts} attempts")

    def _take(self, found: ChainAttempt) -> None:
        self.ledger.note_tries(found.tried)
        self._longest = max(self._longest, found.steps)
        made = found.made
        reason = found.reason if made is None else self._refusal(made)
        if made is None or reason:
            self.dropped[reason] += 1
            return
        self.made.append(made)
        self.quotas.kept[made.level] += 1
        self.ledger.note(made.shape, made.edges)

    def _refusal(self, made: ChainedTask) -> str:
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
