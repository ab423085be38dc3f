"""What a certificate claims of a task, each by a task that breaks just that."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tasks.certificate.conftest import Certify, MakeTask
from toolworld.emit import Package
from toolworld.tasks.certificate import Certifier, Reason

GRETA = "greta.novak7@example.com"
FARID = "farid.moreau6@example.com"


def step(tool: str, expect: str = "ok", **arguments: Any) -> dict[str, Any]:
    return {"tool": tool, "arguments": arguments, "expect": expect}


def taken(number: int, path: str) -> dict[str, Any]:
    return {"$step": number, "path": path}


FIND_FARID = step("find_member", email=FARID)
FARIDS_LOANS = step("list_member_loans", member_id=taken(0, "member_id"), status="open")


def test_every_task_of_the_library_is_certified(certifier: Certifier, library: Package) -> None:
    for task in library.tasks():
        verdict = certifier.certify(task)
        assert verdict.passed, (task["id"], verdict.reason, verdict.detail)


def test_a_certificate_counts_what_was_run(certify: Certify) -> None:
    verdict = certify(
        f"Please take back the open loan of {FARID}.",
        FIND_FARID,
        FARIDS_LOANS,
        step("return_loan", loan_id=taken(1, "items.0.loan_id")),
    )
    assert verdict.certificate is not None
    assert verdict.certificate["necessary"] == {"look-ups": 2, "writes": 1}
    assert verdict.certificate["knowable"] == {"results": 2, "texts": 2}
    assert verdict.certificate["wrong"]["rows"] == 3
    assert verdict.certificate["run"]["sequences"] > 5


def test_certifying_again_gives_the_same(certifier: Certifier, library: Package) -> None:
    task = library.tasks()[-1]
    first, second = (certifier.certify(task) for _ in range(2))
    assert first == second


def test_a_step_with_another_outcome_is_named(certify: Certify) -> None:
    verdict = certify("Extend loan LOA-00024.", step("renew_loan", loan_id="LOA-00024"))
    assert verdict.reason is Reason.UNEXPECTED
    assert "step 0, renew_loan" in verdict.detail
    assert "extended 2 times" in verdict.detail


def test_an_initial_patch_must_apply(certifier: Certifier, make_task: MakeTask) -> None:
    task = make_task("Take back LOA-00010.", step("return_loan", loan_id="LOA-00010"))
    task["initial"] = {"loans": {"LOA-00010": {"loan_id": "LOA-00010"}}}
    assert certifier.certify(task).reason is Reason.PATCH


def test_gold_keeps_to_the_tools_of_the_task(certifier: Certifier, make_task: MakeTask) -> None:
    task = make_task("Take back LOA-00010.", step("return_loan", loan_id="LOA-00010"))
    assert certifier.certify(task | {"tools": ["find_member", "return_loan"]}).passed
    verdict = certifier.certify(task | {"tools": ["find_member"]})
    assert verdict.reason is Reason.LACKS_TOOL
    assert "return_loan" in verdict.detail


def test_a_task_that_asks_for_nothing_is_refused(certify: Certify) -> None:
    assert certify(f"Who is {FARID}?", FIND_FARID).reason is Reason.NOTHING


def test_a_task_solved_by_repeating_it_is_refused(certify: Certify) -> None:
    verdict = certify(
        f"I am {FARID}. Am I still called Farid Moreau?", FIND_FARID, answers=["Farid Moreau"]
    )
    assert verdict.reason is Reason.PARROT


def test_a_needless_write_is_refused_and_mended(certifier: Certifier, make_task: MakeTask) -> None:
    charge = {"reason": "damaged", "amount": 4.5, "charged_on": "2026-03-02"}
    task = make_task(
        "Put me in line for 9781000000003 until 2026-04-30, take me out again, and "
        "charge 4.50 for the damaged LOA-00010 today.",
        step("charge_fee", loan_id="LOA-00010", fee=charge),
        step("place_hold", member_id="MEM-00002", isbn="9781000000003", needed_by="2026-04-30"),
        step("cancel_hold", hold_id=taken(1, "hold_id")),
        known_info={"card": "MEM-00002"},
    )
    verdict = certifier.certify(task)
    assert verdict.reason in (Reason.NEEDLESS, Reason.SEVERAL_NEEDLESS)
    mended = certifier.mend(task, verdict)
    assert mended is not None
    assert [one["tool"] for one in mended["gold"]] == ["charge_fee"]
    assert certifier.certify(mended).passed


def test_a_write_that_another_makes_needless_is_refused(certify: Certify) -> None:
    verdict = certify(
        "LOA-00015 is back. Take HLD-00005 out and lend 9781000000006 to MEM-00006.",
        step("return_loan", loan_id="LOA-00015"),
        step("cancel_hold", hold_id="HLD-00005"),
        step("lend_book", member_id="MEM-00006", isbn="9781000000006"),
    )
    assert verdict.reason is Reason.NEEDLESS
    assert verdict.detail.startswith("step 1, cancel_hold")
    assert verdict.mend is not None
    assert verdict.mend.steps == (1,)


def test_an_unknowable_argument_is_named(certify: Certify) -> None:
    verdict = certify(
        "Please put Jonas Ivanova, jonas.ivanova10@example.com, in line for 9781000000003.",
        step("find_member", email="jonas.ivanova10@example.com"),
        step(
            "place_hold",
            member_id=taken(0, "member_id"),
            isbn="9781000000003",
            needed_by="2026-04-30",
        ),
    )
    assert verdict.reason is Reason.UNKNOWABLE
    assert "needed_by = '2026-04-30'" in verdict.detail


@pytest.mark.parametrize(
    "said", ["on 30 April", "until April 30th, 2026", "by the thirtieth of April", "2026-04-30"]
)
def test_a_day_is_known_however_it_is_spelled(certify: Certify, said: str) -> None:
    verdict = certify(
        f"Put MEM-00010 in line for 9781000000003; I need it {said}.",
        step("place_hold", member_id="MEM-00010", isbn="9781000000003", needed_by="2026-04-30"),
    )
    assert verdict.passed, verdict


def test_an_id_is_not_known_from_a_name(certify: Certify) -> None:
    verdict = certify("Return Farid's loan.", step("return_loan", loan_id="LOA-00010"))
    assert verdict.reason is Reason.UNKNOWABLE


def test_a_tool_is_not_named(certify: Certify) -> None:
    verdict = certify("Call return_loan with LOA-00010.", step("return_loan", loan_id="LOA-00010"))
    assert verdict.reason is Reason.NAMES_TOOL


def test_an_id_of_no_use_is_not_given_away(certify: Certify) -> None:
    verdict = certify(
        "Take back LOA-00010, not LOA-00011.", step("return_loan", loan_id="LOA-00010")
    )
    assert verdict.reason is Reason.USELESS_ID
    assert "LOA-00011" in verdict.detail


def test_a_row_that_is_not_told_apart_is_refused(certify: Certify) -> None:
    greta = (
        step("find_member", email=GRETA),
        step("list_member_loans", member_id=taken(0, "member_id"), status="open"),
        step("return_loan", loan_id=taken(1, "items.1.loan_id")),
    )
    vague = certify(f"I am {GRETA}. I bring back a book of the two open loans I have.", *greta)
    assert vague.reason is Reason.LOOKALIKE
    assert "LOA-00014" in vague.detail
    clear = certify(f"I am {GRETA}. I bring back The Last Harbour, of my open loans.", *greta)
    assert clear.passed, clear


def test_the_latest_of_several_is_told_apart(certify: Certify) -> None:
    verdict = certify(
        f"I am {GRETA}. Of my open loans take back the one lent last.",
        step("find_member", email=GRETA),
        step("list_member_loans", member_id=taken(0, "member_id"), status="open"),
        step("return_loan", loan_id=taken(1, "items.1.loan_id")),
    )
    assert verdict.passed, verdict


def test_filters_nobody_asked_for_tell_no_rows_apart(certify: Certify) -> None:
    ada = (
        step("find_member", email="ada.keller11@example.com"),
        step("list_member_loans", member_id=taken(0, "member_id"), status="open"),
        step(
            "charge_fee",
            loan_id=taken(1, "items.0.loan_id"),
            fee={"reason": "damaged", "amount": 2, "charged_on": "2026-03-02"},
        ),
    )
    text = "I am ada.keller11@example.com and damaged {}. Charge me 2 euros today."
    assert certify(text.format("The Cedar House, which is still open"), *ada).passed
    verdict = certify(text.format("a book"), *ada)
    assert verdict.reason is Reason.LOOKALIKE


def test_something_else_must_not_answer_the_same(certify: Certify) -> None:
    verdict = certify(
        "How many lost loans has MEM-00008?",
        step("list_member_loans", member_id="MEM-00008", status="lost"),
        answers=[1],
    )
    assert verdict.reason is Reason.SAME_ANSWER
    assert '"status": "returned"' in verdict.detail or '"status": "open"' in verdict.detail


def test_an_answer_must_be_that_of_the_row_meant(certify: Certify) -> None:
    verdict = certify(
        "On which desk was a loan of MEM-00007 made?",
        step("list_member_loans", member_id="MEM-00007"),
        answers=["main"],
    )
    assert verdict.reason is Reason.LOOKALIKE


def test_independent_steps_pass_in_any_order(certify: Certify) -> None:
    verdict = certify(
        "Take HLD-00005 out, and charge LOA-00010 a fee of 4.50 for being damaged today.",
        step("cancel_hold", hold_id="HLD-00005"),
        step(
            "charge_fee",
            loan_id="LOA-00010",
            fee={"reason": "damaged", "amount": 4.5, "charged_on": "2026-03-02"},
        ),
    )
    assert verdict.certificate is not None
    assert verdict.certificate["order"] == {"other orders": 1}


def test_a_free_column_may_hold_anything(certify: Certify) -> None:
    verdict = certify(
        "Lend A Cedar Year, 9781000000007, to MEM-00006 at the children desk.",
        step("lend_book", member_id="MEM-00006", isbn="9781000000007", desk="children"),
    )
    assert verdict.certificate is not None
    assert "lend_book.desk" in verdict.certificate["free"]
