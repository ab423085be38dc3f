"""A finding counts when the package, run, is not as its documentation says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.audit.conftest import Auditor, Found, Planted, answer, call, check, finding

BLOCKED = call("lend_book", "rejected", member_id="MEM-00009", isbn="9781000000000")
REFUSES = "The member is blocked"
WAITS = call("renew_loan", "rejected", loan_id="LOA-00004")


def test_a_missing_rejection_is_confirmed(planted: Planted, found: Found) -> None:
    planted.code("if member.blocked:", "if member.blocked and book.copies > 9:")
    came = found(finding("lend_book", REFUSES, BLOCKED, kind="missing-rejection"), planted.path)
    assert came["status"] == "confirmed"
    assert came["why"].startswith("call 0 (lend_book) ended ok, not rejected.")
    assert came["happened"]["ends"][0]["arguments"]["member_id"] == "MEM-00009"
    assert came["happened"]["changes"][0]["table"] == "loans"


def test_the_same_finding_about_a_sound_package_is_refuted(found: Found) -> None:
    assert found(finding("lend_book", REFUSES, BLOCKED))["status"] == "refuted"


def test_a_wrong_rejection_is_confirmed(planted: Planted, found: Found) -> None:
    planted.code("loan.renewals >= MOST_RENEWALS", "loan.renewals + 1 >= MOST_RENEWALS")
    again = call("renew_loan", "ok", loan_id="LOA-00014")
    came = found(finding("renew_loan", "The loan was extended twice already", again), planted.path)
    assert (came["status"], came["tool"]) == ("confirmed", "renew_loan")


def test_a_description_that_lies_is_confirmed_by_a_result(planted: Planted, found: Found) -> None:
    planted.describe("list_member_loans", "oldest first", "newest first")
    listed = call(
        "list_member_loans",
        "ok",
        [check("items.0.lent_at", "at least", "2026-02-28T08:21:00Z")],
        member_id="MEM-00001",
    )
    came = found(finding("list_member_loans", "newest first", listed), planted.path)
    assert came["status"] == "confirmed"
    assert "items.0.lent_at" in came["why"]


def test_what_a_write_leaves_behind_is_confirmed_by_a_row(planted: Planted, found: Found) -> None:
    planted.code("db.holds.remove(hold.hold_id)\n    return db.loans", "pass\n    return db.loans")
    took = call("return_loan", "ok", loan_id="LOA-00015")
    lent = call("lend_book", "ok", member_id="MEM-00008", isbn="9781000000006")
    gone = check("", "equal", None, table="holds", id="HLD-00002")
    used = finding("lend_book", "own hold on the book ... is used up", took, lent, rows=[gone])
    used["promise"] = "The member's own hold on the book, if there is one, is used up."
    assert found(used, planted.path)["status"] == "confirmed"
    assert found(used)["status"] == "refuted"


def test_a_tool_that_does_not_come_back_is_confirmed(planted: Planted, found: Found) -> None:
    planted.code("    loan = _open_loan(db, loan_id)\n    amount", "    for _ in range(10**12):\n"
        "        pass\n    loan = _open_loan(db, loan_id)\n    amount")  # fmt: skip
    back = call("return_loan", "ok", loan_id="LOA-00005")
    came = found(finding("return_loan", "Take a copy back", back), planted.path)
    assert (came["status"], "does not come back" in came["why"]) == ("confirmed", True)


def test_values_are_taken_from_earlier_results(found: Found) -> None:
    who = call("find_member", "ok", email="greta.novak7@example.com")
    theirs = call(
        "list_member_loans",
        "ok",
        [check("total", "at least", 1), check("items", "lack", "MEM-00011")],
        member_id={"$step": 0, "path": "member_id"},
    )
    came = found(finding("list_member_loans", "List a member's loans", who, theirs))
    assert came["status"] == "refuted"
    assert came["happened"]["ends"][1]["arguments"] == {"member_id": "MEM-00007"}


def test_calls_can_be_made_on_the_start_of_a_task(found: Found) -> None:
    one = finding("renew_loan", "Extend an open loan", WAITS, task="renew_all_loans")
    assert found(one)["status"] == "refuted"


SHOW_NOTHING: tuple[tuple[dict[str, object], str], ...] = (
    ({"promise": "It sends an e-mail."}, "The promise does not stand"),
    ({"task": "no_such_task"}, 'There is no task "no_such_task"'),
    ({"calls": [call("renew_loan", "ok", loan="LOA-00004")]}, "does not fit the schema"),
    ({"calls": [{**WAITS, "arguments": "{loan_id"}]}, "are no JSON"),
    ({"calls": [{**WAITS, "arguments": "[1]"}]}, "no JSON object"),
    (
        {"calls": [call("renew_loan", "ok", loan_id="LOA-00006"), WAITS]},
        "Only the last call may end otherwise",
    ),
    (
        {"calls": [call("renew_loan", "ok", loan_id={"$step": 3, "path": "x"})]},
        "takes a value that no earlier result holds",
    ),
    (
        {"calls": [{**WAITS, "checks": [check("due_on", "equal", "x")]}]},
        'has no "due_on"',
    ),
    ({"rows": [check("x", "equal", 1, table="shelves", id="S")]}, "There is no table"),
    ({"rows": [check("due_on", "equal", 1, table="loans", id="LOA-9")]}, "There is no row"),
    (
        {"rows": [check("renewals", "at least", "two", table="loans", id="LOA-00001")]},
        "cannot be compared",
    ),
)
"""What changes a finding so that it shows nothing, and why it does not."""


@pytest.fixture(scope="module")
def shown(all_found: Found) -> Any:
    """What comes of the findings that show nothing."""
    one = finding("renew_loan", "Extend an open loan", WAITS)
    return all_found([one | change for change, _ in SHOW_NOTHING])


@pytest.mark.parametrize(
    "number", range(len(SHOW_NOTHING)), ids=[why for _, why in SHOW_NOTHING]
)  # fmt: skip
def test_what_shows_nothing_is_broken(shown: Any, number: int) -> None:
    came, why = shown[number], SHOW_NOTHING[number][1]
    assert (came["status"], why in came["why"]) == ("broken", True), came["why"]


def test_a_bad_call_is_mended_at_the_second_answer(planted: Planted) -> None:
    planted.code("if member.blocked:", "if member.blocked and book.copies > 9:")
    bad = call("lend_book", "rejected", member_id="MEM-00009")
    bad["expect"] = "ok"
    auditor = Auditor({
        "tools-1.1": answer(finding("lend_book", REFUSES, bad)),
        "tools-1.2": answer(finding("lend_book", REFUSES, BLOCKED)),
    })  # fmt: skip
    report = auditor.audit(planted.path)
    (came,) = report.content["findings"]
    assert (came["status"], came["answer"]) == ("confirmed", 2)
    assert report.failed
    again = auditor.prompts["tools-1.2"].text
    assert "isbn: Field required" in again
    assert "# lend_book" in again
    assert "# renew_loan" not in again, "only what is to be mended is shown again"


@pytest.mark.usefixtures("gather_once")
def test_what_is_settled_is_not_counted_twice(golden_package: Path) -> None:
    settled = finding("lend_book", REFUSES, BLOCKED)
    broken = finding("renew_loan", "It sings.", WAITS)
    auditor = Auditor({
        "tools-1.1": answer(settled, broken),
        "tools-1.2": answer(settled),
    })  # fmt: skip
    came = auditor.audit(golden_package).content["findings"]
    assert [(one["tool"], one["status"]) for one in came] == [
        ("lend_book", "refuted"),
        ("renew_loan", "broken"),
    ]


def about_data(*rows: dict[str, object]) -> dict[str, object]:
    one = {"kind": "implausible-data", "severity": "medium", "claim": "Odd.", "table": "books"}
    return {**one, "rows": list(rows)}


def test_a_row_that_is_not_as_it_ought_to_be_is_confirmed(found: Found, planted: Planted) -> None:
    price = check("price", "at most", 200, table="books", id="9781000000002")
    assert found(about_data(price))["status"] == "refuted"
    planted.replace("database/seed.json", '"price":33.32', '"price":93332.32')
    came = found(about_data(price), planted.path)
    assert came["status"] == "confirmed"
    assert "price of books 9781000000002 must be at most 200, and is 93332.32" in came["why"]


def test_words_of_a_task_are_looked_at(all_found: Found) -> None:
    one = {"kind": "odd-task", "severity": "low", "claim": "Odd.", "task": "renew_all_loans"}
    odd = {**one, "words": [check("instruction", "lack", "won't make it to the library")]}
    fine = {**one, "words": [check("known_info.email", "contain", "@")]}
    assert [came["status"] for came in all_found([odd, fine])] == ["confirmed", "refuted"]


def test_a_task_that_has_no_start_is_confirmed(found: Found, planted: Planted) -> None:
    planted.replace(
        "tasks/tasks.jsonl",
        '"known_info": {"email": "greta.novak7@example.com"}, "initial": {}',
        '"known_info": {}, "initial": {"holds": {"HLD-00001": {"hold_id": "HLD-00001"}}}',
    )
    one = {"kind": "wrong-gold", "severity": "high", "claim": "Odd.", "task": "renew_all_loans"}
    came = found({**one, "calls": [call("renew_loan", "ok", loan_id="LOA-00014")]}, planted.path)
    assert came["status"] == "confirmed"
    assert came["why"].startswith("the start does not fit the database")
