"""The quick comparison of states, against the package's own grading."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.tasks.samples import call, taken, written
from toolworld.packages import Package
from toolworld.packages.task import read_task
from toolworld.tasks.execute import Player, StateComparison

LOANS = [f"LOA-{number:05d}" for number in range(1, 27)]
HOLDS = [f"HLD-{number:05d}" for number in range(1, 7)]
MEMBERS = [f"MEM-{number:05d}" for number in range(1, 13)]
BOOKS = [f"97810000000{number:02d}" for number in range(1, 17)]
FEE = {"reason": "damaged", "amount": 4.5, "charged_on": "2026-03-02"}

GOLDS: list[tuple[list[dict[str, Any]], list[list[dict[str, Any]]]]] = [
    (
        [call("return_loan", loan_id="LOA-00010"), call("cancel_hold", hold_id="HLD-00005")],
        [[{"loan_id": one} for one in LOANS], [{"hold_id": one} for one in HOLDS]],
    ),
    (
        [
            call("lend_book", member_id="MEM-00006", isbn="9781000000007", note="Torn page."),
            call("charge_fee", loan_id=taken(0, "loan_id"), fee=FEE),
        ],
        [
            [
                {"member_id": member, "isbn": isbn, **more}
                for member in MEMBERS
                for isbn in BOOKS
                for more in ({}, {"desk": "children"}, {"note": "A torn page"}, {"note": "Wet."})
            ],
            [{"loan_id": one, "fee": FEE} for one in LOANS],
        ],
    ),
]


@pytest.mark.parametrize(("gold", "others"), GOLDS)
def test_gold_with_another_call_is_judged_as_grading_does(
    library: Package, gold: list[dict[str, Any]], others: list[list[dict[str, Any]]]
) -> None:
    player, task = Player(library), written(library, "Please.", *gold)
    run, seen = player.play(read_task(library, task)), Counter[bool]()
    for index, alternatives in enumerate(others):
        for arguments in alternatives:
            ending = player.instead(run, index, arguments)
            if not ending.refused:
                assert ending.reached == graded(library, task, index, arguments), arguments
                seen[ending.reached] += 1
    assert seen[True] and seen[False]


def graded(library: Package, task: dict[str, Any], index: int, arguments: dict[str, Any]) -> bool:
    """Run a task's gold with other arguments in one step, each call made anew."""
    environment = library.environment(task)
    results: list[dict[str, Any]] = []
    resolve = library.module("tasks.task").resolve
    for number, step in enumerate(task["gold"]):
        given = arguments if number == index else step["arguments"]
        resolved = {name: resolve(value, results) for name, value in given.items()}
        results.append(environment.call(step["tool"], resolved).structured)
    return bool(environment.grade().state.passed)


def test_states_are_compared_by_their_rows(library: Package) -> None:
    comparison, environment = StateComparison(library), library.environment()
    start = environment.snapshot().state.changes
    environment.call("return_loan", {"loan_id": "LOA-00010"})
    returned = environment.snapshot().state.changes
    environment.call("cancel_hold", {"hold_id": "HLD-00005"})
    both = environment.snapshot().state.changes
    assert comparison.are_same(both, both)
    assert not comparison.are_same(start, returned)
    (difference,) = comparison.differing(both, returned)
    assert (difference.table, difference.key, difference.one) == ("holds", "HLD-00005", None)
    assert difference.other.isbn == "9781000000006"
