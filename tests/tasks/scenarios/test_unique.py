"""What a person says of a row fits no other row of the start state."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from tests.tasks.scenarios.conftest import Solver
from toolworld.packages import Package

Other = Callable[..., str]
SWIFT = {
    "bike_id": "BIK-90001", "model": "Swift 4", "kind": "city", "day_rate": 14, "in_repair": False,
}  # fmt: skip
RENTAL = {
    "rental_id": "REN-90001", "customer_id": "CUS-00011", "bike_id": "BIK-00002",
    "status": "returned", "start_on": "2026-02-20", "due_on": "2026-02-21",
    "returned_on": "2026-02-21", "price": 44,
}  # fmt: skip


@pytest.fixture
def other(starter: Package, solver: Solver) -> Other:
    """Returns a row that fits what is said of rows as well, over the rows of a patch."""
    told = starter.module("making.facts").Told

    def find(*facts: tuple[Any, str, str, str], **initial: Any) -> str:
        task = {"id": "mine", "instruction": "Hi.", "initial": initial}
        database = starter.environment(task)._database
        found = [
            told(value, table, key, tuple(path.split("."))) for value, table, key, path in facts
        ]
        return solver.situated.uniqueness.other(database, found)

    return find


def test_a_fact_that_one_row_has_is_unique(other: Other) -> None:
    assert other(("Swift 4", "bikes", "BIK-00004", "model")) == ""


def test_a_second_row_that_a_task_lays_over_is_caught(other: Other) -> None:
    found = other(("Swift 4", "bikes", "BIK-00004", "model"), bikes={"BIK-90001": SWIFT})
    assert found == 'bikes "BIK-90001" fits model = Swift 4 as well as "BIK-00004" does'


def test_a_second_row_of_the_seed_database_is_caught(other: Other) -> None:
    assert "fits kind = city" in other(("city", "bikes", "BIK-00004", "kind"))


def test_a_row_that_a_task_turned_into_a_second_one_is_caught(other: Other) -> None:
    turned = {"BIK-00007": {**SWIFT, "bike_id": "BIK-00007"}}
    assert '"BIK-00007"' in other(("Swift 4", "bikes", "BIK-00004", "model"), bikes=turned)


def test_a_short_name_must_fit_no_other_row(other: Other) -> None:
    """Nothing in the data is called just that, so no index leads to what fits."""
    assert "fits model = Swift as well" in other(("Swift", "bikes", "BIK-00004", "model"))
    assert other(("4 swift", "bikes", "BIK-00004", "model")) == ""


def test_several_facts_together_must_fit_no_other_row(other: Other) -> None:
    kind = ("city", "bikes", "BIK-00004", "kind")
    assert other(kind, ("Swift 4", "bikes", "BIK-00004", "model")) == ""
    again = {"BIK-90001": SWIFT}
    assert other(kind, ("Swift 4", "bikes", "BIK-00004", "model"), bikes=again) != ""
    touring = {"BIK-90001": {**SWIFT, "kind": "touring"}}
    assert other(kind, ("Swift 4", "bikes", "BIK-00004", "model"), bikes=touring) == ""


def test_a_row_of_somebody_who_is_known_is_told_from_their_rows_only(other: Other) -> None:
    start = (date(2026, 2, 20), "rentals", "REN-00001", "start_on")
    customer = ("x@example.com", "customers", "CUS-00011", "email")
    assert "fits start_on" in other(start), "another customer began on that day, too"
    assert other(start, customer) == ""
    assert '"REN-90001"' in other(start, customer, rentals={"REN-90001": RENTAL})
