"""Where everything stands on the page: a card for each entity, its tools in rows on it.

Rows of fixed height on cards that lie beside and below each other never overlap, however many
tools there are. Cards stand in columns so that most strong edges lead from left to right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolworld.graph.model import ToolGraph

ROW, HEAD, FOOT = 19, 30, 8
"""The height of a tool's row, and of what is above and below the rows of a card."""
LETTER, HEADING, EDGE = 6.7, 7.8, 26
"""The width of a letter of a tool's name and of a card's title, and of a card around them."""
BESIDE, BELOW = 125, 18
"""The room between columns, where edges run, and between the cards of one."""
SHAPE = 1.25
"""How many times wider than high the whole should be."""
MOST_COLUMNS = 7
ROUNDS = 8

Weights = Mapping[tuple[str, str], int]
"""How many strong edges feed the tools of one entity from those of another."""


@dataclass(frozen=True)
class Card:
    """An entity's place, in pixels from the upper left, and its tools from top to bottom."""

    entity: str
    x: int
    y: int
    width: int
    height: int
    tools: tuple[str, ...]

    @property
    def rows(self) -> dict[str, int]:
        """The vertical middle of each tool's row."""
        return {
            name: self.y + HEAD + number * ROW + ROW // 2 for number, name in enumerate(self.tools)
        }


def layout(graph: ToolGraph) -> list[Card]:
    """Return a card for each entity that has tools; the same graph gives the same cards."""
    tools: dict[str, list[str]] = {}
    for name, said in graph.tools.items():
        tools.setdefault(said["entity"], []).append(name)
    weights = _weights(graph)
    order = _in_line(sorted(tools), weights)
    shapes = [_columns(order, tools, count) for count in range(1, MOST_COLUMNS + 1)]
    columns = min(shapes, key=lambda shape: abs(_shape(shape, tools) - SHAPE))
    return _placed(_sorted(columns, weights), tools)


def _weights(graph: ToolGraph) -> Counter[tuple[str, str]]:
    home = {name: said["entity"] for name, said in graph.tools.items()}
    fed = (edge.candidate for edge in graph.strong if edge.candidate.label == "data")
    ends = ((home[one.source], home[one.target]) for one in fed)
    return Counter((one, other) for one, other in ends if one != other)


def _in_line(entities: Sequence[str], weights: Weights) -> list[str]:
    """Return entities in an order that most of the weight goes along, not against.

    The one that feeds most beyond what it is fed comes next, among those that are left.
    """
    left, order = list(entities), []
    while left:
        rest = set(left)

        def surplus(entity: str, rest: set[str] = rest) -> int:
            return sum(
                weights.get((entity, other), 0) - weights.get((other, entity), 0) for other in rest
            )

        first = max(left, key=surplus)
        order.append(first)
        left.remove(first)
    return order


def _columns(
    order: Sequence[str], tools: Mapping[str, Sequence[str]], count: int
) -> list[list[str]]:
    """Share out entities to columns of about the same height, in their order."""
    whole = sum(_height(tools[entity]) + BELOW for entity in order)
    columns: list[list[str]] = [[] for _ in range(count)]
    above = 0
    for entity in order:
        height = _height(tools[entity]) + BELOW
        middle = above + height / 2
        columns[min(count - 1, int(count * middle / whole))].append(entity)
        above += height
    return [column for column in columns if column]


def _shape(columns: Sequence[Sequence[str]], tools: Mapping[str, Sequence[str]]) -> float:
    """Return how many times wider than high columns are."""
    width = sum(_width(column, tools) + BESIDE for column in columns) - BESIDE
    heights = [sum(_height(tools[entity]) + BELOW for entity in column) for column in columns]
    return width / max(heights, default=1)


def _width(column: Sequence[str], tools: Mapping[str, Sequence[str]]) -> int:
    rows = [len(name) * LETTER for entity in column for name in tools[entity]]
    titles = [len(entity) * HEADING for entity in column]
    return round(max(rows + titles)) + EDGE


def _height(rows: Sequence[str]) -> int:
    return HEAD + len(rows) * ROW + FOOT


def _sorted(columns: list[list[str]], weights: Weights) -> list[list[str]]:
    """Return columns with each entity at about the height of those it is joined to."""
    for _ in range(ROUNDS):
        heights = {
            entity: (place + 0.5) / len(column)
            for column in columns
            for place, entity in enumerate(column)
        }
        columns = [
            sorted(column, key=lambda entity: _middle(entity, heights, weights))
            for column in columns
        ]
    return columns


def _middle(entity: str, heights: Mapping[str, float], weights: Weights) -> float:
    """Return the mean height of the entities that one is joined to, its own counted once."""
    pulls = {other: weights.get((entity, other), 0) + weights.get((other, entity), 0)
             for other in heights}  # fmt: skip
    pulls[entity] = 1
    return sum(heights[other] * pull for other, pull in pulls.items()) / sum(pulls.values())


def _placed(columns: Sequence[Sequence[str]], tools: Mapping[str, Sequence[str]]) -> list[Card]:
    """Return the cards of all columns; a shorter column is centred beside the others."""
    tallest = max((_column_height(column, tools) for column in columns), default=0)
    cards, x = [], 0
    for column in columns:
        width = _width(column, tools)
        y = (tallest - _column_height(column, tools)) // 2
        for entity in column:
            height = _height(tools[entity])
            cards.append(Card(entity, x, y, width, height, tuple(tools[entity])))
            y += height + BELOW
        x += width + BESIDE
    return cards


def _column_height(column: Sequence[str], tools: Mapping[str, Sequence[str]]) -> int:
    return sum(_height(tools[entity]) + BELOW for entity in column) - BELOW
