"""How far an episode at a task has come."""

from __future__ import annotations

from typing import NamedTuple

from ..calls.trace import Trace
from ..person.state import START, PersonState
from .task import Task, WorldChange


class Progress(NamedTuple):
    """How far an episode at a task has come; immutable.

    Attributes:
        trace: What happened.
        person: How far the talk with the person has come.
        changed: How many calls changed something.
        left: The changes of the world that are still to come.
    """

    trace: Trace
    person: PersonState = START
    changed: int = 0
    left: tuple[WorldChange, ...] = ()


def started(task: Task | None) -> Progress | None:
    """Return the progress at the start of an episode; None without a task."""
    if task is None:
        return None
    return Progress(Trace(), left=task.world_changes)


def wrote_since_reply(trace: Trace) -> bool:
    """Return whether the agent changed something since the person last spoke."""
    wrote = False
    for event in trace:
        if event.kind == "reply":
            wrote = False
        wrote = wrote or bool(event.writes)
    return wrote
