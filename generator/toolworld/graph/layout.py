"""Where each tool stands on the page: drawn together by edges, entities side by side.

networkx would need numpy for this; a graph of a hundred tools does not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

from toolworld.graph.model import ToolGraph

Point = tuple[float, float]

ROUNDS = 160
SPACING = 150.0
COMPANY = 0.6
"""How strongly tools of one entity draw each other, beside edges."""
HOMING, FLATNESS = 0.03, 1.7
"""How strongly all are drawn to the middle, and how much more so from above and below."""


def layout(graph: ToolGraph) -> dict[str, Point]:
    """Return a point for each tool, whole pixels from (0, 0); the same for the same graph."""
    names = list(graph.tools)
    points = _start(names, {name: graph.tools[name]["entity"] for name in names})
    pulls = _pulls(graph)
    for number in range(ROUNDS):
        _move(points, pulls, limit=SPACING * (1 - number / ROUNDS))
    return _from_zero(points)


def _start(names: Sequence[str], homes: Mapping[str, str]) -> dict[str, list[float]]:
    """Put tools on a circle, those of one entity next to each other."""
    order = sorted(names, key=lambda name: (homes[name], name))
    radius = SPACING * max(1.0, len(names) / 6)
    angles = {name: 2 * math.pi * place / len(order) for place, name in enumerate(order)}
    return {
        name: [radius * math.cos(angles[name]), radius * math.sin(angles[name])] for name in names
    }


def _pulls(graph: ToolGraph) -> dict[tuple[str, str], float]:
    """Return how strongly each two tools draw each other."""
    pulls: dict[tuple[str, str], float] = {}
    degrees = dict.fromkeys(graph.tools, 1)
    pairs = sorted({_pair(edge.candidate.source, edge.candidate.target) for edge in graph.edges})
    for one, other in pairs:
        degrees[one] += 1
        degrees[other] += 1
    for one, other in pairs:
        pulls[one, other] = 4.0 / math.sqrt(degrees[one] * degrees[other])
    for one, other in combinations(sorted(graph.tools), 2):
        if graph.tools[one]["entity"] == graph.tools[other]["entity"]:
            pulls[one, other] = pulls.get((one, other), 0.0) + COMPANY
    return pulls


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _move(
    points: dict[str, list[float]], pulls: Mapping[tuple[str, str], float], limit: float
) -> None:
    """Move every point once, by at most a limit."""
    moves = {name: [0.0, 0.0] for name in points}
    for one, other in combinations(points, 2):
        dx, dy = points[one][0] - points[other][0], points[one][1] - points[other][1]
        apart = max(1.0, math.hypot(dx, dy))
        pull = pulls.get(_pair(one, other), 0.0)
        force = (SPACING / apart) ** 2 - pull * apart / SPACING / 4
        for name, sign in ((one, 1), (other, -1)):
            moves[name][0] += sign * dx / apart * force * SPACING / 4
            moves[name][1] += sign * dy / apart * force * SPACING / 4
    for name, (dx, dy) in moves.items():
        dx -= points[name][0] * HOMING
        dy -= points[name][1] * HOMING * FLATNESS
        length = max(1e-9, math.hypot(dx, dy))
        step = min(length, limit) / length
        points[name][0] += dx * step
        points[name][1] += dy * step


def _from_zero(points: Mapping[str, Sequence[float]]) -> dict[str, Point]:
    left = min((point[0] for point in points.values()), default=0.0)
    top = min((point[1] for point in points.values()), default=0.0)
    return {name: (round(x - left), round(y - top)) for name, (x, y) in points.items()}
