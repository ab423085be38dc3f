"""Naive agents and mutants of experts: what leaves a check out does not earn the reward."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pytest

from tests.tasks.scenarios.conftest import Solved, Solver
from toolworld.spec.scenarios import OutcomeWords
from toolworld.tasks.scenarios.draws import NotDrawn
from toolworld.tasks.scenarios.gold import goal_of
from toolworld.tasks.scenarios.measure import MutantTrial
from toolworld.tasks.scenarios.mutants import mutants_of
from toolworld.tasks.scenarios.naive import guards_of, naive_agents


def task(solver: Solver, solved: Solved) -> Any:
    """Return a task with the goal that a situation's expert leads to, as the package has it."""
    package = solver.situated.making.package
    words: OutcomeWords = solved.situation.scenario.words.outcomes[solved.run.outcome]
    contains = package.module("person.answers").contains_answer
    found = goal_of(solved.run, words, solved.worded.asks, solved.worded.instruction, contains)
    goal = package.module("tasks.task").Goal.model_validate(found)
    start = solver.situated.experts.start(solved.situation, solved.worded)
    return start.model_copy(update={"goal": goal})


def reward(solver: Solver, solved: Solved, functions: Mapping[str, Any]) -> float | str:
    """Return what a changed expert earns on a situation, or why it comes to nothing."""
    experts = solver.situated.experts
    with solver.situated.making.code.using(functions):
        try:
            run = experts.run(solved.situation, solved.worded, task(solver, solved))
            experts.finished(solved.situation, run)
        except NotDrawn as error:
            return str(error)
    return float(experts.grade().reward)


def test_there_is_an_agent_for_each_check(solver: Solver) -> None:
    code, scenario = solver.situated.making.code, solver.scenario("rent_one")
    agents = naive_agents(code, scenario)
    assert [agent.name for agent in agents][:2] == ["first row", "always obeys"]
    checks = [agent.decides.text for agent in agents if agent.decides is not None]
    assert checks == [one.text for one in guards_of(code, scenario.expert, scenario)]
    assert checks == [
        "quote.rejected('out_of_bounds')",
        "not agent.agreed(price=quote.price)",
        "len(others) == 0",
        "not agent.offer('another_bike', model=other.model, price=instead.price)",
    ]


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("rent_one", "too_long"), ("rent_one", "declined"), ("rent_one", "offered"),
        ("rent_one", "none_free"), ("bring_back", "was_back"),
    ],
)  # fmt: skip
def test_an_agent_without_the_check_that_decides_earns_nothing(
    solver: Solver, name: str, outcome: str
) -> None:
    solved = solver.ends(name, outcome)
    assert reward(solver, solved, {}) == 1.0
    deciding = [
        agent
        for agent in naive_agents(solver.situated.making.code, solved.situation.scenario)
        if agent.decides in solved.run.branches
    ]
    assert deciding
    assert all(reward(solver, solved, agent.functions) != 1.0 for agent in deciding)


def test_an_agent_that_takes_the_first_row_earns_nothing_where_it_is_another(
    solver: Solver,
) -> None:
    scenario = solver.scenario("bring_back")
    first = naive_agents(solver.situated.making.code, scenario)[0]
    package = solver.situated.making.package
    earned = {True: 0, False: 0}
    for number in range(60):
        with suppress(NotDrawn):
            solved = solver.solve("bring_back", number)
            environment = package.environment(
                solver.situated.experts.start(solved.situation, solved.worded)
            )
            rental = solved.run.trace and solved.run.steps[-2].arguments["rental_id"]
            customer = environment.state()["rentals"][rental]["customer_id"]
            rows = environment.call("list_rentals", {"customer_id": customer}).structured["items"]
            is_first = rows[0]["rental_id"] == rental
            earned[is_first] += reward(solver, solved, first.functions) == 1.0
    assert earned[False] == 0
    assert earned[True] > 0


def test_the_expert_is_as_it_was_after_another_took_its_place(solver: Solver) -> None:
    solved = solver.ends("rent_one", "declined")
    for agent in naive_agents(solver.situated.making.code, solved.situation.scenario):
        reward(solver, solved, agent.functions)
    assert reward(solver, solved, {}) == 1.0


def test_mutants_are_one_change_each(solver: Solver) -> None:
    code, scenario = solver.situated.making.code, solver.scenario("bring_back")
    found = mutants_of(code, [scenario])
    assert {one.function for one in found} == {"solve_bring_back"}
    rental = "only((one for one in rentals if one.bike_id == bike.bike_id))"
    assert [one.change for one in found] == [
        "`taken.rejected('back_already')` never holds",
        "`taken.rejected('back_already')` always holds",
        "`taken.price > rental.price` never holds",
        "`taken.price > rental.price` always holds",
        f"the first row for `{rental}`",
        "`taken.price > rental.price` with its bound moved",
        "without `one.bike_id == bike.bike_id`",
    ]


def test_a_mutant_of_what_two_experts_use_is_one(solver: Solver) -> None:
    code, scenario = solver.situated.making.code, solver.scenario("bring_back")
    assert len(mutants_of(code, [scenario, scenario])) == len(mutants_of(code, [scenario]))


def lives(solver: Solver, name: str) -> list[str]:
    """Return the mutants that no situation tells from the expert."""
    situations = []
    for number in range(80):
        with suppress(NotDrawn):
            situations.append(solver.solve(name, number))
    return [
        mutant.change
        for mutant in mutants_of(solver.situated.making.code, [solver.scenario(name)])
        if all(reward(solver, one, {mutant.function: mutant.changed}) == 1.0 for one in situations)
    ]


def test_situations_catch_every_mutant_that_errs(solver: Solver) -> None:
    assert lives(solver, "rent_one") == []


def test_mutants_that_do_no_harm_live(solver: Solver) -> None:
    """To say that nothing is added is no error."""
    assert lives(solver, "bring_back") == [
        "`taken.price > rental.price` always holds",
        "`taken.price > rental.price` with its bound moved",
    ]


def test_a_mutant_on_whose_run_a_predicate_fails_earns_nothing_and_stops_nothing(
    solver: Solver, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = solver.ends("bring_back", "in_time")
    made = task(solver, solved).model_copy(update={"drawn": (0, solved.situation.number)})
    trial = MutantTrial(solver.situated, made)
    judging = solver.situated.making.package.module("policy.judging")
    failing = [one._replace(predicate=lambda *_: 1 / 0) for one in judging.watched()]
    monkeypatch.setattr(judging, "watched", lambda: tuple(failing))
    scenario, code = solver.scenario("bring_back"), solver.situated.making.code
    mutant = next(iter(mutants_of(code, [scenario])))
    assert trial.run(mutant) == (False, False)
