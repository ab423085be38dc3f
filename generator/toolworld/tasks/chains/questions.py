"""What a person wants to be told of a result, and the answers."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping
from decimal import Decimal
from typing import Any

from toolworld.graph.surface import ToolFacts
from toolworld.graph.values import holds
from toolworld.tasks.outline import Aggregate, Ask

Json = Any
Answer = str | int | float

LONGEST = 60
MOST_ASKED = 2
FEWEST_ROWS = 2
OVER_ALL: Mapping[str, tuple[Aggregate, ...]] = {
    "number": ("sum", "highest", "lowest"),
    "integer": ("highest", "lowest"),
}
"""What is asked over all rows of a listing; whole numbers, such as floors, are not added up."""
OVER: Mapping[str, Callable[[list[Decimal]], Decimal]] = {
    "sum": lambda numbers: sum(numbers, Decimal(0)),
    "highest": max,
    "lowest": min,
}
WORTH = {"number": 6, "integer": 4, "date": 4, "text": 3, "enum": 1}


def asks_of(
    tool: ToolFacts,
    schema: Mapping[str, Json],
    values: Mapping[str, Json],
    result: Mapping[str, Json],
    rng: random.Random,
    before: Mapping[str, Json] | None = None,
    never: Collection[Ask] = (),
    clauses: Collection[tuple[str, str]] = (),
    is_told: Callable[[Answer], bool] = lambda _: False,
) -> tuple[Ask, ...]:
    """Choose one or two values of a result to ask for; none when none is worth it.

    Args:
        tool: The tool that was called.
        schema: The schema of its result.
        values: Its arguments: what is said there is not asked.
        result: Its result.
        rng: Chooses.
        before: The result the same call would have had earlier: what differs is preferred.
        never: What is not to be asked.
        clauses: Shapes and columns asked for by a clause: "the highest" cannot stand before it.
        is_told: Whether the person may well say an answer themselves: then it comes last.
    """
    options = dict(_of_page(tool, schema, result) if "items" in result else _plain(tool, schema))
    worth: dict[Ask, float] = {}
    for ask, kind in options.items():
        answer = answer_to(ask, result)
        if ask.aggregate and (ask.shape, ask.column) in clauses:
            continue
        if answer is None or ask in never:
            continue
        if _is_worth_asking(answer) and not holds(values, answer):
            fresh = before is not None and answer_to(ask, before) != answer
            worth[ask] = WORTH[kind] * (50 if fresh else 1) / (100 if is_told(answer) else 1)
    return _chosen(worth, rng)


def _chosen(worth: dict[Ask, float], rng: random.Random) -> tuple[Ask, ...]:
    chosen: list[Ask] = []
    wanted = rng.choice((1, MOST_ASKED, MOST_ASKED))
    while worth and len(chosen) < wanted:
        ask = rng.choices(list(worth), list(worth.values()))[0]
        chosen.append(ask)
        del worth[ask]
    return tuple(chosen)


def answer_to(ask: Ask, result: Mapping[str, Json]) -> Answer | None:
    """Return the value that is asked for, or None if the result has none."""
    if ask.aggregate == "count":
        return int(result.get("total", len(result.get("items", ()))))
    if ask.aggregate:
        return _over_all(ask, result)
    items = result.get("items")
    row = items[0] if items and ask.path.startswith("items.0.") else result
    return row.get(ask.column)


def _over_all(ask: Ask, result: Mapping[str, Json]) -> float | int | None:
    found = [item.get(ask.column) for item in result.get("items", ())]
    numbers = [Decimal(str(value)) for value in found if value is not None]
    if len(numbers) < len(found) or not numbers or result.get("next_cursor"):
        return None
    total = OVER[ask.aggregate](numbers)
    return int(total) if total == total.to_integral_value() else float(total)


def _is_worth_asking(answer: Answer) -> bool:
    if isinstance(answer, bool) or answer in ("", 0):
        return False
    return not isinstance(answer, str) or len(answer) <= LONGEST


def _plain(
    tool: ToolFacts, schema: Mapping[str, Json], start: str = ""
) -> Iterator[tuple[Ask, str]]:
    ids = {path.replace(".*", ".0") for path in tool.result_ids}
    for column, part in schema["properties"].items():
        kind = kind_of(part)
        if kind is not None and start + column not in ids:
            yield Ask(start + column, tool.result, column), kind


def _of_page(
    tool: ToolFacts, schema: Mapping[str, Json], result: Mapping[str, Json]
) -> Iterator[tuple[Ask, str]]:
    columns = schema["properties"]["items"]["items"]
    if len(result["items"]) == 1:
        yield from _plain(tool, columns, "items.0.")
    if result["total"] < FEWEST_ROWS:
        return
    yield Ask("total", tool.result, "", "count"), "integer"
    for column, part in columns["properties"].items():
        for aggregate in OVER_ALL.get(kind_of(part) or "", ()):
            yield Ask(f"items.*.{column}", tool.result, column, aggregate), "number"


def kind_of(schema: Mapping[str, Json]) -> str | None:
    """Return what kind of answer a column gives, or None if it is no good as one.

    A time is none: people say it in too many ways.
    """
    arm = schema["anyOf"][0] if "anyOf" in schema else schema
    if "enum" in arm:
        return "enum"
    if arm.get("type") == "string":
        return {None: "text", "date": "date"}.get(arm.get("format"))
    return arm.get("type") if arm.get("type") in ("number", "integer") else None
