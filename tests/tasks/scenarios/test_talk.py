"""What an expert's talk shows: whether a task takes one, and how the person answers the rest."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

from tests.tasks.scenarios.conftest import Solved, Solver
from toolworld.tasks.scenarios.talk import left_to_defaults, manner_of, needs_talk


class Act(NamedTuple):
    """One thing that a message or reply does."""

    kind: str
    name: str = ""
    value: object = None


def takes_talk(solver: Solver, solved: Solved, opening: str = "") -> bool:
    contains = solver.situated.making.package.module("person.answers").contains_answer
    return needs_talk(solved.run, opening or solved.worded.instruction, contains, {})


def test_a_yes_or_a_fact_that_a_call_uses_takes_a_talk(solver: Solver) -> None:
    assert takes_talk(solver, solver.ends("rent_one", "rented"))
    assert takes_talk(solver, solver.solve("bring_back", 0, says=1)), "the model is held back"
    assert not takes_talk(solver, solver.solve("bring_back", 0, says=0)), "all of it is told"


def test_a_fact_that_the_opening_says_in_other_words_takes_none(solver: Solver) -> None:
    solved = solver.solve("bring_back", 0, says=1)
    gives = [act for event in solved.run.trace for act in event.acts if act.kind == "gives"]
    assert not takes_talk(solver, solved, " and ".join(str(act.value) for act in gives))


def test_a_fact_that_is_what_a_tool_does_anyway_takes_none(solver: Solver) -> None:
    run = solver.ends("rent_one", "too_long", says=1).run
    given = [act for event in run.trace for act in event.acts if act.kind == "gives"]
    days = next(act.value for act in given if act.name == "days")
    defaults = {"quote_rental": {"days": days}}
    contains = solver.situated.making.package.module("person.answers").contains_answer
    assert needs_talk(run, "", contains, {})
    assert not needs_talk(run, "", contains, defaults)


def test_what_has_a_default_is_nothing_to_ask_for(solver: Solver) -> None:
    run = solver.ends("rent_one", "rented", says=1).run
    given = [act for event in run.trace for act in event.acts if act.kind == "gives"]
    days = next(act.value for act in given if act.name == "days")
    assert left_to_defaults(run, {"rent_bike": {"days": days + 1}})
    assert not left_to_defaults(run, {"rent_bike": {"days": days}}), "it is the default"
    assert not left_to_defaults(run, {"rent_bike": {"days": None}}), "without it nothing is done"
    assert not left_to_defaults(run, {"quote_rental": {"days": days + 1}}), "nothing is changed"
    told = solver.ends("rent_one", "rented", says=0).run
    assert not left_to_defaults(told, {"rent_bike": {"days": days + 1}}), "the message tells it"


def test_what_a_yes_is_measured_by_is_what_the_expert_tells(solver: Solver) -> None:
    solved = solver.ends("rent_one", "rented", says=0)
    manner: dict[str, Any] = manner_of(solved.run)
    offered = any(act.kind == "offers" for event in solved.run.trace for act in event.acts)
    assert float(solved.run.values["price"]) in manner["sums"]
    assert (manner["takes_offer"] is not None) is offered


def test_who_had_nothing_to_agree_to_agrees_to_nothing_else(solver: Solver) -> None:
    refused = manner_of(solver.ends("rent_one", "too_long").run)
    assert (refused["agrees"], refused["takes_offer"]) == (None, False)
    rented = manner_of(solver.ends("rent_one", "rented").run)
    assert rented.get("agrees", True) is True, "as drawn, or what was offered"


def test_what_was_told_before_the_yes_comes_up_before_it(solver: Solver) -> None:
    told = manner_of(solver.ends("rent_one", "rented", says=0).run)
    assert told["first"] == ["email"]


def test_a_row_that_was_told_is_not_told_in_another_way(solver: Solver) -> None:
    run = solver.ends("rent_one", "rented", says=0).run
    rows = {"email": "the customer", "name": "the customer"}
    assert manner_of(run, rows)["first"] == ["email"]
    assert manner_of(run, rows, ["name"])["first"] == []
    assert manner_of(run, {"name": "the customer"}, ["name"])["first"] == ["email"]


def test_what_stands_in_the_way_comes_up_before_a_yes_that_is_sought_too_soon(
    solver: Solver,
) -> None:
    refused: dict[str, Any] = manner_of(solver.ends("rent_one", "too_long", says=1).run)
    assert "days" in refused["first"], "though the expert seeks no yes"


def decided(message: str, reply: str) -> Any:
    """Return a run in which a message of one kind was answered by another."""
    said = SimpleNamespace(kind="message", text="Well?", acts=[Act(message)])
    answer = SimpleNamespace(kind="reply", acts=[Act(reply)])
    return SimpleNamespace(trace=[said, answer], reply="Done.")


def test_who_decides_on_an_offer_answers_a_plain_question_alike() -> None:
    for reply, is_yes in [("declines", False), ("agrees", True)]:
        manner: dict[str, Any] = manner_of(decided("offers", reply))
        assert (manner["takes_offer"], manner["agrees"]) == (is_yes, is_yes)
    asked_only = manner_of(decided("asks_yes", "agrees"))
    assert asked_only["takes_offer"] is None
    assert "agrees" not in asked_only, "up to what was drawn"
    offered, asked = decided("offers", "agrees"), decided("asks_yes", "declines")
    run: Any = SimpleNamespace(trace=[*offered.trace, *asked.trace], reply="Done.")
    both = manner_of(run)
    assert both["takes_offer"] is True
    assert "agrees" not in both, "a sum was to be agreed to as well"
