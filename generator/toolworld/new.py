"""A keyword made into a package: drafted, built, proven, its graph found, tasks made, replayed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolworld import emit, graph, harness
from toolworld.draft import Backend, Brief, Limits, draft, open_draft
from toolworld.draft.report import DraftReport
from toolworld.prove import Settings, prove
from toolworld.tasks import Order, make_tasks

PACKAGE = "package"
Say = Callable[[str], None]


@dataclass(frozen=True)
class Wanted:
    """What a user asks for.

    Attributes:
        tasks: How many tasks.
        workers: Processes at once, where running is what takes time.
    """

    brief: Brief
    tasks: int = 100
    workers: int = 1
    limits: Limits = field(default_factory=Limits)


def make_world(
    folder: Path, wanted: Wanted, backend: Backend, say: Say, resume: bool = False
) -> DraftReport:
    """Make a package of a keyword or description, from its draft to its replayed tasks.

    Args:
        folder: Holds everything: the journal, the domain, the package and the reports.
        wanted: What is asked for.
        backend: The model.
        say: Told what is being done.
        resume: Go on with what is in the folder.

    Raises:
        DraftError: The domain cannot be drafted; what there is is kept.
        ToolworldError: The package cannot be made.
    """
    open_draft(folder, wanted.brief, resume)
    seconds: dict[str, float] = {}
    with _timed("draft", seconds):
        drafted = draft(folder, wanted.brief, backend, wanted.limits, say)
    package = folder / PACKAGE
    parts: dict[str, Any] = {}
    with _timed("build", seconds):
        emit.build(drafted.folder, package, on_progress=say)
    with _timed("prove", seconds):
        parts["proof"] = prove(package, Settings(workers=wanted.workers), say).content
    with _timed("graph", seconds):
        found = graph.build_graph(package, 0, graph.TRIES, say, wanted.workers)
        graph.write(found, json=folder / "graph.json", html=folder / "graph.html")
        parts["graph"] = {"tools": len(found.tools), "edges": len(found.edges)}
    if wanted.tasks:
        with _timed("tasks", seconds):
            order = Order(wanted.tasks, workers=wanted.workers)
            parts["tasks"] = make_tasks(package, order, found, say).content
        with _timed("replay", seconds):
            parts["replay"] = harness.replay_packages([package], "stdio").as_json()
    report = DraftReport.of(drafted, backend.name, parts, seconds)
    report.write(folder)
    return report


@contextmanager
def _timed(name: str, seconds: dict[str, float]) -> Iterator[None]:
    """Note how long something takes; only the report knows, nothing depends on it."""
    start = time.monotonic()
    yield
    seconds[name] = round(time.monotonic() - start, 1)
