"""How rows are named: by description, by key, as the one just spoken of, or as the new one."""

from __future__ import annotations

import pytest

from tests.chained.outlines import Library, does, knows
from toolworld.errors import Unsayable


def test_a_row_is_described_and_its_id_not_said(phrases: Library) -> None:
    texts = phrases.all_said(does("renew_loan", phrases.loan(9)))
    assert all("LOA-" not in text for text in texts)
    assert any('the loan of "The Last Harbour"' in text for text in texts)
    assert any("the loan due on March 17, 2026" in text for text in texts)


def test_a_row_known_by_key_is_named_by_key(phrases: Library) -> None:
    said = phrases.all_said(does("renew_loan", phrases.loan(9, known_by_key=True)))
    assert all("LOA-00009" in text for text in said)


def test_a_name_that_people_use_as_a_key_is_said_with_its_row(phrases: Library) -> None:
    mention = phrases.title("9781000000003", known_by_key=True)
    request = does("place_hold", phrases.member(1), mention, needed_by="2026-04-30")
    assert all(
        '"The Last Lantern" (ISBN 9781000000003)' in text for text in phrases.all_said(request)
    )


def test_rows_that_are_described_alike_are_told_apart(phrases: Library) -> None:
    twin = {**phrases.state["loans"]["LOA-00009"], "loan_id": "LOA-99999", "status": "lost"}
    texts = phrases.all_said(does("renew_loan", phrases.loan(9, among=(twin,))))
    assert all("(the one that is open)" in text for text in texts)


def test_of_two_moments_of_one_day_the_later_is_the_most_recent(phrases: Library) -> None:
    hold = phrases.state["holds"]["HLD-00003"]
    twin = {**hold, "hold_id": "HLD-99999", "placed_at": "2026-02-28T05:24:01Z"}
    texts = phrases.all_said(does("cancel_hold", phrases.hold(3, among=(twin,))))
    assert all("the most recent one" in text for text in texts)


def test_a_row_that_cannot_be_told_apart_is_unsayable(phrases: Library) -> None:
    twin = {**phrases.state["loans"]["LOA-00009"], "loan_id": "LOA-99999"}
    with pytest.raises(Unsayable, match="cannot tell rows apart"):
        phrases.all_said(does("renew_loan", phrases.loan(9, among=(twin,))))


def test_a_description_fits_none_of_the_others(phrases: Library) -> None:
    among = phrases.loans()
    for number in range(1, 15):
        for text in phrases.all_said(does("return_loan", phrases.loan(number, among=among))):
            titles = [
                loan["loan_id"]
                for loan in among
                if phrases.state["books"][loan["isbn"]]["title"] in text and "(" not in text
            ]
            assert titles in ([], [f"LOA-{number:05}"])


def test_a_row_spoken_of_again_is_that_one(phrases: Library) -> None:
    loan = phrases.loan(9)
    texts = phrases.all_said(does("renew_loan", loan), does("charge_fee", loan, fee=_fee(), step=2))
    assert all("that loan" in text for text in texts)


def test_a_row_is_named_again_after_others_of_its_kind(phrases: Library) -> None:
    texts = phrases.all_said(
        does("renew_loan", phrases.loan(9)),
        does("renew_loan", phrases.loan(10), step=2),
        does("return_loan", phrases.loan(9), step=3),
    )
    assert all("that loan" not in text for text in texts)


def test_a_row_made_on_the_way_is_the_new_one(phrases: Library) -> None:
    texts = phrases.all_said(
        does("lend_book", phrases.member(3), phrases.title("9781000000003")),
        does("renew_loan", phrases.loan(9, is_new=True), step=2),
    )
    assert all("the new loan" in text for text in texts)


def test_of_two_new_rows_neither_is_the_new_one(phrases: Library) -> None:
    other = phrases.state["loans"]["LOA-00010"]
    with pytest.raises(Unsayable, match="cannot tell rows apart"):
        phrases.all_said(does("renew_loan", phrases.loan(9, is_new=True, among=(other,))))


def test_the_one_who_speaks_is_not_described(phrases: Library) -> None:
    texts = phrases.all_said(
        knows("find_member", email="clara.ivanova3@example.com"),
        does(
            "place_hold", phrases.member(3), phrases.title("9781000000003"), needed_by="2026-04-30"
        ),
    )
    assert all("Clara" not in text and "MEM-" not in text for text in texts)
    assert all(text.count("clara.ivanova3@example.com") == 1 for text in texts)


def test_of_two_people_each_is_named(phrases: Library) -> None:
    texts = phrases.all_said(
        knows("find_member", email="clara.ivanova3@example.com"),
        knows("find_member", email="farid.moreau6@example.com"),
        does("lend_book", phrases.member(3), phrases.title("9781000000003")),
        does("lend_book", phrases.member(6), phrases.title("9781000000004"), step=2),
    )
    for text in texts:
        assert "my account" not in text
        assert "clara.ivanova3@example.com" in text
        assert "farid.moreau6@example.com" in text


def test_without_a_look_up_the_person_is_named(phrases: Library) -> None:
    request = does(
        "place_hold", phrases.member(3), phrases.title("9781000000003"), needed_by="2026-04-30"
    )
    named = ("Clara Ivanova", "clara.ivanova3@example.com")
    assert all(any(name in text for name in named) for text in phrases.all_said(request))


def test_rows_of_the_one_who_speaks_are_theirs(phrases: Library) -> None:
    known = knows("find_member", email="clara.ivanova3@example.com")
    texts = phrases.all_said(known, does("renew_loan", phrases.loan(9)))
    assert all("my loan" in text for text in texts)


def test_a_row_found_by_what_is_known_is_told_by_it(phrases: Library) -> None:
    known = knows("search_books", query="The Glass House")
    texts = phrases.all_said(
        known, does("lend_book", phrases.member(3), phrases.title("9781000000005"))
    )
    assert all(text.count("The Glass House") == 1 for text in texts)


def _fee() -> dict[str, object]:
    return {"reason": "late", "amount": 4.5, "charged_on": "2026-03-02"}
