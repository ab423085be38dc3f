"""What a report says to do about tools and tasks that are missing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from toolworld.chained.advice import advice
from toolworld.graph import ArgumentSource, ToolGraph
from toolworld.graph.guard import Broken

LOAN = ArgumentSource("renew_loan", "loan_id", True, "Loan", (), "")


def told(graph: ToolGraph, known: frozenset[str] = frozenset(), **missing: int) -> str:
    dropped = Counter({"cannot tell rows apart": 7})
    return "\n".join(advice(graph, missing, 4, dropped, [], known))  # type: ignore[arg-type]


def test_all_is_well(library_graph: ToolGraph) -> None:
    assert told(library_graph) == ""


def test_missing_tasks_come_with_the_longest_chain_and_the_reason(
    library_graph: ToolGraph,
) -> None:
    text = told(library_graph, hard=3)
    assert "3 hard are missing" in text
    assert "has 4 steps" in text
    assert "cannot tell rows apart" in text


def test_an_argument_nobody_can_know_is_named_with_what_to_do(library_graph: ToolGraph) -> None:
    graph = replace(library_graph, arguments=[LOAN])
    assert "renew_loan: nobody can know loan_id" in told(graph)
    assert "known_ids" in told(graph)
    assert told(graph, frozenset({"Loan"})) == ""


def test_a_broken_tool_is_named_with_its_mend(library_graph: ToolGraph) -> None:
    broken = {"renew_loan": Broken("does not come back", "Bound the loops.")}
    assert "renew_loan does not come back. Bound the loops." in told(
        replace(library_graph, broken=broken)
    )
