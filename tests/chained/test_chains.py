"""Chains: every id comes from where something tells it, and what is done is what is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolworld.chained.chains.actors import actors_of
from toolworld.chained.chains.chain import Chain, ResultPlace
from toolworld.chained.chains.closure import Closure
from toolworld.chained.chains.drafts import Drafter, Recipes, key_of, outline_of, task_of
from toolworld.chained.chains.ledger import UseLedger
from toolworld.chained.chains.remaking import Undone, made_again, settled
from toolworld.chained.chains.stage import ChainStage, rng_for
from toolworld.chained.levels import Aim, Quotas, level_of
from toolworld.chained.make import edges_used
from toolworld.graph import ToolGraph
from toolworld.packages import load_package
from toolworld.tasks.context import LEVELS


@pytest.fixture(scope="module")
def stage(library_package: Path, library_graph: ToolGraph) -> ChainStage:
    return ChainStage(load_package(library_package), library_graph)


def closure(stage: ChainStage, said_by_key: float = 0.0) -> Closure:
    return Closure(stage, UseLedger(), rng_for(1), said_by_key)


def drafts(stage: ChainStage, count: int) -> Iterator[Chain]:
    recipes = Recipes(stage)
    for number in range(count):
        level = LEVELS[number % 2]
        aim = Aim(number, level, frozenset(LEVELS))
        try:
            yield Drafter(stage, recipes, UseLedger(), rng_for("test", number), 0.3).draft(aim)
        except Undone:
            continue


def called(chain: Chain, tool: str, **values: Any) -> None:
    """Make a call with ids from where they are told, the others said."""
    facts = chain.stage.surface.tools[tool]
    sources = {way: chain.found(place) for way, place in chain.stage.ids_in(facts, values)}
    assert chain.call(facts, values, sources) is not None


def open_loan(stage: ChainStage, member: str) -> str:
    loans = stage.world.rows["Loan"]
    return next(
        key
        for key, row in loans.items()
        if (row["member_id"], row["status"]) == (member, "open") and row["renewals"] < 2
    )


def borrower(stage: ChainStage) -> str:
    """Return a member with two open loans at least."""
    loans = stage.world.rows["Loan"].values()
    held = Counter(row["member_id"] for row in loans if row["status"] == "open")
    return str(next(member for member, count in held.items() if count > 1))


# Where ids come from


def test_a_look_up_is_put_before_a_call_that_needs_an_id(stage: ChainStage) -> None:
    chain, lend = Chain(stage), stage.surface.tools["lend_book"]
    values = {"member_id": "MEM-00002", "isbn": "9781000000000"}
    sources = closure(stage).sources(chain, lend, values)
    assert sources is not None
    assert [step.tool.name for step in chain.steps] == ["find_member"]
    assert sources["member_id"] == ResultPlace(0, "member_id")
    assert sources["isbn"] is None, "an ISBN stands on the book"


def test_a_key_of_no_row_cannot_be_known(stage: ChainStage) -> None:
    chain, renew = Chain(stage), stage.surface.tools["renew_loan"]
    assert closure(stage).sources(chain, renew, {"loan_id": "LOA-77777"}) is None
    assert chain.steps == []


def test_a_key_that_people_have_at_hand_is_said(stage: ChainStage) -> None:
    chain, renew = Chain(stage), stage.surface.tools["renew_loan"]
    found = closure(stage, said_by_key=1.0).sources(chain, renew, {"loan_id": "LOA-00001"})
    assert (found, chain.steps) == ({"loan_id": None}, [])


def test_an_id_is_taken_from_a_listing_only_where_the_row_is_shown(stage: ChainStage) -> None:
    member = borrower(stage)
    loan = open_loan(stage, member)
    isbn = stage.world.rows["Loan"][loan]["isbn"]
    chain = Chain(stage)
    called(chain, "find_member", email=stage.world.rows["Member"][member]["email"])
    called(chain, "list_member_loans", member_id=member)
    source = chain.found(("Loan", loan))
    assert source is not None
    assert source.path.startswith("items."), "the listing shows loans, so one can be told"
    assert chain.found(("Book", isbn)) is None, "nothing tells which loan's book is meant"
    assert chain.found(("Member", member)) == ResultPlace(0, "member_id")


def test_a_page_that_does_not_show_all_rows_tells_none(stage: ChainStage) -> None:
    member = borrower(stage)
    chain = Chain(stage)
    called(chain, "list_member_loans", member_id=member, limit=1)
    assert chain.found(chain.steps[0].shows[0][1]) is None


def test_detours_are_left_out(stage: ChainStage) -> None:
    member = borrower(stage)
    chain = Chain(stage)
    called(chain, "find_member", email=stage.world.rows["Member"][member]["email"])
    called(chain, "list_member_loans", member_id=member)
    called(chain, "search_books", query="a")
    called(chain, "return_loan", loan_id=open_loan(stage, member))
    after = settled(chain, {})
    assert [step.tool.name for step in after.steps] == [
        "find_member", "list_member_loans", "return_loan"
    ]  # fmt: skip
    with pytest.raises(Undone, match="nothing is asked for"):
        settled(made_again(chain, {}, {3}), {})


# Chains


def test_a_chain_goes_back_to_a_mark_as_if_nothing_had_been(stage: ChainStage) -> None:
    chain = Chain(stage)
    mark = chain.mark()
    lend = stage.surface.tools["lend_book"]
    values = {"member_id": "MEM-00002", "isbn": "9781000000000"}
    sources = closure(stage).sources(chain, lend, values)
    assert chain.call(lend, values, sources or {}) is not None
    assert chain.rows
    chain.back(mark)
    assert (chain.steps, chain.seen(), chain.rows, chain.changes()) == ([], [], {}, [])


def test_every_draft_runs_again_as_it_is_written(stage: ChainStage) -> None:
    found = list(drafts(stage, 24))
    assert len(found) > 8
    for chain in found:
        again = made_again(chain, chain.initial)
        assert task_of(again) == task_of(chain)
        assert outline_of(again) == outline_of(chain)


def test_each_draft_changes_something_and_each_change_is_asked_for(stage: ChainStage) -> None:
    for chain in drafts(stage, 24):
        assert task_of(chain)["goal"]["changes"]
        asked = {request.step for request in chain.requests() if request.role == "does"}
        writes = {n for n, step in enumerate(chain.steps) if not step.tool.read_only}
        assert asked == writes
        assert not chain.useless()


def test_each_id_of_gold_is_said_or_told_by_an_earlier_step(stage: ChainStage) -> None:
    for chain in drafts(stage, 24):
        for number, step in enumerate(chain.steps):
            for way, place in step.ids:
                source = step.sources[way]
                key = stage.surface.entities[place[0]].key
                assert source is None or source.step < number
                assert source is None or chain.steps[source.step].tells(source.path, key)


def test_a_row_chosen_from_a_listing_is_spoken_of(stage: ChainStage) -> None:
    for chain in drafts(stage, 40):
        told = {(one.entity, one.key) for request in chain.requests() for one in request.mentions}
        for step in chain.steps:
            for way, place in step.ids:
                source = step.sources[way]
                if source is not None and source.path.startswith("items."):
                    assert place in told


def test_of_two_new_rows_of_a_kind_each_has_the_other_beside_it(stage: ChainStage) -> None:
    chain = Chain(stage)
    called(chain, "find_member", email=stage.world.rows["Member"]["MEM-00001"]["email"])
    for isbn in ("9781000000000", "9781000000001"):
        called(chain, "lend_book", member_id="MEM-00001", isbn=isbn)
    new = chain.steps[1].made[0]
    called(chain, "renew_loan", loan_id=new[1])
    (mention,) = chain.requests()[-1].mentions
    assert mention.is_new
    assert [row["loan_id"] for row in mention.among] == [chain.steps[2].made[0][1]]


def test_ids_of_rows_that_are_there_can_be_given_as_they_are(stage: ChainStage) -> None:
    chain = Chain(stage)
    called(chain, "find_member", email=stage.world.rows["Member"]["MEM-00001"]["email"])
    called(chain, "lend_book", member_id="MEM-00001", isbn="9781000000000")
    (new,) = chain.steps[1].made
    called(chain, "renew_loan", loan_id=new[1])
    assert chain.steps[1].gold({new})["arguments"]["member_id"] == "MEM-00001"
    assert chain.steps[2].gold({new})["arguments"]["loan_id"] == {"$step": 1, "path": "loan_id"}


def test_data_edges_count_as_used_where_an_argument_is_taken(stage: ChainStage) -> None:
    kept = {key_of(edge) for edge in stage.graph.edges}
    seen = set()
    for chain in drafts(stage, 24):
        used = edges_used(chain) & stage.edge_keys
        assert used <= kept
        seen |= used
    assert seen


def test_a_task_is_about_one_member(stage: ChainStage) -> None:
    assert actors_of(stage.package, stage.surface) <= {"Member"}


# Counting


def test_what_was_used_is_less_likely() -> None:
    ledger, rng = UseLedger(tools=Counter({"worn": 6})), rng_for(0)
    picked = Counter(ledger.pick_tool(["worn", "fresh"], rng) for _ in range(400))
    assert picked["fresh"] > 8 * picked["worn"] > 0


def test_a_seed_is_picked_as_an_edge_is_whatever_was_noted_between() -> None:
    ledger = UseLedger()
    edges = [("open", "close", f"data:{number}") for number in range(9)]
    for number in range(40):
        seed = ledger.pick_seed(edges, rng_for(number))
        assert seed == ledger.pick_edge(edges, rng_for(number))
        ledger.note_tries([seed] * 5)
    assert len(ledger.tries) == len(edges), "what was tried often makes room for the others"


def test_quotas_are_even_and_plan_for_what_is_missing() -> None:
    quotas = Quotas(8, "mixed")
    assert quotas.short == {"easy": 3, "medium": 3, "hard": 2}
    quotas.kept.update({"easy": 3, "medium": 2})
    assert quotas.short == {"medium": 1, "hard": 2}
    assert Counter(quotas.plan(9)) == {"medium": 3, "hard": 6}
    assert quotas.open_levels == ["easy", "medium", "hard"], "a mix need not be quite even"
    quotas.kept.update({"easy": 1})
    assert quotas.open_levels == ["medium", "hard"]
    quotas.relax()
    assert quotas.open_levels == ["easy", "medium", "hard"], "any will do in the end"
    quotas.kept.update({"easy": 2})
    assert (quotas.missing, quotas.short, quotas.open_levels) == (0, {}, [])


def test_a_chain_that_begins_too_long_is_left_where_such_tasks_may_be_made() -> None:
    assert [level_of(steps) for steps in (1, 3, 4, 7, 8, 20)] == [
        "easy", "easy", "medium", "medium", "hard", "hard"
    ]  # fmt: skip
    every = Aim(0, "easy", frozenset(LEVELS))
    assert every.steps(5, rng_for(0)) == 5
    assert every.steps(2, rng_for(0)) in (1, 2, 3)
    assert Aim(0, "easy", frozenset({"easy"})).steps(5, rng_for(0)) <= 3
