"""Twins: one cell is turned, and the same wish ends otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from tests.tasks.scenarios.conftest import Solved, Solver, chance
from toolworld.tasks.scenarios.draws import NotDrawn
from toolworld.tasks.scenarios.experts import ExpertRun
from toolworld.tasks.scenarios.twins import Twin, Twins, ends_otherwise


def anything(_: ExpertRun) -> bool:
    return True


def twin_of(
    solver: Solver, solved: Solved, fits: Callable[[ExpertRun], bool] = anything
) -> Twin | None:
    twins = Twins(solver.situated.making.package, solver.situated.experts)
    return twins.of(solved.situation, solved.worded, solved.run, chance(0), fits)


def with_twins(solved: Solved, *cells: str) -> Solved:
    """Return a solved situation whose words name cells, and which names none by itself."""
    scenario = solved.situation.scenario
    words = scenario.words.model_copy(update={"twins": cells})
    situation = replace(
        solved.situation, turns=(), scenario=scenario.model_copy(update={"words": words})
    )
    return replace(solved, situation=situation)


def state(solver: Solver, solved: Solved, initial: Any) -> dict[str, Any]:
    start = solver.situated.experts.start(replace(solved.situation, initial=initial), solved.worded)
    found: dict[str, Any] = solver.situated.making.package.environment(start).state()
    return found


def cells(state: dict[str, Any]) -> Iterator[tuple[tuple[str, str, str], Any]]:
    for table, rows in state.items():
        for key, row in rows.items():
            yield from (((table, key, column), value) for column, value in row.items())


@pytest.mark.parametrize("name", ["rent_one", "bring_back"])
def test_twins_differ_in_one_cell_and_end_otherwise(solver: Solver, name: str) -> None:
    found = 0
    for number in range(40):
        try:
            solved = solver.solve(name, number)
        except NotDrawn:
            continue
        twin = twin_of(solver, solved)
        if twin is None:
            continue
        found += 1
        here = dict(cells(state(solver, solved, solved.situation.initial)))
        there = dict(cells(state(solver, solved, twin.situation.initial)))
        assert [place for place in here if here[place] != there[place]] == [twin.cell]
        assert here.keys() == there.keys()
        assert ends_otherwise(solved.run, twin.run)
        assert twin.situation.facts is solved.situation.facts, "the wish is the same"
    assert found >= 5


def test_a_free_bike_has_a_twin_that_is_in_repair(solver: Solver) -> None:
    solved = solver.ends("rent_one", "declined")
    twin = twin_of(solver, solved)
    assert twin is not None
    assert twin.cell[0::2] == ("bikes", "in_repair")
    assert twin.run.outcome in ("rented", "offered", "none_free")


def test_a_twin_has_to_end_as_it_is_wanted(solver: Solver) -> None:
    solved = solver.ends("rent_one", "declined")
    asked: list[str] = []

    def refuse(run: ExpertRun) -> bool:
        asked.append(run.outcome)
        return False

    assert twin_of(solver, solved, refuse) is None
    assert asked and "declined" not in asked


def test_a_wish_that_no_cell_decides_has_no_twin(solver: Solver) -> None:
    assert twin_of(solver, solver.ends("rent_one", "too_long")) is None


@pytest.mark.parametrize("cell", ["rentals.due_on", "rentals.due_on=2026-03-05"])
def test_cells_that_the_words_name_are_turned(solver: Solver, cell: str) -> None:
    solved = solver.ends("bring_back", "late")
    twin = twin_of(solver, with_twins(solved, cell))
    assert twin is not None
    table, key, column = twin.cell
    due = twin.situation.initial[table][key][column]
    assert (table, column) == ("rentals", "due_on")
    assert "=" not in cell or due == "2026-03-05"
    assert ends_otherwise(solved.run, twin.run)


@pytest.mark.parametrize(
    "cell",
    ["rentals.status=returned", "rentals.bike_id=BIK-99999", "customers.name=Somebody Else"],
)
def test_what_breaks_a_rule_or_changes_nothing_is_no_twin(solver: Solver, cell: str) -> None:
    assert twin_of(solver, with_twins(solver.ends("bring_back", "late"), cell)) is None


def test_looking_for_a_twin_leaves_the_situation_as_it_was(solver: Solver) -> None:
    solved = solver.ends("bring_back", "late")
    before = state(solver, solved, solved.situation.initial)
    solved = with_twins(solved, "rentals.due_on")
    first, again = twin_of(solver, solved), twin_of(solver, solved)
    assert first is not None and again is not None
    assert (first.cell, first.situation.initial) == (again.cell, again.situation.initial)
    assert state(solver, solved, solved.situation.initial) == before


def test_runs_end_otherwise_if_they_tell_or_change_something_else(solver: Solver) -> None:
    run = solver.ends("bring_back", "late").run
    assert not ends_otherwise(run, replace(run, reply="Bye."))
    assert ends_otherwise(run, replace(run, outcome="in_time"))
    assert ends_otherwise(run, replace(run, values={**run.values, "price": date.today}))
    assert ends_otherwise(run, replace(run, moment=run.moment._replace(state=run.moment.start)))
