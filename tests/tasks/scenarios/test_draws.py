"""Situations and experts: drawn the same each time, and every fault named with its place."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tasks.scenarios.conftest import Solver
from tests.tasks.scenarios.faulty import FAULTY_CODE
from toolworld.packages import Package
from toolworld.tasks.make import TaskMaker
from toolworld.tasks.scenarios.draws import Drawer, NotDrawn, Situation

SCENARIOS = ("rent_one", "bring_back")


def face(situation: Situation) -> tuple[Any, ...]:
    """Return all that a situation is."""
    facts = situation.facts
    return facts.values, facts.agrees, facts.accepts, situation.initial, situation.turns


def drawn(drawer: Drawer, solver: Solver, name: str, count: int = 30) -> list[Any]:
    found: list[Any] = []
    for number in range(count):
        try:
            found.append(face(drawer.draw(solver.scenario(name), number)))
        except NotDrawn as error:
            found.append(str(error))
    return found


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_number_gives_the_same_situation_whatever_was_drawn_before(
    solver: Solver, name: str
) -> None:
    making = solver.situated.making
    in_order = drawn(Drawer(making, 0), solver, name)
    drawer = Drawer(making, 0)
    for number in reversed(range(30)):
        try:
            assert face(drawer.draw(solver.scenario(name), number)) == in_order[number]
        except NotDrawn as error:
            assert str(error) == in_order[number]


def test_seeds_vary_the_situations(solver: Solver) -> None:
    making = solver.situated.making
    one, other = (drawn(Drawer(making, seed), solver, "rent_one") for seed in (0, 1))
    assert one != other


def test_a_situation_is_drawn_from_the_seed_database(solver: Solver) -> None:
    """What one draw changes, the next does not see."""
    for number in range(60):
        situation = solver.situated.drawer(0).draw(solver.scenario("rent_one"), number)
        kinds = {row["kind"] for row in situation.initial.get("bikes", {}).values()}
        assert len(kinds) <= 1


def test_the_rows_that_a_situation_changes_are_laid_over_the_database(solver: Solver) -> None:
    solved = solver.ends("rent_one", "none_free")
    bikes = solved.situation.initial["bikes"]
    assert bikes and all(row["in_repair"] for row in bikes.values())


# What the author has to mend

PLACES = {
    "crashes": ("draw.name(", "IndexError"),
    "breaks_a_rule": ("def breaks_a_rule", "returned_rentals_say_when"),
    "is_refused": ("agent.find_bike(", "find_bike refuses (unknown_model)"),
    "reads_unasked": ("find_bike(given.model)", 'Ask: agent.ask("model")'),
    "expert_crashes": ("agent.tell(", "IndexError"),
    "goes_on": ("agent.get_shop_day()", 'write attempt.rejected("unknown_model")'),
    "looks_for_another": ("agent.get_shop_day()", "unknown_model, which the expert does not look"),
    "uses_a_refused_result": ("agent.find_bike(found.model)", "The call was refused"),
    "ends_on_a_refusal": ("def solve_ends_on_a_refusal", "unknown_model"),
    "wrong_argument": ("agent.quote_rental(", "days: Input should be a whole number"),
    "no_such_value": ("found.values.most", "The rejection carries no value most"),
}
"""For each faulty scenario: what stands in the line that is named, and what is said."""


@pytest.mark.parametrize("name", PLACES)
def test_a_fault_is_named_with_file_and_line(faulty: Package, name: str) -> None:
    with pytest.raises(NotDrawn) as caught:
        Solver(faulty).solve(name, 0)
    assert caught.value.is_fault
    text, says = PLACES[name]
    file, line = caught.value.where.split(":")
    path = faulty.path / "src" / faulty.module_name / file
    assert text in path.read_text().split("\n")[int(line) - 1]
    assert says in str(caught.value)
    assert caught.value.named == f"{file}:{line}: {caught.value}"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("never_drawn", "a condition does not hold"), ("never_two", "15 rows fit where one is meant")],
)
def test_a_draw_that_comes_to_nothing_is_no_fault(faulty: Package, name: str, reason: str) -> None:
    with pytest.raises(NotDrawn, match=reason) as caught:
        Solver(faulty).solve(name, 0)
    assert not caught.value.is_fault


@pytest.mark.parametrize("name", ["never_drawn", "never_two", "reads_unasked"])
def test_a_scenario_that_never_comes_to_anything_is_a_fault(
    faulty: Package, starter_graph: Any, name: str
) -> None:
    made = TaskMaker(faulty, starter_graph, 0).make(Solver(faulty).scenario(name), 1)
    assert (made.tasks, made.short) == ([], 1)
    ((fault, count),) = made.faults.items()
    assert fault.startswith("making/faults.py:")
    assert count == made.draws > 100


def test_the_faulty_scenarios_are_ones_that_the_checks_let_pass() -> None:
    assert FAULTY_CODE.count("def solve_") == len(PLACES) + 2
