"""Each claim of a certificate, by a task that breaks just that, and by sound ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.tasks.samples import FARID, GRETA, JsonTask, call, taken
from tests.tasks.verify.conftest import Certify, Write
from toolworld.packages import Package
from toolworld.tasks.execute import StateComparison
from toolworld.tasks.verify import CLAIMS, Certifier

FlawsOf = Callable[[JsonTask, str], list[str]]

FEE = {"reason": "damaged", "amount": 4.5, "charged_on": "2026-03-02"}
FIND_FARID = call("find_member", email=FARID)
FARIDS_LOANS = call("list_member_loans", member_id=taken(0, "member_id"), status="open")
RETURN_IT = call("return_loan", loan_id=taken(1, "items.0.loan_id"))


def codes(verdict: Any) -> list[str]:
    return [flaw.code for flaw in verdict.flaws]


def test_a_sound_task_is_certified_with_what_was_run(certify: Certify) -> None:
    verdict = certify(
        f"Please take back the open loan of {FARID}.", FIND_FARID, FARIDS_LOANS, RETURN_IT
    )
    assert verdict.certificate is not None, verdict.flaws
    assert verdict.certificate["gold"] == {"seeds": 1, "steps": 3}
    assert verdict.certificate["necessary"] == {"writes": 1}
    assert verdict.certificate["rows"] == {"others": 2}
    assert verdict.certificate["knowable"] == {"results": 2, "schema": 1, "words": 1}
    assert verdict.certificate["stray"] == {"calls": 5, "writes": 2}


@pytest.mark.parametrize("name", [claim.name for claim in CLAIMS])
def test_each_claim_holds_of_every_task_of_the_library(
    library: Package, flaws_of: FlawsOf, name: str
) -> None:
    assert {task["id"]: flaws_of(task, name) for task in library.tasks()} == {
        task["id"]: [] for task in library.tasks()
    }


def test_every_task_of_the_library_is_certified(certifier: Certifier, library: Package) -> None:
    assert [codes(certifier.certify(task)) for task in library.tasks()] == [[]] * 6


# gold


def test_a_step_with_another_outcome_is_named(certify: Certify) -> None:
    (flaw,) = certify("Extend loan LOA-00024.", call("renew_loan", loan_id="LOA-00024")).flaws
    assert (flaw.code, flaw.step) == ("unexpected_step", 0)
    assert "step 0, renew_loan" in flaw.message
    assert "extended 2 times" in flaw.message


def test_a_goal_that_gold_misses_is_a_flaw(write: Write, flaws_of: FlawsOf) -> None:
    task = write("Take back LOA-00010.", call("return_loan", loan_id="LOA-00010"))
    task["goal"]["changes"][0]["after"]["status"] = "lost"
    assert flaws_of(task, "gold") == ["gold_earns_nothing"]


def test_empty_gold_is_a_flaw(certify: Certify) -> None:
    assert codes(certify("Hello!")) == ["empty_gold"]


def test_an_initial_patch_must_apply(certifier: Certifier, write: Write) -> None:
    task = write("Take back LOA-00010.", call("return_loan", loan_id="LOA-00010"))
    task["initial"] = {"loans": {"LOA-00010": {"loan_id": "LOA-00010"}}}
    assert codes(certifier.certify(task)) == ["cannot_run"]


def test_json_that_is_no_task_is_a_flaw(certifier: Certifier) -> None:
    assert codes(certifier.certify({"id": "x"})) == ["cannot_run"]


def test_gold_keeps_to_the_tools_of_the_task(write: Write, flaws_of: FlawsOf) -> None:
    task = write("Take back LOA-00010.", call("return_loan", loan_id="LOA-00010"))
    assert flaws_of(task | {"tools": ["find_member", "return_loan"]}, "gold") == []
    assert flaws_of(task | {"tools": ["find_member"]}, "gold") == ["lacks_tool"]


def test_a_new_key_must_be_referred_to(certify: Certify) -> None:
    verdict = certify(
        "Lend 9781000000007 to MEM-00006, and take LOA-00027 back.",
        call("lend_book", member_id="MEM-00006", isbn="9781000000007"),
        call("return_loan", loan_id="LOA-00027"),
    )
    (flaw,) = verdict.flaws
    assert (flaw.code, flaw.step) == ("unexpected_step", 1)
    assert flaw.message.startswith("With seed 1, ")


def test_an_answer_must_not_vary_with_the_seed(certify: Certify) -> None:
    lend = call("lend_book", member_id="MEM-00006", isbn="9781000000007")
    verdict = certify("Lend 9781000000007 to MEM-00006.", lend, answers=["LOA-00027"])
    assert codes(verdict) == ["minted_answer"]


# idle, parrot, paste


def test_a_task_that_asks_for_nothing_is_a_flaw(certify: Certify) -> None:
    assert "idling_earns" in codes(certify(f"Who is {FARID}?", FIND_FARID))


def test_a_task_that_a_refusal_solves_is_a_flaw(certify: Certify) -> None:
    extend = call("renew_loan", "rejected", loan_id="LOA-00024")
    text = "Extend loan LOA-00024, please."
    assert codes(certify(text, extend, answers=["not possible"])) == ["idling_earns"]
    assert "idling_earns" not in codes(certify(text, extend, answers=["extended twice"]))


def test_a_task_solved_by_repeating_it_is_a_flaw(certify: Certify) -> None:
    text = f"I am {FARID}. Am I still called Farid Moreau?"
    assert "answers_given_away" in codes(certify(text, FIND_FARID, answers=["Farid Moreau"]))


def test_what_the_person_knows_is_given_away_too(write: Write, flaws_of: FlawsOf) -> None:
    text, name = f"I am {FARID}. What am I called?", {"name": "Farid Moreau"}
    task = write(text, FIND_FARID, answers=["Farid Moreau"])
    assert flaws_of(task, "parrot") == []
    assert flaws_of(task | {"known_info": name}, "parrot") == ["answers_given_away"]


def test_pasting_all_results_earns_nothing(library: Package, flaws_of: FlawsOf) -> None:
    (task,) = (task for task in library.tasks() if task["goal"]["answers"])
    assert flaws_of(task, "paste") == []


def test_where_long_answers_are_taken_that_is_found(
    write: Write, flaws_of: FlawsOf, library: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = write("Who is this?", FIND_FARID, answers=["Farid Moreau"])
    assert flaws_of(task, "paste") == []
    monkeypatch.setattr(library.module("person.answers"), "LONGEST_ANSWER", 100_000)
    assert flaws_of(task, "paste") == ["pasting_earns"]


# necessary


def test_a_needless_write_is_a_flaw(certify: Certify) -> None:
    verdict = certify(
        "LOA-00015 is back. Take HLD-00005 out and lend 9781000000006 to MEM-00006.",
        call("return_loan", loan_id="LOA-00015"),
        call("cancel_hold", hold_id="HLD-00005"),
        call("lend_book", member_id="MEM-00006", isbn="9781000000006"),
    )
    assert [(flaw.code, flaw.step) for flaw in verdict.flaws] == [("needless_write", 1)]


# rows, values


def test_a_write_at_any_row_is_a_flaw(
    write: Write, flaws_of: FlawsOf, library: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = write("Take HLD-00005 out.", call("cancel_hold", hold_id="HLD-00005"))
    assert flaws_of(task, "rows") == []
    ignoring(library, monkeypatch, "cancel_hold", hold_id="HLD-00005")
    assert flaws_of(task, "rows") == ["another_row_does"]


def test_a_value_without_effect_is_a_flaw(
    write: Write, flaws_of: FlawsOf, library: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = write("Charge LOA-00010 4.50 today.", call("charge_fee", loan_id="LOA-00010", fee=FEE))
    assert flaws_of(task, "values") == []
    ignoring(
        library,
        monkeypatch,
        "charge_fee",
        fee=library.module("database.models").Fee.model_validate(FEE),
    )
    assert flaws_of(task, "values") == ["value_without_effect"]


def ignoring(
    library: Package, monkeypatch: pytest.MonkeyPatch, name: str, **instead: object
) -> None:
    """Let a tool of the library do the same, whatever it is given for some arguments."""
    library.module("calls.arguments").arguments_of(name)  # read before the function is another
    tools = library.module("tools")
    tool = getattr(tools, name)
    monkeypatch.setattr(tools, name, lambda db, **given: tool(db, **{**given, **instead}))


def test_a_free_column_may_hold_anything(certify: Certify) -> None:
    verdict = certify(
        "Lend A Cedar Year, 9781000000007, to MEM-00006 at the children desk.",
        call("lend_book", member_id="MEM-00006", isbn="9781000000007", desk="children"),
    )
    assert verdict.certificate is not None, verdict.flaws
    assert verdict.certificate["values"] == {"free": 1, "others": 1}


# stray


def test_a_task_whose_tools_allow_no_other_write_is_sound(
    write: Write, certifier: Certifier
) -> None:
    task = write("Take back LOA-00010.", call("return_loan", loan_id="LOA-00010"))
    verdict = certifier.certify(task | {"tools": ["return_loan", "list_member_loans"]})
    assert verdict.certificate is not None, verdict.flaws
    assert verdict.certificate["stray"] == {"calls": 3}


def test_a_stray_write_that_is_not_noticed_is_a_flaw(
    write: Write, flaws_of: FlawsOf, library: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = write("Take back LOA-00010.", call("return_loan", loan_id="LOA-00010"))
    assert flaws_of(task, "stray") == []
    grading = library.module("tasks.grading")
    blind = grading.Grade(1.0, 1.0, (), *[grading.GradePart(passed=True)] * 3)
    monkeypatch.setattr(grading, "grade", lambda *_: blind)
    monkeypatch.setattr(StateComparison, "misses_goal", lambda *_: False)
    assert flaws_of(task, "stray") == ["stray_write_passes"]


# order


def test_independent_steps_pass_in_any_order(certify: Certify) -> None:
    verdict = certify(
        "Take HLD-00005 out, and charge LOA-00010 a fee of 4.50 for being damaged today.",
        call("cancel_hold", hold_id="HLD-00005"),
        call("charge_fee", loan_id="LOA-00010", fee=FEE),
    )
    assert verdict.certificate is not None, verdict.flaws
    assert verdict.certificate["order"] == {"others": 1}


def test_dependent_steps_are_not_reordered(certify: Certify) -> None:
    verdict = certify(
        "LOA-00010 is back, with damage for 4.50, charged today.",
        call("return_loan", loan_id="LOA-00010"),
        call("charge_fee", loan_id="LOA-00010", fee=FEE),
    )
    assert verdict.certificate is not None, verdict.flaws
    assert "order" not in verdict.certificate


def test_effects_that_are_wrong_are_found(
    write: Write, library: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    certifier = Certifier(library, [claim for claim in CLAIMS if claim.name == "order"])
    monkeypatch.setattr("toolworld.tasks.verify.order.depends", lambda *_: False)
    task = write(
        "LOA-00010 is back. Can it be extended?",
        call("return_loan", loan_id="LOA-00010"),
        call("renew_loan", "rejected", loan_id="LOA-00010"),
    )
    (flaw,) = certifier.certify(task).flaws
    assert (flaw.code, flaw.step) == ("order_matters", 1)
    assert flaw.message.startswith("In the order [1, 0] step 1, renew_loan")


# knowable


def test_an_unknowable_argument_is_named(certify: Certify) -> None:
    verdict = certify(
        "Please put Jonas Ivanova, jonas.ivanova10@example.com, in line for 9781000000003.",
        call("find_member", email="jonas.ivanova10@example.com"),
        call(
            "place_hold",
            member_id=taken(0, "member_id"),
            isbn="9781000000003",
            needed_by="2026-05-30",
        ),
    )
    (flaw,) = verdict.flaws
    assert (flaw.code, flaw.step) == ("unknowable_value", 1)
    assert "needed_by = '2026-05-30'" in flaw.message


@pytest.mark.parametrize(
    "said", ["on 30 May", "until May 30th, 2026", "by the thirtieth of May", "2026-05-30"]
)
def test_a_day_is_known_however_it_is_spelled(certify: Certify, said: str) -> None:
    hold = call("place_hold", member_id="MEM-00010", isbn="9781000000003", needed_by="2026-05-30")
    verdict = certify(f"Put MEM-00010 in line for 9781000000003; I need it {said}.", hold)
    assert verdict.passed, verdict.flaws


def test_a_day_near_today_can_be_worked_out(certify: Certify) -> None:
    hold = call("place_hold", member_id="MEM-00010", isbn="9781000000003", needed_by="2026-03-16")
    verdict = certify("Put MEM-00010 in line for 9781000000003, for two weeks.", hold)
    assert verdict.certificate is not None, verdict.flaws
    assert verdict.certificate["knowable"] == {"words": 2, "worked out": 1}


@pytest.mark.parametrize(
    ("said", "known"),
    [("4.50", True), ("four or five", True), ("too much", False), ("90", False)],
)
def test_a_number_is_known_or_worked_out(certify: Certify, said: str, known: bool) -> None:
    charge = call("charge_fee", loan_id="LOA-00010", fee=FEE)
    verdict = certify(f"Charge LOA-00010 {said} for damage, today.", charge)
    assert codes(verdict) == ([] if known else ["unknowable_value"])


def test_an_id_is_not_known_from_a_name(certify: Certify) -> None:
    assert codes(certify("Return Farid's loan.", call("return_loan", loan_id="LOA-00010"))) == [
        "unknowable_value"
    ]


def test_an_id_that_a_later_result_shows_is_not_known(write: Write, flaws_of: FlawsOf) -> None:
    find = call("find_member", email=GRETA)
    spelled = call("list_member_loans", member_id="MEM-00007")
    task = write(f"I am {GRETA}.", find, spelled)
    assert flaws_of(task, "knowable") == []
    task = write(f"I am {GRETA}.", spelled, find)
    assert flaws_of(task, "knowable") == ["unknowable_value"]


def test_a_text_that_the_goal_leaves_free_may_be_anything(certify: Certify) -> None:
    lend = call("lend_book", member_id="MEM-00006", isbn="9781000000007", desk="reading room")
    verdict = certify("Lend 9781000000007 to MEM-00006.", lend)
    assert verdict.certificate is not None, verdict.flaws
    assert verdict.certificate["knowable"] == {"free": 1, "words": 2}


def test_a_note_of_the_agents_own_is_not_knowable(certify: Certify) -> None:
    lend = call("lend_book", member_id="MEM-00006", isbn="9781000000007", note="Handled with care.")
    assert codes(certify("Lend 9781000000007 to MEM-00006.", lend)) == ["unknowable_value"]
    assert certify(
        "Lend 9781000000007 to MEM-00006; note that it is handled with care.", lend
    ).passed


PERSON = {
    "facts": {"loan": {"says": "It's number LOA-00010.", "value": "LOA-00010", "topics": ["loan"]}}
}


def test_a_fact_that_is_held_back_is_known_once_it_is_told(write: Write, flaws_of: FlawsOf) -> None:
    ask, done = {"say": "Could you tell me the number of the loan?"}, {"say": "It is back."}
    take_back = call("return_loan", loan_id="LOA-00010")
    asked = write("Take my loan back.", ask, take_back, done, person=PERSON)
    assert flaws_of(asked, "knowable") == []
    guessed = write("Take my loan back.", take_back, done, person=PERSON)
    assert flaws_of(guessed, "knowable") == ["unknowable_value"]


def test_what_a_rejection_says_is_known(write: Write, flaws_of: FlawsOf) -> None:
    lend = call("lend_book", "rejected", member_id="MEM-00010", isbn="9781000000003")
    search, text = call("search_books", query="The Last Lantern"), "MEM-00010 wants 9781000000003."
    assert flaws_of(write(text, search), "knowable") == ["unknowable_value"]
    assert flaws_of(write(text, lend, search), "knowable") == []


def test_messages_stay_where_they_are(write: Write, library: Package) -> None:
    task = write(
        "Take HLD-00005 out, and LOA-00010 back.",
        call("cancel_hold", hold_id="HLD-00005"),
        {"say": "You are out of the line."},
        call("return_loan", loan_id="LOA-00010"),
        person=PERSON,
    )
    claims = [claim for claim in CLAIMS if claim.name in ("gold", "order", "necessary")]
    verdict = Certifier(library, claims).certify(task)
    assert verdict.certificate is not None, verdict.flaws
    assert "order" not in verdict.certificate
    assert verdict.certificate["necessary"] == {"writes": 2}
