"""How rows are named: by description, by key, as the one just spoken of, or as the new one."""

from __future__ import annotations

import pytest

from toolworld.errors import Unsayable
from toolworld.tasks.outline import Every

from .outlines import Library, does, knows


def test_a_row_is_described_and_its_id_not_said(library: Library) -> None:
    texts = library.all_said(does("renew_loan", library.loan(9)))
    assert all("LOA-" not in text for text in texts)
    assert any('the loan of "The Last Harbour"' in text for text in texts)
    assert any("the loan due on March 17, 2026" in text for text in texts)


def test_a_row_known_by_key_is_named_by_key(library: Library) -> None:
    said = library.all_said(does("renew_loan", library.loan(9, known_by_key=True)))
    assert all("LOA-00009" in text for text in said)


def test_a_name_that_people_use_as_a_key_is_said_with_its_row(library: Library) -> None:
    mention = library.title("9781000000003", known_by_key=True)
    request = does("place_hold", library.member(1), mention, needed_by="2026-04-30")
    assert all(
        '"The Last Lantern" (ISBN 9781000000003)' in text for text in library.all_said(request)
    )


def test_rows_that_are_described_alike_are_told_apart(library: Library) -> None:
    twin = {**library.state["loans"]["LOA-00009"], "loan_id": "LOA-99999", "status": "lost"}
    texts = library.all_said(does("renew_loan", library.loan(9, among=(twin,))))
    assert all("(the one that is open)" in text for text in texts)


def test_of_two_moments_of_one_day_the_later_is_the_most_recent(library: Library) -> None:
    hold = library.state["holds"]["HLD-00003"]
    twin = {**hold, "hold_id": "HLD-99999", "placed_at": "2026-02-28T05:24:01Z"}
    texts = library.all_said(does("cancel_hold", library.hold(3, among=(twin,))))
    assert all("the most recent one" in text for text in texts)


def test_a_row_that_cannot_be_told_apart_is_unsayable(library: Library) -> None:
    twin = {**library.state["loans"]["LOA-00009"], "loan_id": "LOA-99999"}
    with pytest.raises(Unsayable, match="cannot tell rows apart"):
        library.all_said(does("renew_loan", library.loan(9, among=(twin,))))


def test_a_description_fits_none_of_the_others(library: Library) -> None:
    among = library.loans()
    for number in range(1, 15):
        for text in library.all_said(does("return_loan", library.loan(number, among=among))):
            titles = [
                loan["loan_id"]
                for loan in among
                if library.state["books"][loan["isbn"]]["title"] in text and "(" not in text
            ]
            assert titles in ([], [f"LOA-{number:05}"])


def test_a_row_spoken_of_again_is_that_one(library: Library) -> None:
    loan = library.loan(9)
    texts = library.all_said(does("renew_loan", loan), does("charge_fee", loan, fee=_fee(), step=2))
    assert all("that loan" in text for text in texts)


def test_a_row_is_named_again_after_others_of_its_kind(library: Library) -> None:
    texts = library.all_said(
        does("renew_loan", library.loan(9)),
        does("renew_loan", library.loan(10), step=2),
        does("return_loan", library.loan(9), step=3),
    )
    assert all("that loan" not in text for text in texts)


def test_a_row_made_on_the_way_is_the_new_one(library: Library) -> None:
    texts = library.all_said(
        does("lend_book", library.member(3), library.title("9781000000003")),
        does("renew_loan", library.loan(9, made_by=1), step=2),
    )
    assert all("the new loan" in text for text in texts)


def test_of_two_new_rows_each_is_counted(library: Library) -> None:
    texts = library.all_said(
        does("renew_loan", library.loan(9, made_by=1), step=3),
        does("renew_loan", library.loan(10, made_by=2), step=4),
    )
    assert all("the first new loan" in text and "the second new loan" in text for text in texts)


def test_the_one_who_speaks_is_not_described(library: Library) -> None:
    texts = library.all_said(
        knows("find_member", email="clara.ivanova3@example.com"),
        does(
            "place_hold", library.member(3), library.title("9781000000003"), needed_by="2026-04-30"
        ),
    )
    assert all("Clara" not in text and "MEM-" not in text for text in texts)
    assert all(text.count("clara.ivanova3@example.com") == 1 for text in texts)


def test_of_two_people_each_is_named(library: Library) -> None:
    texts = library.all_said(
        knows("find_member", email="clara.ivanova3@example.com"),
        knows("find_member", email="farid.moreau6@example.com"),
        does("lend_book", library.member(3), library.title("9781000000003")),
        does("lend_book", library.member(6), library.title("9781000000004"), step=2),
    )
    for text in texts:
        assert "my account" not in text
        assert "clara.ivanova3@example.com" in text
        assert "farid.moreau6@example.com" in text


def test_without_a_look_up_the_person_is_named(library: Library) -> None:
    request = does(
        "place_hold", library.member(3), library.title("9781000000003"), needed_by="2026-04-30"
    )
    named = ("Clara Ivanova", "clara.ivanova3@example.com")
    assert all(any(name in text for name in named) for text in library.all_said(request))


def test_a_loop_names_the_filter_and_not_the_rows(library: Library) -> None:
    every = Every("Loan", {"member_id": "MEM-00003", "status": "open"}, 3)
    known = knows("find_member", email="clara.ivanova3@example.com")
    texts = library.all_said(known, does("renew_loan", library.loan(9), every=every))
    assert all("each of my 3 open loans" in text for text in texts)
    assert all("Harbour" not in text and "2026" not in text for text in texts)


def test_a_loop_over_ones_own_rows_says_so_by_any_filter(library: Library) -> None:
    known = knows("find_member", email="clara.ivanova3@example.com")
    request = does("renew_loan", library.loan(9), every=Every("Loan", {"status": "open"}, 2))
    assert all("each of my 2 open loans" in text for text in library.all_said(known, request))


def test_a_loop_over_the_rows_of_another_says_whose_they_are(library: Library) -> None:
    every = Every("Hold", {"isbn": "9781000000003"}, 2)
    texts = library.all_said(does("cancel_hold", library.hold(1), every=every))
    assert all("each of the 2 holds of" in text and "The Last Lantern" in text for text in texts)


def test_rows_of_the_one_who_speaks_are_theirs(library: Library) -> None:
    known = knows("find_member", email="clara.ivanova3@example.com")
    texts = library.all_said(known, does("renew_loan", library.loan(9)))
    assert all("my loan" in text for text in texts)


def test_a_row_found_by_what_is_known_is_told_by_it(library: Library) -> None:
    known = knows("search_books", query="The Glass House")
    texts = library.all_said(
        known, does("lend_book", library.member(3), library.title("9781000000005"))
    )
    assert all(text.count("The Glass House") == 1 for text in texts)


def test_after_a_loop_no_row_is_that_one(library: Library) -> None:
    every = Every("Loan", {"member_id": "MEM-00003", "status": "open"}, 2)
    texts = library.all_said(
        does("renew_loan", library.loan(9), every=every),
        does("charge_fee", library.loan(9), fee=_fee(), step=3),
    )
    assert all("that loan" not in text for text in texts)


def _fee() -> dict[str, object]:
    return {"reason": "late", "amount": 4.5, "charged_on": "2026-03-02"}
