"""Strong edges lead to the row that is meant; the others only happen to carry an id."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from toolworld.graph import ToolGraph
from toolworld.graph.candidates import Candidate
from toolworld.graph.strength import strength_of
from toolworld.graph.surface import EntityFacts, ParameterFacts, Surface, ToolFacts, surface_of
from toolworld.packages import load_package

GUEST = EntityFacts("Guest", "guests", "guest_id", True, {}, ("email",))
ROOM = EntityFacts("Room", "rooms", "room_id", True, {})
STAY = EntityFacts("Stay", "stays", "stay_id", True, {"guest_id": "Guest", "room_id": "Room"})


def parameter(name: str, entity: str = "", required: bool = True) -> ParameterFacts:
    return ParameterFacts(name, entity or "text", required, {name: entity} if entity else {})


def tool(result: str, *parts: ParameterFacts, **more: Any) -> ToolFacts:
    facts: Mapping[str, Any] = {
        "reads": frozenset(),
        "writes": frozenset(),
        "creates": frozenset(),
        "deletes": frozenset(),
        "shows_rows": True,
        **more,
    }
    return ToolFacts(
        name="source",
        title="Source",
        rejects=(),
        parameters={part.name: part for part in parts},
        result=result,
        result_ids={},
        schema={},
        **facts,
    )


def strength(source: ToolFacts, entity: EntityFacts, output: str, column: str = "") -> str:
    entities = {one.name: one for one in (GUEST, ROOM, STAY)}
    candidate = Candidate("source", "target", "data", "x", (output,), entity.name, column=column)
    return strength_of(Surface({"source": source}, entities), candidate)


@pytest.mark.parametrize(
    ("source", "entity", "output", "column"),
    [
        (tool("Guest", parameter("email")), GUEST, "guest_id", ""),
        (tool("Stay", parameter("room_id", "Room")), STAY, "stay_id", ""),
        (tool("Stay", parameter("guest_id", "Guest"), paged=True), STAY, "items.*.stay_id", ""),
        (tool("Stay", parameter("day", required=False), paged=True), STAY, "items.*.stay_id", ""),
        (tool("Guest", parameter("name"), paged=True), GUEST, "items.*.email", "email"),
        (tool("Room", parameter("limit", required=False), paged=True), ROOM, "items.*.room_id", ""),
        (
            tool("Offer", parameter("day"), shows_rows=False, paged=True),
            ROOM,
            "items.*.room_id",
            "",
        ),
        (
            tool("Stay", parameter("guest_id", "Guest"), creates=frozenset({"stays"})),
            STAY,
            "stay_id",
            "",
        ),
    ],
    ids=(
        "look-up", "of its owner", "listing of an owner", "filter", "unique text", "catalogue",
        "search for no rows", "maker",
    ),
)  # fmt: skip
def test_a_way_to_the_row_is_strong(
    source: ToolFacts, entity: EntityFacts, output: str, column: str
) -> None:
    assert strength(source, entity, output, column) == "strong"


@pytest.mark.parametrize(
    ("source", "entity", "output", "column"),
    [
        (tool("Stay", parameter("guest_id", "Guest"), paged=True), ROOM, "items.*.room_id", ""),
        (tool("Stay", parameter("limit", required=False), paged=True), STAY, "items.*.stay_id", ""),
        (tool("Guest", parameter("guest_id", "Guest")), GUEST, "email", "email"),
        (tool("Bill", parameter("stay_id", "Stay"), shows_rows=False), GUEST, "guest_id", ""),
        (
            tool("Bill", parameter("day"), shows_rows=False, paged=True),
            ROOM,
            "items.*.lines.*.room_id",
            "",
        ),
        (tool("Stay", parameter("stay_id", "Stay"), writes=frozenset({"stays.left"})), ROOM,
         "room_id", ""),
    ],
    ids=(
        "another row's", "whole table", "by its own id", "object", "deep inside", "writer",
    ),
)  # fmt: skip
def test_a_result_that_happens_to_carry_an_id_is_incidental(
    source: ToolFacts, entity: EntityFacts, output: str, column: str
) -> None:
    assert strength(source, entity, output, column) == "incidental"


def test_conditions_are_strong_and_so_are_the_ways_to_each_row(graph: ToolGraph) -> None:
    fed = {
        (edge.candidate.source, edge.candidate.argument, edge.strength)
        for edge in graph.edges
        if edge.candidate.label == "data"
    }
    assert {
        ("find_member", "member_id", "strong"),
        ("search_books", "isbn", "strong"),
        ("list_member_loans", "loan_id", "strong"),
        ("place_hold", "hold_id", "strong"),
        ("list_member_loans", "isbn", "incidental"),
        ("return_loan", "member_id", "incidental"),
    } <= fed
    assert all(e.strength == "strong" for e in graph.edges if e.candidate.label != "data")


def test_a_package_says_which_results_are_rows_and_pages(golden_package: Path) -> None:
    tools = surface_of(load_package(golden_package)).tools
    assert tools["search_books"].paged and tools["search_books"].shows_rows
    assert not tools["find_member"].paged
    assert [part.name for part in tools["search_books"].narrowing] == ["query"]
