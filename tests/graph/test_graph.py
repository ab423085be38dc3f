"""Edges are kept because they were run, and run the same again; the others say why not."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from toolworld.errors import PackageLoadError
from toolworld.graph import Edge, ToolGraph, build_graph, rerun, to_json
from toolworld.packages import load_package


def edge(graph: ToolGraph, source: str, target: str, key: str) -> Edge:
    (found,) = (
        one
        for one in graph.edges
        if (one.candidate.source, one.candidate.target, one.candidate.key) == (source, target, key)
    )
    return found


@pytest.mark.parametrize(
    ("source", "target", "key"),
    [
        ("find_member", "list_member_loans", "data:member_id"),
        ("search_books", "lend_book", "data:isbn"),
        ("list_member_loans", "renew_loan", "data:loan_id"),
        ("lend_book", "return_loan", "data:loan_id"),
        ("place_hold", "cancel_hold", "data:hold_id"),
        ("cancel_hold", "renew_loan", "enables"),
        ("return_loan", "lend_book", "enables"),
        ("lend_book", "place_hold", "enables"),
        ("charge_fee", "list_member_loans", "shared table"),
    ],
)
def test_an_edge_is_there_with_evidence(
    graph: ToolGraph, source: str, target: str, key: str
) -> None:
    evidence = edge(graph, source, target, key).evidence
    assert (evidence.source.tool, evidence.target.tool) == (source, target)
    assert (evidence.source.outcome, evidence.target.outcome) == ("ok", "ok")


def test_every_edge_runs_again(graph: ToolGraph, golden_package: Path) -> None:
    package = load_package(golden_package)
    assert [one.candidate for one in graph.edges if not rerun(package, one)] == []


def test_evidence_that_was_touched_does_not_run_again(
    graph: ToolGraph, golden_package: Path
) -> None:
    package = load_package(golden_package)
    found = edge(graph, "return_loan", "lend_book", "enables")
    for part in ("before", "source", "target"):
        made = replace(getattr(found.evidence, part), state="0" * 16)
        assert not rerun(package, replace(found, evidence=replace(found.evidence, **{part: made})))


def test_what_is_fed_was_not_given_to_the_first_tool(graph: ToolGraph) -> None:
    fed = [one for one in graph.edges if one.candidate.label == "data"]
    assert fed
    for one in fed:
        value = one.evidence.taken["value"]
        assert value in json.dumps(one.evidence.target.arguments)
        assert value not in one.evidence.source.arguments.values()


def test_what_enables_turns_a_rejection_of_the_same_call_into_a_success(graph: ToolGraph) -> None:
    enabling = [one.evidence for one in graph.edges if one.candidate.label == "enables"]
    assert enabling
    for evidence in enabling:
        assert (evidence.before.outcome, evidence.target.outcome) == ("rejected", "ok")
        assert evidence.before.arguments == evidence.target.arguments
        assert evidence.before.message


@pytest.mark.parametrize(
    ("source", "target", "key", "why"),
    [
        ("renew_loan", "return_loan", "data:loan_id", "only gives back the Loan id"),
        ("find_member", "find_member", "data:email", "only gives back the Member email"),
        ("return_loan", "renew_loan", "enables", "tries"),
        ("lend_book", "list_member_loans", "enables", "rejected before was found in 240 tries"),
    ],
)
def test_an_edge_that_cannot_be_is_refused_with_a_reason(
    graph: ToolGraph, source: str, target: str, key: str, why: str
) -> None:
    (refused,) = (
        one
        for one in graph.refused
        if (one.candidate.source, one.candidate.target, one.candidate.key) == (source, target, key)
    )
    assert why in refused.reason


def test_effects_that_do_not_meet_are_no_candidate(graph: ToolGraph) -> None:
    everything = [one.candidate for one in graph.edges]
    everything += [one.candidate for one in graph.refused]
    pairs = {(one.source, one.target, one.label) for one in everything}
    assert ("find_member", "lend_book", "enables") not in pairs
    assert ("lend_book", "search_books", "shared table") not in pairs
    assert len({(one.source, one.target, one.key) for one in everything}) == len(everything)


def test_every_required_argument_has_a_source(graph: ToolGraph) -> None:
    arguments = {(one.tool, one.path): one for one in graph.arguments}
    assert not [one for one in graph.arguments if one.unmet]
    loan = arguments["renew_loan", "loan_id"]
    assert set(loan.producers) == {"list_member_loans", "lend_book"}
    assert (loan.required, loan.entity, loan.known) == (True, "Loan", "")
    assert "search_books" in arguments["lend_book", "isbn"].producers
    assert arguments["lend_book", "isbn"].known  # people can read it off the cover
    assert arguments["list_member_loans", "status"].known == "one of the values of LoanStatus"
    email = arguments["find_member", "email"]
    assert (email.entity, email.column) == ("Member", "email")
    assert email.known == "the email people know the Member by"


def test_the_same_package_and_seed_give_the_same_bytes_in_any_process_and_number_of_them(
    graph: ToolGraph, golden_package: Path
) -> None:
    code = (
        "import sys; from pathlib import Path; from toolworld.graph import build_graph, to_json; "
        "sys.stdout.buffer.write(to_json(build_graph(Path(sys.argv[1]), workers=2)).encode())"
    )
    command = [sys.executable, "-c", code, str(golden_package)]
    run = subprocess.run(command, capture_output=True, check=True)
    assert run.stdout == to_json(graph).encode()


def test_another_seed_tries_other_calls(graph: ToolGraph, golden_package: Path) -> None:
    other = build_graph(golden_package, seed=1, tries=24)
    assert to_json(other) != to_json(graph)
    assert {name for name in other.tools} == set(graph.tools)


def test_a_package_without_effects_says_what_to_do(golden_package: Path, tmp_path: Path) -> None:
    old = shutil.copytree(golden_package, tmp_path / "library")
    (old / "src" / "toolworld_library" / "calls" / "effects.json").unlink()
    with pytest.raises(PackageLoadError, match="Build the package again"):
        build_graph(old)


def test_a_package_with_older_effects_says_what_to_do(golden_package: Path, tmp_path: Path) -> None:
    old = shutil.copytree(golden_package, tmp_path / "library")
    effects = old / "src" / "toolworld_library" / "calls" / "effects.json"
    said = json.loads(effects.read_text())
    del said["tools"]["find_member"]["result"]["unique"]
    effects.write_text(json.dumps(said))
    with pytest.raises(PackageLoadError, match="lacks 'unique'. Build the package again"):
        build_graph(old)
