"""How hard a task is: figures, and a word for them.

The word follows the number of steps as for hand-written tasks, ``emit/gold.py``. Beyond that, a
task is never easy if the planner spends its budget and does not find the goal, and is hard if it
has many writes besides: of two tasks of one length, that is the harder one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from toolworld.tasks.growth.grow import Grown
from toolworld.tasks.growth.settings import GrowthSettings, Level

Json = Any


@dataclass(frozen=True)
class Figures:
    """What is measured of a task.

    Attributes:
        steps: The calls of gold that are needed.
        writes: Those that change something.
        tools: The different tools among them.
        active: The tools an agent may use.
        complexity: c of the active tools.
        branching: To how many of them an edge leads from one, on average.
        density: Distractor rows for each row gold names or changes.
        effort: The calls a planner made to reach the goal; the whole budget if it did not.
    """

    steps: int
    writes: int
    tools: int
    active: int
    complexity: float
    branching: float
    density: float
    effort: int

    def as_json(self, settings: GrowthSettings) -> dict[str, Json]:
        """Return them as a task has them, the level first."""
        rounded = {
            name: round(value, 2) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }
        return {"level": level(self, settings), **rounded}


def possible(steps: int, writes: int, settings: GrowthSettings) -> set[Level]:
    """Return the words that a task may get, before it is known how a planner fares."""
    figures = Figures(steps, writes, 0, 0, 0.0, 0.0, 0.0, effort=0)
    lost = replace(figures, effort=settings.planner_budget)
    return {level(figures, settings), level(lost, settings)}


def level(figures: Figures, settings: GrowthSettings) -> Level:
    """Return the word for some figures."""
    lost = figures.effort >= settings.planner_budget
    if figures.steps > settings.medium_steps or (lost and figures.writes >= settings.many_writes):
        return "hard"
    return "medium" if lost or figures.steps > settings.easy_steps else "easy"


def figures_of(
    steps: int,
    gold: Sequence[Mapping[str, Json]],
    writes: int,
    grown: Grown,
    density: float,
    effort: int,
) -> Figures:
    """Return the figures of a task from what its parts said.

    Args:
        steps: How many of its steps are needed; look-ups on a detour are not.
        gold: Its steps.
        writes: How many of them change something.
        grown: What ``Growth`` said.
        density: What ``Distracted`` said.
        effort: What ``Effort`` said.
    """
    return Figures(
        steps=steps,
        writes=writes,
        tools=len({step["tool"] for step in gold}),
        active=len(grown.tools),
        complexity=grown.complexity,
        branching=grown.branching,
        density=density,
        effort=effort,
    )
