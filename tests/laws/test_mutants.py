"""Mutants of tools show whether the laws see what a sequence of calls breaks."""

from __future__ import annotations

import ast

from toolworld.laws import LawSearch, prove_laws
from toolworld.laws.mutants import run_mutants, tool_mutants
from toolworld.packages import Package


def test_a_write_a_column_or_a_check_is_left_out(starter: Package) -> None:
    mutants = tool_mutants(starter)
    changes = {(one.function, one.change) for one in mutants}
    assert ("return_bike", "`price` is not updated") in changes
    assert ("return_bike", "`status` is not updated") in changes
    assert ("rent_bike", "without `db.customers.get(customer_id)`") in changes
    assert ("_rentable", "without `if not _is_free(db, bike):`") in changes
    assert not [one for one in mutants if one.function.startswith(("find_", "list_", "quote_"))]
    for one in mutants:
        ast.parse(one.text)


def test_a_mutant_of_a_helper_is_of_all_tools_that_use_it(starter: Package) -> None:
    tools = [one.tools for one in tool_mutants(starter) if one.function == "_rentable"]
    assert tools and set(tools) == {frozenset({"quote_rental", "rent_bike"})}


def test_the_laws_catch_a_mutant_that_charges_nothing_for_late_days(starter: Package) -> None:
    wanted = [one for one in tool_mutants(starter) if one.change == "`price` is not updated"]
    (end,) = run_mutants(starter.path, wanted, calls=4_000, workers=1)
    assert "each_day_is_paid" in end.broken


def test_the_report_names_what_lives(starter: Package) -> None:
    report = prove_laws(starter.path, LawSearch(calls=400, workers=2, mutants=1_200))
    found = report.content["mutants"]
    assert found["mutants"] == len(tool_mutants(starter))
    assert found["caught"] + len(found["survivors"]) == found["mutants"]
    assert set(found["unbroken"]) <= {
        "no_bike_is_out_and_in_repair", "each_day_is_paid", "a_rental_ends_once",
    }  # fmt: skip
