"""Every number that the tools of a task depend on, in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SubsetSettings:
    """How tools are added around those that a task needs.

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
        longest_chain: The most calls of a chain that the solver may find.
        breadth: How many tools expansion adds around a chain at most.
        tries: How many ways of filling in a tool's arguments are tried.
    """

    edge_weight: float = 0.5
    saturation: float = 50.0
    threshold: float = 0.3
    solver_tries: int = 16
    supply: float = 20.0
    burden: float = 4.0
    smallest: int = 20
    longest_chain: int = 5
    breadth: int = 6
    tries: int = 3
