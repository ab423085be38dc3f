"""How hard a task is: figures, and a word for them.

The word follows the number of steps as for hand-written tasks, ``emit/gold.py``; a task with
many changes, or whose goal a planner does not find, is one level harder than that, for the same
number of steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from toolworld.tasks.growth import Grown
from toolworld.tasks.settings import LEVELS, GrowthSettings, Level

Json = Any


@dataclass(frozen=True)
class Figures:
    """What is measured of a task.

    Attributes:
        steps: The calls of gold.
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


def level(figures: Figures, settings: GrowthSettings) -> Level:
    """Return the word for some figures."""
    place = level_of_steps(figures.steps, settings)
    if figures.writes >= settings.many_writes or figures.effort >= settings.much_effort:
        place = min(place + 1, len(LEVELS) - 1)
    return LEVELS[place]


def level_of_steps(steps: int, settings: GrowthSettings) -> int:
    """Return the place among levels that a number of steps has by itself."""
    return (steps > settings.easy_steps) + (steps > settings.medium_steps)


def figures_of(
    gold: Sequence[Mapping[str, Json]], writes: int, grown: Grown, density: float, effort: int
) -> Figures:
    """Return the figures of a task from what its parts said.

    Args:
        gold: Its steps.
        writes: How many of them change something.
        grown: What ``Growth`` said.
        density: What ``Distracted`` said.
        effort: What ``Effort`` said.
    """
    return Figures(
        steps=len(gold),
        writes=writes,
        tools=len({step["tool"] for step in gold}),
        active=len(grown.tools),
        complexity=grown.complexity,
        branching=grown.branching,
        density=density,
        effort=effort,
    )
