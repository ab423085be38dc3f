"""The long work on a world's package, with short results for agents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from toolworld.chained import ChainedOrder
from toolworld.mcp_server.arguments import MakeTasks, ReplayPackage
from toolworld.mcp_server.results import Built, Proven, Replayed, TasksMade
from toolworld.packages import find_module
from toolworld.pipeline.demo import connect_command
from toolworld.pipeline.world import World

MOST_TOLD = 20
PREFIX = "toolworld_"

Say = Callable[[str], None]


def build(folder: Path, domain: Path, say: Say) -> Built:
    """Build a world's package."""
    world = World(folder, say=say)
    built = world.build(domain)
    name = find_module(world.package).name.removeprefix(PREFIX)
    return Built(
        package=str(world.package),
        tools=built.tools,
        things=built.entities,
        rows=sum(built.rows.values()),
        tasks=built.tasks,
        connect=connect_command(world.package, name),
    )


def prove(folder: Path, say: Say) -> Proven:
    """Prove a world's package."""
    content = World(folder, say=say).prove().content
    figures = {
        name: content[name]
        for name in Proven.model_fields
        if name not in ("failures", "not_reached")
    }
    return Proven(
        **figures,
        failures=_first(map(_failure, content["failures"])),
        not_reached=_first(f"{one['function']}: {one['what']}" for one in content["uncovered"]),
    )


def _failure(one: dict[str, Any]) -> str:
    detail = f" ({one['detail']})" if one["detail"] else ""
    return f"{one['tool']}: {one['reason']}{detail}. {one['mend']}"


def make_tasks(folder: Path, order: MakeTasks, say: Say) -> TasksMade:
    """Find the tool graph of a world's package, and make tasks of it."""
    world = World(folder, say=say)
    found = world.find_graph()
    made = world.make_tasks(ChainedOrder(order.count, order.difficulty, order.seed), found)
    return TasksMade(**{name: made.content[name] for name in TasksMade.model_fields})


def replay(folder: Path, order: ReplayPackage, say: Say) -> Replayed:
    """Replay the tasks of a world's package."""
    say(f"Replaying over {order.transport}")
    report = World(folder, say=say).replay(order.transport)
    failures = (one for row in report.by_package for one in row.failures)
    return Replayed(
        transport=report.transport,
        tasks=report.tasks,
        passed=report.passed,
        failed=report.failed,
        calls=report.calls,
        failures=_first(f"{one.task}: {one.reason}" for one in failures),
    )


def _first(texts: Iterable[str]) -> list[str]:
    """Return the first texts, and how many more there are."""
    every = list(texts)
    left = len(every) - MOST_TOLD
    return [*every[:MOST_TOLD], f"... and {left} more."] if left > 0 else every
