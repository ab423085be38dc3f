"""Chains along strong edges lead to tools that no task uses."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from types import SimpleNamespace
from typing import cast

import networkx as nx
import pytest

from toolworld.graph import ToolGraph, chains_to, seed_chain, strong_edges
from toolworld.graph.chains import CHAINS, LONGEST, SHORTEST

LINE = nx.DiGraph([(f"t{n}", f"t{n + 1}") for n in range(9)])
FORK = nx.DiGraph([("start", "seldom"), ("start", "often")])


def chances(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - no secret


def first_steps(uses: Mapping[str, int]) -> Counter[str]:
    """Return what follows the start of a fork, over many chains."""
    drawn = (seed_chain(FORK, Counter(uses), chances(seed)) for seed in range(6_000))
    return Counter(chain[1] for chain in drawn if chain[0] == "start")


def test_a_chain_follows_edges_and_ends_after_six_tools_or_where_none_leads_on() -> None:
    chains = [seed_chain(LINE, Counter(), chances(seed)) for seed in range(200)]
    for chain in chains:
        numbers = [int(name[1:]) for name in chain]
        assert numbers == list(range(numbers[0], numbers[0] + len(chain)))
        assert len(chain) == LONGEST or chain[-1] == "t9"
    assert {chain[0] for chain in chains} == set(LINE), "a chain may begin anywhere"


def test_no_tool_is_twice_in_a_chain() -> None:
    ring = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")])
    chain = seed_chain(ring, Counter(), chances(0))
    assert sorted(chain) == ["a", "b", "c"]


def test_a_tool_is_drawn_half_as_often_for_each_task_that_uses_it() -> None:
    alike = first_steps({})
    assert 0.8 < alike["seldom"] / alike["often"] < 1.25
    once = first_steps({"often": 1})
    assert 1.5 < once["seldom"] / once["often"] < 2.7
    twice = first_steps({"often": 2})
    assert 3 < twice["seldom"] / twice["often"] < 6


def test_a_tool_that_very_many_tasks_use_is_still_drawn_where_it_is_the_only_way() -> None:
    way = nx.DiGraph([("a", "b")])
    chains = [seed_chain(way, Counter({"a": 9_999, "b": 9_999}), chances(n)) for n in range(20)]
    assert ["a", "b"] in chains


def test_all_tools_stand_in_the_strong_graph_and_only_strong_edges(graph: ToolGraph) -> None:
    strong = strong_edges(graph)
    assert set(strong) == set(graph.tools)
    kept = {
        (one.candidate.source, one.candidate.target)
        for one in graph.edges
        if one.strength == "strong"
    }
    assert set(strong.edges) == kept
    others = {(one.candidate.source, one.candidate.target) for one in graph.edges} - kept
    assert others, "so that there is something to leave out"


def test_chains_lead_to_each_tool_that_is_wanted(graph: ToolGraph) -> None:
    strong = strong_edges(graph)
    wanted = [name for name in graph.tools if list(strong.successors(name))][:3]
    chains = chains_to(graph, wanted, Counter())
    assert set(wanted) <= {name for chain in chains for name in chain}
    for number, chain in enumerate(chains):
        assert SHORTEST <= len(chain) <= LONGEST
        assert all(strong.has_edge(*pair) for pair in zip(chain, chain[1:], strict=False))
        before = {name for other in chains[:number] for name in other}
        assert set(chain) & set(wanted) - before, "each leads to one that none before it did"
    assert chains == chains_to(graph, wanted, Counter()), "the same each time"


def test_there_are_eight_chains_at_most_and_none_if_nothing_is_wanted(graph: ToolGraph) -> None:
    assert chains_to(graph, [], Counter()) == []
    assert 3 <= len(chains_to(graph, list(graph.tools), Counter())) <= CHAINS


@pytest.mark.parametrize("known", [["no_such_tool"], []])
def test_a_tool_that_no_strong_edge_leads_to_has_no_chain(
    graph: ToolGraph, known: list[str]
) -> None:
    assert chains_to(graph, known, Counter()) == []


def made_of(
    edges: Sequence[tuple[str, str]], seed: int = 0, alone: Sequence[str] = ()
) -> ToolGraph:
    """Return a graph of strong edges, and of tools that have none."""
    found = [
        SimpleNamespace(strength="strong", candidate=SimpleNamespace(source=one, target=other))
        for one, other in edges
    ]
    tools = dict.fromkeys([*(name for edge in edges for name in edge), *alone])
    return cast(ToolGraph, SimpleNamespace(tools=tools, edges=found, seed=seed))


def test_a_chain_has_three_tools_at_least() -> None:
    assert chains_to(made_of([("a", "b")]), ["b"], Counter()) == []
    assert chains_to(made_of([("a", "b"), ("b", "c")]), ["c"], Counter()) == [["a", "b", "c"]]


def test_a_chain_without_a_wanted_tool_is_none() -> None:
    apart = made_of([("a", "b"), ("b", "c"), ("x", "y"), ("y", "z")])
    assert chains_to(apart, ["z"], Counter()) == [["x", "y", "z"]]


def test_the_seed_of_the_graph_decides_which_chains_there_are() -> None:
    fan = [("a", "b"), *(("b", f"c{n}") for n in range(6))]
    found = {str(chains_to(made_of(fan, seed), ["b"], Counter())) for seed in range(12)}
    assert 1 < len(found) <= 6
    again = [chains_to(made_of(fan, 3), ["b"], Counter()) for _ in range(2)]
    assert again[0] == again[1]


def test_what_tasks_and_earlier_chains_use_is_drawn_less() -> None:
    leaves = [f"leaf{n}" for n in range(8)]
    edges = [("one", "way"), ("other", "way"), *(("way", leaf) for leaf in leaves)]

    def starts(seed: int, used: Mapping[str, int]) -> Counter[str]:
        chains = chains_to(made_of(edges, seed), leaves, Counter(used))
        return Counter(chain[0] for chain in chains)

    even = [starts(seed, {}) for seed in range(60)]
    assert fmean(abs(one["one"] - one["other"]) for one in even) < 1.4  # 2.2 by chance alone
    shy = sum((starts(seed, {"one": 5}) for seed in range(60)), Counter[str]())
    assert shy["other"] > 2 * shy["one"] > 0


def test_no_more_than_eight_chains_are_told_however_many_are_wanted() -> None:
    lines = [(f"start{n}", f"way{n}", f"end{n}") for n in range(12)]
    edges = [pair for one, two, three in lines for pair in ((one, two), (two, three))]
    ends = [line[-1] for line in lines]
    assert len(chains_to(made_of(edges), ends, Counter())) == CHAINS


def test_a_tool_without_strong_edges_stands_in_the_graph_and_leads_nowhere() -> None:
    strong = strong_edges(made_of([("a", "b")], alone=["alone"]))
    assert set(strong) == {"a", "b", "alone"}
    assert {tuple(seed_chain(strong, Counter(), chances(n))) for n in range(60)} == {
        ("a", "b"), ("b",), ("alone",),
    }  # fmt: skip
