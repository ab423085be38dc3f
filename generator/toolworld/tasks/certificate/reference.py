"""Gold as it runs in process, which every transport is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolworld.tasks.certificate.facts import Facts
from toolworld.tasks.certificate.verdict import Task
from toolworld.tasks.certificate.wire import Call, Outcome, Run, Said
from toolworld.tasks.episodes import Episodes

Json = Any

EPISODE_PARTS = ("id", "instruction", "tools", "initial", "goal")
"""What of a task an episode goes by, and what must be there; the rest is not sent."""


@dataclass(frozen=True)
class Reference:
    """Gold of a task as it ran in process, and what must come of it everywhere."""

    name: str
    run: Run
    expected: Outcome


def reference_of(task: Task, facts: Facts, episodes: Episodes) -> Reference:
    """Return gold of a task that passed its certificate, as it runs in process."""
    episode = episodes.open(task.get("initial"))
    calls: list[Call] = []
    said: list[Said] = []
    results: list[Mapping[str, Json]] = []
    for step in task["gold"]:
        arguments = {
            name: facts.resolve(value, results) for name, value in step["arguments"].items()
        }
        given = episode.call(step["tool"], arguments)
        results.append(given.structured)
        calls.append(Call(step["tool"], arguments))
        said.append(Said(given.is_error, given.text))
    run = Run(
        {name: task[name] for name in EPISODE_PARTS if name in task},
        calls,
        "\n".join(map(str, task["goal"]["answers"])),
    )
    start, end = facts.digest_of(episode.start.rows), facts.digest_of(episode.now().rows)
    return Reference(str(task.get("id", "")), run, Outcome(start, said, end, 1.0))
