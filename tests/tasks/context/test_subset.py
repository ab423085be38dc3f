"""Active tools: what a task needs, and others around that can be called and were run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tasks.context.conftest import rng
from toolworld.graph import ToolGraph
from toolworld.graph.surface import surface_of
from toolworld.packages import Package
from toolworld.tasks.context import SubsetSettings, ToolSubset
from toolworld.tasks.context.links import Links, numbers
from toolworld.tasks.context.rehearsal import Rehearsal, RehearsalStage
from toolworld.tasks.context.solver import ChainSolver
from toolworld.tasks.context.subset import probability

Json = Any
Grow = Callable[..., tuple[str, ...]]
Tasks = list[dict[str, Any]]

SETTINGS = SubsetSettings()


@pytest.fixture(scope="module")
def grow(retail: Package, retail_graph: ToolGraph) -> Grow:
    subset = ToolSubset(retail, retail_graph)
    return lambda task, seed=0, tools=(): subset.grow(task, tools, rng(seed))


def test_a_small_package_gives_all_its_tools(library: Package, library_graph: ToolGraph) -> None:
    subset = ToolSubset(library, library_graph)
    for task in library.tasks():
        assert subset.grow(task, (), rng(0)) == tuple(library_graph.tools)


def test_there_are_at_least_twenty_tools_in_order_with_gold_s_among_them(
    retail_tasks: Tasks, retail_graph: ToolGraph, grow: Grow
) -> None:
    sizes = set()
    for task in retail_tasks:
        tools = grow(task, task["id"])
        sizes.add(len(tools))
        assert len(tools) >= 20
        assert {step["tool"] for step in task["gold"]} <= set(tools)
        assert "get_shop_info" in tools, "it tells the date"
        assert list(tools) == [name for name in retail_graph.tools if name in tools]
    assert len(sizes) > 5  # the gate decides, not a fixed number
    assert max(sizes) < len(retail_graph.tools)


def test_the_expert_s_tools_are_in_though_gold_does_not_call_them(
    retail_tasks: Tasks, grow: Grow
) -> None:
    tools = {"request_exchange", "close_customer_account", "list_promotions"}
    for seed in range(4):
        assert tools <= set(grow(retail_tasks[9], seed, tools))


@pytest.mark.parametrize(
    ("called", "leading"),
    [
        ("cancel_order", {"find_customer_by_email", "find_customer_by_name",
                          "list_customer_orders", "search_orders", "get_order"}),
        ("cancel_return", {"list_returns", "find_customer_by_email"}),
        ("restock_variant", {"search_products", "list_product_variants", "find_variant_by_sku"}),
        ("record_delivery", {"list_order_shipments", "track_shipment", "list_customer_orders"}),
        ("apply_promotion", {"list_promotions"}),
    ],
)  # fmt: skip
def test_every_look_up_that_leads_to_a_row_is_in(
    grow: Grow, called: str, leading: set[str]
) -> None:
    for seed in range(4):
        assert leading <= set(grow({"id": "none", "instruction": ""}, seed, [called]))


def test_every_id_comes_from_another_active_tool_or_from_people(
    retail_tasks: Tasks, retail_graph: ToolGraph, grow: Grow
) -> None:
    for task in retail_tasks[::3]:
        tools = set(grow(task, 1))
        for argument in retail_graph.arguments:
            needed = argument.required and not argument.known and argument.producers
            if argument.tool in tools and needed:
                assert tools.intersection(argument.producers) - {argument.tool}


def test_a_shut_gate_leaves_the_smallest_number_of_tools_and_an_open_one_more(
    retail: Package, retail_tasks: Tasks, retail_graph: ToolGraph
) -> None:
    task = retail_tasks[9]
    shut = ToolSubset(retail, retail_graph, replace(SETTINGS, threshold=1.1))
    wide = ToolSubset(retail, retail_graph, replace(SETTINGS, threshold=0.0))
    assert 20 <= len(shut.grow(task, (), rng(0))) <= 24
    assert len(wide.grow(task, (), rng(0))) > 40


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
    retail: Package, retail_tasks: Tasks, retail_graph: ToolGraph, grow: Grow
) -> None:
    tasks = retail_tasks
    for task in tasks[10:20]:
        grow(task, 7)
    fresh = ToolSubset(retail, retail_graph).grow(tasks[9], (), rng(5))
    assert grow(tasks[9], 5) == fresh
    assert len({grow(tasks[9], seed) for seed in range(4)}) > 1


def without_tool(graph: ToolGraph, name: str) -> ToolGraph:
    """Return a graph in which a tool always rejects: no edge touches it, nothing feeds it."""
    ends = [(edge, {edge.candidate.source, edge.candidate.target}) for edge in graph.edges]
    return replace(graph, edges=[edge for edge, both in ends if name not in both], never=[name])


def test_a_tool_that_always_rejects_is_let_in_for_gold_alone(
    library: Package, library_graph: ToolGraph
) -> None:
    few = replace(SETTINGS, smallest=4)
    subset = ToolSubset(library, without_tool(library_graph, "renew_loan"), few)
    renewing, *others = library.tasks()
    assert "renew_loan" in subset.grow(renewing, (), rng(0))
    for seed in range(8):
        assert "renew_loan" not in subset.grow(others[-1], (), rng(seed))


def test_a_graph_without_edges_leaves_what_is_needed(
    library: Package, library_graph: ToolGraph
) -> None:
    bare = replace(library_graph, edges=[])
    subset = ToolSubset(library, bare, replace(SETTINGS, smallest=4))
    task = library.tasks()[-1]
    gold = {step["tool"] for step in task["gold"]}
    assert gold <= set(subset.grow(task, (), rng(0)))


def test_tools_that_cannot_be_run_make_up_the_number(
    retail: Package, retail_tasks: Tasks, retail_graph: ToolGraph
) -> None:
    subset = ToolSubset(retail, replace(retail_graph, edges=[]))
    assert len(subset.grow(retail_tasks[9], (), rng(0))) == 20


def test_what_a_tool_needs_comes_before_it(library_graph: ToolGraph) -> None:
    links = Links(library_graph)
    grounded = links.grounded(links.all)
    for tool in grounded.turns:
        chain = links.chain_to(tool, grounded, rng(1))
        assert chain[-1] == tool
        for number, one in enumerate(chain):
            assert links.is_met(one, sum(1 << other for other in set(chain[:number])))


def test_g_is_none_where_no_id_can_be_had_and_more_where_it_can(
    library: Package, library_graph: ToolGraph
) -> None:
    links, surface = Links(library_graph), surface_of(library)
    solver = ChainSolver(library, list(surface.tools.values()), links, SETTINGS)
    writes = ["renew_loan", "return_loan", "cancel_hold"]
    assert solver.share(links.set_of(writes), rng(0)) == (0.0, [])
    more = links.set_of([*writes, "find_member", "list_member_loans"])
    share, chains = solver.share(more, rng(0))
    assert 0 < share < 1
    assert len(chains) == share * SETTINGS.solver_tries


def test_a_tool_is_run_in_the_task_s_world(library: Package, library_graph: ToolGraph) -> None:
    links, surface = Links(library_graph), surface_of(library)
    stage = RehearsalStage(library, list(surface.tools.values()), links)
    cancel, everything = links.order.index("cancel_hold"), links.all
    holds = library.module("database.seed").default_base().tables["holds"].rows
    assert Rehearsal(stage, {}).runs(cancel, everything)
    nobody_waits = Rehearsal(stage, {"holds": dict.fromkeys(holds)})
    assert nobody_waits.runs(cancel, everything)  # after a hold was placed
    assert not nobody_waits.runs(cancel, everything & ~links.set_of(["place_hold"]))


def test_a_set_of_tools_is_in_the_package_s_order(library_graph: ToolGraph) -> None:
    links = Links(library_graph)
    assert links.names(links.set_of(reversed(links.order))) == links.order
    assert list(numbers(0b1011)) == [0, 1, 3]
