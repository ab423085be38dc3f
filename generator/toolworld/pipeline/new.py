"""From a keyword to a package: draft, build, proof, tool graph, tasks and replay."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from toolworld.chained import ChainedOrder
from toolworld.draft import Brief, draft, open_draft
from toolworld.llm import Backend, ModelLimits
from toolworld.pipeline.report import DraftReport
from toolworld.pipeline.world import World
from toolworld.system.locks import holding

Say = Callable[[str], None]


@dataclass(frozen=True)
class Wanted:
    """What a user asks for.

    Attributes:
        tasks: How many tasks.
        workers: How many processes run tools at once.
    """

    brief: Brief
    tasks: int = 100
    workers: int = 1
    limits: ModelLimits = field(default_factory=ModelLimits)


def make_world(
    folder: Path, wanted: Wanted, backend: Backend, say: Say, resume: bool = False
) -> DraftReport:
    """Make a package of a keyword or description, from its draft to its replayed tasks.

    Args:
        folder: Holds everything: the journal, the domain, the package and the reports.
        wanted: What is asked for.
        backend: The model.
        say: Called with each line of progress.
        resume: Whether to go on with what is in the folder.

    Raises:
        DraftError: The domain cannot be drafted; the folder keeps what was done.
        ToolworldError: The package cannot be made, or another process works in the folder.
    """
    with holding(folder):
        return _made(folder, wanted, backend, say, resume)


def _made(folder: Path, wanted: Wanted, backend: Backend, say: Say, resume: bool) -> DraftReport:
    open_draft(folder, wanted.brief, resume)
    began = time.monotonic()
    drafted = draft(folder, wanted.brief, backend, wanted.limits, say)
    world = World(folder, wanted.workers, say)
    world.take(drafted, backend.name, began)
    world.build(drafted.folder)
    world.prove()
    found = world.find_graph()
    if wanted.tasks:
        world.make_tasks(ChainedOrder(wanted.tasks, workers=wanted.workers), found)
        world.replay()
    return world.report()
