"""Chains: every id comes from somewhere, and what is done is what is said."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from toolworld import emit
from toolworld.graph import ToolGraph
from toolworld.graph.knowledge import World
from toolworld.tasks.chains.actors import actors_of
from toolworld.tasks.chains.again import made_again, shortened
from toolworld.tasks.chains.chain import Chain, Reference
from toolworld.tasks.chains.closure import Closure
from toolworld.tasks.chains.drafts import Draft, Drafter, Recipes, Undone, key_of
from toolworld.tasks.chains.jobs.loop import Loops
from toolworld.tasks.chains.jobs.refusal import Refusals
from toolworld.tasks.chains.jobs.rows import row_with
from toolworld.tasks.chains.ledger import Ledger
from toolworld.tasks.chains.questions import answer_to
from toolworld.tasks.chains.stage import Stage, rng_for
from toolworld.tasks.chains.used import edges_used
from toolworld.tasks.outline import Ask
from toolworld.tasks.quotas import Quotas
from toolworld.tasks.rows import Row


@pytest.fixture(scope="module")
def stage(golden_package: object, library_graph: ToolGraph) -> Stage:
    return Stage(emit.load_package(golden_package), library_graph)  # type: ignore[arg-type]


def closure(stage: Stage, said_by_key: float = 0.0) -> Closure:
    return Closure(stage, Ledger(), rng_for(1), said_by_key)


def exactly(steps: int) -> Callable[[int], int]:
    """Aim at so many steps, however a chain begins."""
    return lambda _: steps


def drafts(stage: Stage, count: int) -> Iterator[Draft]:
    """Yield drafts of all kinds."""
    recipes = Recipes(stage)
    for number in range(count):
        rng = rng_for("test", number)
        steps = rng.randint(1, 8)
        try:
            yield Drafter(stage, recipes, Ledger(), rng, 0.3).draft(exactly(steps))
        except Undone:
            continue


# Where ids come from


def test_a_look_up_is_put_before_a_call_that_needs_an_id(stage: Stage) -> None:
    chain, lend = Chain(stage), stage.surface.tools["lend_book"]
    values = {"member_id": "MEM-00002", "isbn": "9781000000000"}
    sources = closure(stage).sources(chain, lend, values)
    assert sources is not None
    assert [step.tool.name for step in chain.steps] == ["find_member"]
    assert sources["member_id"] == Reference(0, "member_id")


def test_a_name_people_use_needs_no_look_up(stage: Stage) -> None:
    chain, lend = Chain(stage), stage.surface.tools["lend_book"]
    found = closure(stage).sources(chain, lend, {"member_id": "MEM-00002", "isbn": "9781000000000"})
    assert found is not None
    assert found["isbn"] is None, "an ISBN stands on the book"


def test_a_key_of_no_row_cannot_be_known(stage: Stage) -> None:
    chain, renew = Chain(stage), stage.surface.tools["renew_loan"]
    assert closure(stage).sources(chain, renew, {"loan_id": "LOA-77777"}) is None
    assert chain.steps == []


def test_a_key_that_people_have_at_hand_is_said(stage: Stage) -> None:
    chain, renew = Chain(stage), stage.surface.tools["renew_loan"]
    found = closure(stage, said_by_key=1.0).sources(chain, renew, {"loan_id": "LOA-00001"})
    assert (found, chain.steps) == ({"loan_id": None}, [])


# Chains


def test_a_chain_goes_back_to_a_mark_as_if_nothing_had_been(stage: Stage) -> None:
    chain = Chain(stage)
    mark, start = chain.mark(), chain.episode.now()
    lend = stage.surface.tools["lend_book"]
    values = {"member_id": "MEM-00002", "isbn": "9781000000000"}
    sources = closure(stage).sources(chain, lend, values)
    assert chain.call(lend, values, sources or {}) is not None
    assert not chain.episode.is_as_at(start)
    chain.back(mark)
    assert (chain.steps, chain.seen(), chain.episode.is_as_at(start)) == ([], [], True)


def test_every_draft_runs_again_as_it_is_written(stage: Stage) -> None:
    found = list(drafts(stage, 30))
    assert len(found) > 15
    for draft in found:
        task = draft.as_task()
        again = made_again(stage, draft, task["initial"], task["gold"])
        assert again.as_task() == task
        assert again.outline == draft.outline


def test_drafts_are_of_all_kinds(stage: Stage) -> None:
    kinds = Counter(draft.kind for draft in drafts(stage, 80))
    assert {"chain", "loop", "refusal"} <= kinds.keys()


def test_a_draft_does_something_or_asks_for_something(stage: Stage) -> None:
    for draft in drafts(stage, 30):
        goal = draft.as_task()["goal"]
        assert goal["changes"] or goal["answers"]


def test_each_id_of_gold_is_said_or_taken_from_an_earlier_step(stage: Stage) -> None:
    for draft in drafts(stage, 30):
        for number, step in enumerate(draft.chain.steps):
            for source in step.sources.values():
                assert source is None or source.step < number


# Loops and refusals


def test_a_loop_does_one_thing_to_every_row_of_a_listing(stage: Stage) -> None:
    listing, tool = (stage.surface.tools[name] for name in ("list_member_loans", "charge_fee"))
    chains = [Loops(stage, closure(stage), rng_for(seed)).make(listing, tool) for seed in range(6)]
    chain = next(chain for chain in chains if chain is not None)
    done = [step for step in chain.steps if step.tool is tool]
    shown = next(step for step in chain.steps if step.tool is listing).result["items"]
    assert [step.values["loan_id"] for step in done] == [loan["loan_id"] for loan in shown]
    assert chain.requests[-1].every is not None
    assert chain.requests[-1].every.count == len(done) >= 2


def test_a_row_is_chosen_by_what_its_columns_have(stage: Stage) -> None:
    some, rng = set(stage.world.keys["Member"][::2]), rng_for(0)
    places = [row_with(stage, "Member", {"member_id": some}, rng) for _ in range(20)]
    assert {place[1] for place in places if place is not None} <= some
    assert all(places)
    assert row_with(stage, "Member", {"member_id": {"MEM-none"}}, rng) is None


def test_what_is_refused_changes_nothing_and_is_asked_for(stage: Stage) -> None:
    for seed in range(20):
        chain, rng = Chain(stage), rng_for(seed)
        if Refusals(stage, closure(stage), Ledger(), rng).add(chain):
            assert chain.steps[-1].expect == "rejected"
            assert chain.episode.diff() == ()
            assert chain.requests[-1].expect == "rejected"
            return
    pytest.fail("nothing was refused")


# Edges


def test_an_edge_counts_as_used_when_the_chain_shows_it(stage: Stage) -> None:
    kept = {key_of(edge) for edge in stage.graph.edges}
    seen = set()
    for draft in drafts(stage, 40):
        used = edges_used(stage, draft.chain)
        assert used <= kept
        tools = {step.tool.name for step in draft.chain.steps}
        assert all(source in tools and target in tools for source, target, _ in used)
        seen |= {label.partition(":")[0] for _, _, label in used}
    assert seen == {"data", "enables", "shared table"}


def test_a_task_is_about_one_member(stage: Stage) -> None:
    assert actors_of(stage.package, stage.surface) <= {"Member"}


def test_look_ups_that_serve_nothing_are_left_out(stage: Stage) -> None:
    kept = 0
    for draft in drafts(stage, 40):
        draft.chain.requests = [one for one in draft.chain.requests if not one.asks]
        outline = replace(draft.outline, requests=tuple(draft.chain.requests))
        before, useless = draft.chain.episode.diff(), draft.chain.useless()
        if len(useless) == len(draft.chain.steps):
            with pytest.raises(Undone):
                shortened(stage, replace(draft, outline=outline))
            continue
        after = shortened(stage, replace(draft, outline=outline)).chain
        assert len(after.steps) == len(draft.chain.steps) - len(useless)
        assert (after.useless(), after.episode.diff()) == (set(), before)
        kept += bool(useless)
    assert kept > 1


# Counting


def test_what_was_used_is_less_likely() -> None:
    ledger, rng = Ledger(tools=Counter({"worn": 6})), rng_for(0)
    picked = Counter(ledger.pick_tool(["worn", "fresh"], rng) for _ in range(400))
    assert picked["fresh"] > 8 * picked["worn"] > 0


def test_what_edges_weigh_does_not_depend_on_what_was_picked_before() -> None:
    edges = [(one, two, "enables") for one in "abc" for two in "de"]
    used, other = Ledger(), Ledger()
    for number in range(40):
        edge = used.pick_seed("chain", edges, rng_for(number))
        for ledger in (used, other):
            ledger.note_tries([edge])
            ledger.note(edge[:2], [edge] if number % 3 else [])
    picked = [used.pick_edge(edges, rng_for(number)) for number in range(40)]
    assert picked == [other.pick_edge(edges, rng_for(number)) for number in range(40)]


def test_a_seed_is_picked_as_an_edge_is_whatever_was_noted_between() -> None:
    ledger = Ledger()
    edges = [("open", "close", f"data:{number}") for number in range(9)]
    for number in range(40):
        seed = ledger.pick_seed("chain", edges, rng_for(number))
        assert seed == ledger.pick_edge(edges, rng_for(number))
        ledger.note_tries([seed] * 5)
    assert len(ledger.tries) == len(edges), "what was tried often makes room for the others"


def test_what_rows_teach_is_the_same_in_another_process(stage: Stage) -> None:
    world = stage.world
    known = {(name, key): world.lesson(name, row) for name, row, key in _rows(world)}
    other = pickle.loads(pickle.dumps(world))  # noqa: S301 - our own
    assert {(name, key): other.lesson(name, row) for name, row, key in _rows(other)} == known


def _rows(world: World) -> Iterator[tuple[str, Row, str]]:
    return ((name, row, key) for name, rows in world.rows.items() for key, row in rows.items())


def test_quotas_are_even_and_plan_for_what_is_missing() -> None:
    quotas = Quotas(8, "mixed")
    assert quotas.short == {"easy": 3, "medium": 3, "hard": 2}
    quotas.kept.update({"easy": 3, "medium": 2})
    assert quotas.short == {"medium": 1, "hard": 2}
    assert quotas.plan(9) == ["hard"] * 9, "tasks of medium difficulty come by themselves"
    assert quotas.open_levels == ["easy", "medium", "hard"], "a mix need not be quite even"
    quotas.kept.update({"easy": 1})
    assert quotas.open_levels == ["medium", "hard"]
    quotas.kept.update({"hard": 2})
    assert (quotas.missing, quotas.short, quotas.open_levels) == (0, {}, [])
    last = Quotas(3, "mixed")
    last.kept.update(["easy", "hard"])
    assert last.plan(9) == ["medium"] * 9


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        (Ask("total", "Loan", "", "count"), 3),
        (Ask("items.*.fine", "Loan", "fine", "sum"), 4.6),
        (Ask("items.*.fine", "Loan", "fine", "highest"), 2.5),
        (Ask("items.*.renewals", "Loan", "renewals", "lowest"), 0),
    ],
)
def test_answers_over_a_listing(ask: Ask, answer: float) -> None:
    items = [{"fine": fine, "renewals": n} for n, fine in enumerate((2.5, 2.0, 0.1))]
    assert answer_to(ask, {"items": items, "next_cursor": None, "total": 3}) == answer


def test_no_answer_over_a_page_that_is_not_the_last() -> None:
    page = {"items": [{"fine": 1.0}], "next_cursor": "2", "total": 9}
    assert answer_to(Ask("items.*.fine", "Loan", "fine", "sum"), page) is None
