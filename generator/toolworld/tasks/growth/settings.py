"""Every number that growth, distractors and difficulty depend on, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Level = Literal["easy", "medium", "hard"]
LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")


def _densities() -> dict[Level, float]:
    return {"easy": 0.25, "medium": 1.0, "hard": 2.0}


@dataclass(frozen=True)
class GrowthSettings:
    """How tools and rows are added around a gold sequence.

    The complexity of a set of tools H is ``c = (|V| + edge_weight * |E|) / saturation``, where
    E holds the ordered pairs of different tools of H with an edge between them. With D the
    tools outside H, and g how often the solver finds a chain in D, another chain is taken in
    while ``p >= threshold``, where

        ``p = g * (1 - exp(-|D| / supply)) / (1 + c / burden)``

    which grows with g and with the size of D, and falls with c.

    Attributes:
        edge_weight: What an edge counts beside a tool, lambda.
        saturation: The size at which c is 1, S_sat.
        threshold: The p that another chain needs, tau.
        solver_tries: How often the solver tries to find a chain in D.
        supply: How many tools outside make p about two thirds of what endless ones would.
        burden: The complexity that halves p.
        smallest: The fewest tools a task has, if the package has as many.
        chain_lengths: The fewest and the most calls of a chain that is taken in.
        breadth: How many tools expansion adds around a chain at most.
        tries: How many ways of filling in a tool's arguments are tried.
        most_patches: For how many tools rows may be put into a task's start.
        planner_budget: How many calls the planner may make to reach a goal.
        densities: How many distractor rows there are for each row that gold names, by level.
        most_distractors: The most distractor rows of a task.
        most_clones: The most rows that are added together to make one distractor.
        distractor_tries: How many distractors are tried for each one that is wanted.
        easy_steps: The most steps of an easy task; ``emit/gold.py`` has the same bound.
        medium_steps: The most steps of a medium task; likewise.
        many_writes: A medium task with so many writes, whose goal the planner does not find, is
            hard.
    """

    edge_weight: float = 0.5
    saturation: float = 50.0
    threshold: float = 0.3
    solver_tries: int = 16
    supply: float = 20.0
    burden: float = 4.0
    smallest: int = 20
    chain_lengths: tuple[int, int] = (2, 5)
    breadth: int = 6
    tries: int = 3
    most_patches: int = 3
    planner_budget: int = 16
    densities: dict[Level, float] = field(default_factory=_densities)
    most_distractors: int = 16
    most_clones: int = 10
    distractor_tries: int = 3
    easy_steps: int = 3
    medium_steps: int = 7
    many_writes: int = 4
