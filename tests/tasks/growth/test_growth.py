"""Active tools: gold's, and others around them that can be called and were run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolworld.emit import Package
from toolworld.graph import ToolGraph
from toolworld.graph.surface import surface_of
from toolworld.tasks.chains.stage import rng_for
from toolworld.tasks.episodes import Episodes
from toolworld.tasks.growth.feeding import MOST_KEPT, first_rows
from toolworld.tasks.growth.grow import Grown, Growth, probability
from toolworld.tasks.growth.links import Links
from toolworld.tasks.growth.rehearsal import Hall, Scene
from toolworld.tasks.growth.settings import GrowthSettings
from toolworld.tasks.growth.trial import Trial

Json = Any
Grow = Callable[[Json, int], Grown]

SETTINGS = GrowthSettings()


@pytest.fixture(scope="module")
def grow(retail: Package, retail_graph: ToolGraph) -> Grow:
    growth = Growth(retail, retail_graph)
    return lambda task, seed: growth.grow(task, rng_for(seed))


def test_a_small_package_gives_all_its_tools(library: Package, library_graph: ToolGraph) -> None:
    growth = Growth(library, library_graph)
    for task in library.tasks():
        assert growth.grow(task, rng_for(0)).tools == tuple(library_graph.tools)


def test_there_are_at_least_twenty_tools_in_order_with_gold_s_among_them(
    retail: Package, retail_graph: ToolGraph, grow: Grow
) -> None:
    sizes = set()
    for task in retail.tasks()[::3]:
        tools = grow(task, 0).tools
        sizes.add(len(tools))
        assert len(tools) >= 20
        assert {step["tool"] for step in task["gold"]} <= set(tools)
        assert list(tools) == [name for name in retail_graph.tools if name in tools]
    assert len(sizes) > 5  # the gate decides, not a fixed number
    assert max(sizes) < len(retail_graph.tools)


def test_every_id_comes_from_another_active_tool_or_from_people(
    retail: Package, retail_graph: ToolGraph, grow: Grow
) -> None:
    for task in retail.tasks()[::5]:
        tools = set(grow(task, 1).tools)
        for argument in retail_graph.arguments:
            needed = argument.required and not argument.known and argument.producers
            if argument.tool in tools and needed:
                assert tools.intersection(argument.producers) - {argument.tool}


def test_the_gate_says_what_it_saw(retail: Package, grow: Grow) -> None:
    gates = grow(retail.tasks()[9], 0).gates
    assert [gate.outside for gate in gates] == sorted({g.outside for g in gates}, reverse=True)
    assert all(gate.p >= SETTINGS.threshold for gate in gates[:-1])
    for gate in gates:
        assert 0 <= gate.share <= 1
        assert gate.p == probability(gate.complexity, gate.share, gate.outside, SETTINGS)


def test_a_shut_gate_leaves_the_smallest_number_of_tools_and_an_open_one_more(
    retail: Package, retail_graph: ToolGraph
) -> None:
    task = retail.tasks()[9]
    shut = Growth(retail, retail_graph, replace(SETTINGS, threshold=1.1))
    wide = Growth(retail, retail_graph, replace(SETTINGS, threshold=0.0))
    assert 20 <= len(shut.grow(task, rng_for(0)).tools) <= 24
    assert len(wide.grow(task, rng_for(0)).tools) > 40


shares = st.floats(0, 1)
sizes = st.integers(0, 200)
complexities = st.floats(0, 20)


@given(complexities, shares, sizes, complexities, shares, sizes)
def test_p_grows_with_g_and_with_what_is_outside_and_falls_with_c(
    c: float, g: float, d: int, more_c: float, more_g: float, more_d: int
) -> None:
    p = probability(c, g, d, SETTINGS)
    assert 0 <= p <= 1
    assert probability(c + more_c, g, d, SETTINGS) <= p
    assert probability(c, max(g, more_g), d, SETTINGS) >= p
    assert probability(c, g, d + more_d, SETTINGS) >= p


def test_the_same_random_numbers_give_the_same_tools_whatever_was_grown_before(
    retail: Package, retail_graph: ToolGraph, grow: Grow
) -> None:
    tasks = retail.tasks()
    for task in tasks[20:30]:
        grow(task, 7)
    fresh = Growth(retail, retail_graph).grow(tasks[9], rng_for(5))
    assert grow(tasks[9], 5) == fresh
    assert grow(tasks[9], 6) != fresh


def test_gold_that_does_not_run_is_named(library: Package, library_graph: ToolGraph) -> None:
    gold = [{"tool": "find_member", "arguments": {"email": "nobody@example.com"}, "expect": "ok"}]
    with pytest.raises(ValueError, match="Gold does not run"):
        Growth(library, library_graph).grow({"gold": gold}, rng_for(0))


def without_tool(graph: ToolGraph, name: str) -> ToolGraph:
    """Return a graph in which a tool always rejects: no edge touches it, nothing feeds it."""
    ends = [(edge, {edge.candidate.source, edge.candidate.target}) for edge in graph.edges]
    return replace(graph, edges=[edge for edge, both in ends if name not in both], never=[name])


def test_a_tool_that_always_rejects_is_let_in_for_gold_alone(
    library: Package, library_graph: ToolGraph
) -> None:
    few = replace(SETTINGS, smallest=4)
    growth = Growth(library, without_tool(library_graph, "renew_loan"), few)
    renewing, *others = library.tasks()
    assert "renew_loan" in growth.grow(renewing, rng_for(0)).tools
    for seed in range(8):
        assert "renew_loan" not in growth.grow(others[-1], rng_for(seed)).tools


def test_a_graph_without_edges_leaves_gold_s_tools(
    library: Package, library_graph: ToolGraph
) -> None:
    growth = Growth(library, replace(library_graph, edges=[]), replace(SETTINGS, smallest=4))
    task = library.tasks()[-1]
    gold = {step["tool"] for step in task["gold"]}
    assert set(growth.grow(task, rng_for(0)).tools) == gold


def test_tools_that_cannot_be_run_make_up_the_number(
    retail: Package, retail_graph: ToolGraph
) -> None:
    growth = Growth(retail, replace(retail_graph, edges=[]))
    assert len(growth.grow(retail.tasks()[9], rng_for(0)).tools) == 20


def test_a_tool_with_nothing_to_work_on_gets_rows_and_gold_sees_none_of_them(
    library: Package, library_graph: ToolGraph
) -> None:
    surface, links = surface_of(library), Links(library_graph)
    hall = Hall(Episodes(library), surface, links, SETTINGS)
    task = library.tasks()[-1]
    holds = library.module("seed").default_base().tables["holds"].rows
    empty = {"holds": dict.fromkeys(holds)}
    played = Trial(Episodes(library)).play(task["gold"], empty)
    assert played
    rehearsal = hall.open(empty, played)
    assert rehearsal.runs("cancel_hold")
    assert rehearsal.patches == 1
    new = [row for row in rehearsal.initial["holds"].values() if row is not None]
    assert new
    again = Trial(Episodes(library)).play(task["gold"], rehearsal.initial)
    assert again
    assert again.calls == played.calls
    assert again.changes == played.changes


def test_a_call_concerns_a_start_that_says_what_it_names(library: Package) -> None:
    tools = surface_of(library).tools
    loans = library.module("seed").default_base().tables["loans"].rows
    (mine, row), (other, _), *_ = ((key, row.model_dump(mode="json")) for key, row in loans.items())
    scene = Scene(Episodes(library), {"loans": {mine: row}})
    assert scene.concerns(tools["renew_loan"], {"loan_id": mine})
    assert scene.concerns(tools["list_member_loans"], {"member_id": row["member_id"]})
    assert not scene.concerns(tools["renew_loan"], {"loan_id": other})
    assert not scene.concerns(tools["find_member"], {"email": "nobody@example.com"})
    assert not scene.concerns(tools["list_member_loans"], {})  # it only looks
    assert scene.concerns(tools["renew_loan"], {})
    assert Scene(Episodes(library), {"loans": {mine: None}}).concerns(
        tools["renew_loan"], {"loan_id": mine}
    )


def test_only_a_listing_is_asked_for_its_first_rows(retail: Package) -> None:
    tools = surface_of(retail).tools
    assert first_rows(tools["search_orders"], {"limit": 50}) == {"limit": MOST_KEPT}
    assert first_rows(tools["get_order"], {"order_id": "ORD-00001"}) == {"order_id": "ORD-00001"}
    listing = tools["search_orders"]
    write = replace(tools["refund_order"], parameters=listing.parameters)
    assert first_rows(write, {"limit": 50}) == {"limit": 50}
