"""A scenario's tasks are a mixture of ends, and every branch of its expert is taken."""

from __future__ import annotations

from tests.tasks.scenarios.conftest import Solver
from toolworld.tasks.quota import MOST_PASSED_OVER, PATIENCE, QUIET, ScenarioQuota, due_outcomes
from toolworld.tasks.scenarios.code import Branch

ONE, OTHER = (Branch("solve_rent_one", "rentals", 1, "it is free", way) for way in (True, False))


def quota(solver: Solver, wanted: int) -> ScenarioQuota:
    return ScenarioQuota(solver.scenario("rent_one"), [ONE, OTHER], wanted)


def test_as_many_tasks_are_wanted_as_were_asked_for(solver: Solver) -> None:
    one = quota(solver, 2)
    for room in (2, 1):
        assert (one.room, one.wants("rented")) == (room, True)
        one.make("rented", [ONE])
    assert (one.room, one.wants("rented")) == (0, False)


def test_at_most_a_third_end_otherwise_than_done(solver: Solver) -> None:
    one = quota(solver, 100)
    made = 0
    while one.wants("offered"):
        one.make("offered", [])
        made += 1
    assert made == 15, "so that there is room for twins"
    assert one.wants("declined"), "an end that is new is worth more"
    one.make("declined", [])
    assert not one.wants("declined")
    assert one.wants("rented")


def test_twins_may_end_otherwise_until_the_share_is_full(solver: Solver) -> None:
    one = quota(solver, 10)
    made = 0
    while not one.only_done:
        one.make("too_long", [])
        made += 1
    assert made in (4, 5), "four of ten, rounded up in some scenarios"
    one.make("rented", [])
    assert one.only_done


def test_what_has_no_twin_is_passed_over_for_a_while(solver: Solver) -> None:
    one = quota(solver, 4)
    assert all(one.passes_over("rented", []) for _ in range(MOST_PASSED_OVER))
    assert not one.passes_over("rented", [])
    assert not quota(solver, 1).passes_over("rented", []), "there is no room for a twin"


def test_a_branch_that_no_task_takes_is_taken_at_once_now_and_then(solver: Solver) -> None:
    one = quota(solver, 100)
    taken = 0
    while not one.passes_over("too_long", [ONE]):
        taken += 1
    assert taken in (29, 30)
    other = quota(solver, 100)
    other.make("too_long", [ONE])
    assert other.news("too_long", [ONE, OTHER]) == (False, 1)
    assert other.passes_over("too_long", [ONE]), "a task takes it already"


def test_a_branch_that_was_not_taken_is_waited_for(solver: Solver) -> None:
    one = quota(solver, 1)
    one.draw([ONE])
    for _ in range(QUIET):
        one.draw([ONE])
        assert not one.is_explored
    one.draw([ONE])
    assert one.is_explored, "it is given up"
    again = quota(solver, 1)
    again.draw([ONE])
    again.draw([OTHER])
    assert again.is_explored


def test_after_long_waiting_any_end_will_do(solver: Solver) -> None:
    one = quota(solver, 4)
    for _ in range(2):
        one.make("too_long", [])
    assert not any(one.wants("too_long") for _ in range(PATIENCE))
    assert one.wants("too_long")
    one.make("too_long", [])
    assert not one.wants("too_long")


def test_an_outcome_that_is_due_comes_first_and_is_never_passed_over(solver: Solver) -> None:
    one = ScenarioQuota(solver.scenario("rent_one"), [ONE, OTHER], 10, ["too_long"])
    assert one.news("too_long", []) > one.news("rented", [ONE, OTHER])
    assert not one.passes_over("too_long", [])
    one.make("too_long", [])
    assert one.passes_over("too_long", [])


def test_every_clause_that_decides_an_outcome_is_due_in_one_scenario(solver: Solver) -> None:
    scenarios = solver.situated.making.scenarios
    due = due_outcomes(scenarios)
    clauses = [
        scenario.words.outcomes[name].clause
        for scenario in scenarios
        for name in due.get(scenario.name, [])
    ]
    all_clauses = {one.clause for each in scenarios for one in each.words.outcomes.values()}
    assert sorted(filter(None, clauses)) == sorted(filter(None, all_clauses))
