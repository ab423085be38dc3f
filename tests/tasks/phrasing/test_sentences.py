"""What is said: every value, what is asked, in order, in whole sentences."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest

from toolworld.errors import Unsayable
from toolworld.tasks.outline import Ask, Condition, Outline
from toolworld.tasks.phrasing import Phrasebook, says
from toolworld.tasks.phrasing.lines import line_of

from .outlines import SEEDS, Library, asks, does, knows

SLIPS = re.compile(
    r"\b(?:the the|a the|my the|the my|None)\b|[.?!] +[a-z]|\.\.|  | [,.?!;]|[\x00-\x1f]|\b1 \w+s\b"
)
FEE = {"reason": "late", "amount": 4.5, "charged_on": "2026-03-02"}


def _many(library: Library) -> list[str]:
    member = library.member(11)
    loans = library.loans()
    return library.all_said(
        knows("find_member", email="ada.keller11@example.com"),
        does("charge_fee", library.loan(4, among=loans), fee=FEE),
        does("lend_book", member, library.title("9781000000003"), note="The jacket has a tear."),
        does("cancel_hold", library.hold(4, among=library.holds()), expect="rejected"),
        asks("list_member_loans", Ask("items", "Loan", "", "count"), mentions=(member,)),
    )


def test_no_slips_of_grammar(library: Library) -> None:
    for text in _many(library):
        assert not SLIPS.search(text), text
        assert text[0].isupper()
        assert text[-1] in ".?!"


def test_every_value_is_said(library: Library) -> None:
    for text in _many(library):
        assert says(text, FEE)
        assert "The jacket has a tear." in text


def test_the_words_vary_and_the_seed_decides(library: Library) -> None:
    first, again = _many(library), _many(library)
    assert first == again
    assert len(set(first)) > len(SEEDS) * 0.9


def test_tools_are_never_named(library: Library) -> None:
    names = [name for name in library.book.catalogue.tools if "_" in name]
    assert not any(name in text for text in _many(library) for name in names)


def test_it_is_quick(library: Library) -> None:
    _many(library)
    start = time.process_time()
    for _ in range(3):
        _many(library)
    assert (time.process_time() - start) / (3 * len(SEEDS)) < 0.01


def test_wishes_come_in_order_and_say_so(library: Library) -> None:
    texts = library.all_said(
        does("renew_loan", library.loan(9)),
        does("cancel_hold", library.hold(3), step=2),
        ordered=True,
    )
    words = ("Then", "After that", "Once that is done", "Next", "When you have done that")
    for text in texts:
        assert "loan" in text.partition("hold")[0]
        assert any(word in text for word in words)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (Ask("due_on", "Loan", "due_on"), "the day the book is due"),
        (Ask("desk", "Loan", "desk"), "the desk"),
        (Ask("items", "Loan", "", "count"), "how many there are"),
        (
            Ask("items", "Book", "price", "sum"),
            "what the book costs in euros, added up over all of them",
        ),
        (
            Ask("items", "Book", "price", "highest"),
            "what the book costs in euros for the one where that is highest",
        ),
        (Ask("items", "Loan", "due_on", "lowest"), "the earliest day the book is due among them"),
    ],
)
def test_what_is_wanted_is_asked_for(library: Library, ask: Ask, words: str) -> None:
    texts = library.all_said(asks("search_books", ask, query="stone"))
    assert all(words in text for text in texts)


def test_two_values_are_asked_for_in_one_sentence(library: Library) -> None:
    wanted = (Ask("due_on", "Loan", "due_on"), Ask("renewals", "Loan", "renewals"))
    request = replace(does("renew_loan", library.loan(9)), asks=wanted)
    both = "the day the book is due and how often the loan has been extended"
    assert all(both in text for text in library.all_said(request))


def test_what_may_be_impossible_may_be_given_up(library: Library) -> None:
    texts = library.all_said(does("renew_loan", library.loan(9), expect="rejected"))
    given_up = ("leave everything", "do nothing", "leave it alone", "leave things")
    assert all(any(words in text for words in given_up) for text in texts)


def test_both_branches_of_a_condition_are_said(library: Library) -> None:
    loan = library.loan(9)
    other = does("charge_fee", loan, fee=FEE)
    for holds in (True, False):
        condition = Condition(loan, "status", "open", holds, other)
        for text in library.all_said(does("return_loan", loan, condition=condition)):
            then, _, otherwise = re.split(r"(Otherwise,|If not,|In any other case,)", text)
            assert "If its status is open," in then
            assert ("4.50" in otherwise) == holds


def test_a_condition_on_yes_or_no_is_seen(library: Library) -> None:
    member = library.member(9)
    other = does("cancel_hold", library.hold(3))
    request = does("cancel_hold", library.hold(1))
    for value, words in ((True, "If so,"), (False, "If not,")):
        condition = Condition(member, "blocked", value, True, other)
        for text in library.all_said(replace(request, condition=condition)):
            assert f"and see whether the card is blocked. {words}" in text


def test_what_is_known_is_listed(library: Library) -> None:
    outline = Outline(
        (
            knows("find_member", email="clara.ivanova3@example.com"),
            does("lend_book", library.member(3), library.title("9781000000003")),
            does("renew_loan", library.loan(9, known_by_key=True), step=2),
            does("renew_loan", library.loan(10, known_by_key=True), step=3),
        )
    )
    assert library.said(outline).known_info == {
        "email": "clara.ivanova3@example.com",
        "name": "Clara Ivanova",
        "loan_id": "LOA-00009",
        "loan_id_2": "LOA-00010",
    }


def test_a_look_up_is_left_out_when_a_wish_says_the_same(library: Library) -> None:
    request = does("lend_book", library.title("9781000000003"), member_id="MEM-00003")
    texts = library.all_said(knows("search_books", query="Last Lantern"), request)
    assert all(text.count("Last Lantern") == 1 for text in texts)


def test_a_value_no_phrase_has_is_said_in_a_sentence_of_its_own(library: Library) -> None:
    catalogue = library.book.catalogue
    lines = (line_of("Please lend {{ book.isbn }} to {{ member.member_id }}."),)
    bare = replace(catalogue, tools={**catalogue.tools, "lend_book": lines})
    curt = Library(Phrasebook(bare, lambda *_: None), library.state)
    book = library.title("9781000000003")
    request = does("lend_book", library.member(3), book, note="A tear", desk="annex")
    for text in curt.all_said(request):
        assert 'The note should be "A tear".' in text
        assert 'The desk should be "annex".' in text


def test_what_no_phrase_can_say_is_unsayable(library: Library) -> None:
    catalogue = library.book.catalogue
    lines = (line_of("Please lend it, and note {{ note }}"),)
    bare = replace(catalogue, tools={**catalogue.tools, "lend_book": lines})
    curt = Library(Phrasebook(bare, lambda *_: None), library.state)
    with pytest.raises(Unsayable, match="no phrase fits"):
        curt.all_said(does("lend_book", library.member(3), library.title("9781000000003")))


@pytest.mark.parametrize(
    ("text", "value", "said"),
    [
        ("by May 3, 2026", "2026-05-03", True),
        ("by 3 May 2026", "2026-05-03", True),
        ("by 13 May 2026", "2026-05-03", False),
        ("by 2026-05-03", "2026-05-03", True),
        ("on May 3, 2026 at 3:00 pm", "2026-05-03T15:00:00Z", True),
        ("on May 3, 2026 at 16:00", "2026-05-03T15:00:00Z", False),
        ("I changed my mind: changed mind", "changed_mind", True),
        ("for $59.90", 59.9, True),
        ("for $159.90", 59.9, False),
        ("2 of line 3", 3, True),
        ("with {braces}", True, True),
        ("one and two", ["one", {"other": "two"}], True),
        ("one", ["one", "two"], False),
    ],
)
def test_values_are_found_in_words(text: str, value: object, said: bool) -> None:
    assert says(text, value) == said
