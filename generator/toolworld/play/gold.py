"""A task's gold sequence as a player sees it afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toolworld.packages import Package
from toolworld.play.steps import Exchange, MadeCall


@dataclass(frozen=True)
class GoldPlayed:
    """What gold did.

    Attributes:
        steps: Its calls and messages in order.
        changes: The rows that differ afterwards, which the goal wants.
        answers: What the goal wants the person to be told; of alternatives, any one.
    """

    steps: tuple[MadeCall | Exchange, ...]
    changes: tuple[Any, ...]
    answers: tuple[Any, ...]


def play_gold(package: Package, task: Any) -> GoldPlayed:
    """Play the gold of a task from its start, in an environment of its own."""
    # Imported here: it loads all that makes tasks, which most players never need.
    from toolworld.tasks.execute.player import Player

    steps = tuple(
        Exchange(step.step.say, step.text)
        if step.step.say
        else MadeCall(step.step.tool, step.arguments, step.outcome, step.text, step.code)
        for step in Player(package).play(task).steps
    )
    changes = tuple(change.as_json() for change in task.goal.changes)
    return GoldPlayed(steps, changes, task.goal.answers)
