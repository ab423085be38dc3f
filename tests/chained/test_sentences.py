"""What is said: every value, what is asked, in order, in whole sentences."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest

from tests.chained.outlines import SEEDS, Library, does, knows
from toolworld.chained.outline import TaskOutline
from toolworld.chained.phrasing import Phrasebook, says
from toolworld.chained.phrasing.lines import line_of
from toolworld.errors import Unsayable

SLIPS = re.compile(
    r"\b(?:the the|a the|my the|the my|None)\b|[.?!] +[a-z]|\.\.|  | [,.?!;]|[\x00-\x1f]|\b1 \w+s\b"
)
FEE = {"reason": "late", "amount": 4.5, "charged_on": "2026-03-02"}


def _many(phrases: Library) -> list[str]:
    member = phrases.member(11)
    loans = phrases.loans()
    return phrases.all_said(
        knows("find_member", email="ada.keller11@example.com"),
        does("charge_fee", phrases.loan(4, among=loans), fee=FEE),
        does("lend_book", member, phrases.title("9781000000003"), note="The jacket has a tear."),
        does("cancel_hold", phrases.hold(4, among=phrases.holds())),
    )


def test_no_slips_of_grammar(phrases: Library) -> None:
    for text in _many(phrases):
        assert not SLIPS.search(text), text
        assert text[0].isupper()
        assert text[-1] in ".?!"


def test_every_value_is_said(phrases: Library) -> None:
    for text in _many(phrases):
        assert says(text, FEE)
        assert "The jacket has a tear." in text


def test_the_words_vary_and_the_seed_decides(phrases: Library) -> None:
    first, again = _many(phrases), _many(phrases)
    assert first == again
    assert len(set(first)) > len(SEEDS) * 0.9


def test_tools_are_never_named(phrases: Library) -> None:
    names = [name for name in phrases.book.catalogue.tools if "_" in name]
    assert not any(name in text for text in _many(phrases) for name in names)


def test_it_is_quick(phrases: Library) -> None:
    _many(phrases)
    start = time.process_time()
    for _ in range(3):
        _many(phrases)
    assert (time.process_time() - start) / (3 * len(SEEDS)) < 0.01


def test_wishes_come_in_order_and_say_so(phrases: Library) -> None:
    texts = phrases.all_said(
        does("renew_loan", phrases.loan(9)),
        does("cancel_hold", phrases.hold(3), step=2),
        ordered=True,
    )
    words = ("Then", "After that", "Once that is done", "Next", "When you have done that")
    for text in texts:
        assert "loan" in text.partition("hold")[0]
        assert any(word in text for word in words)


def test_what_is_known_is_listed(phrases: Library) -> None:
    outline = TaskOutline(
        (
            knows("find_member", email="clara.ivanova3@example.com"),
            does("lend_book", phrases.member(3), phrases.title("9781000000003")),
            does("renew_loan", phrases.loan(9, known_by_key=True), step=2),
            does("renew_loan", phrases.loan(10, known_by_key=True), step=3),
        )
    )
    assert phrases.said(outline).known_info == {
        "email": "clara.ivanova3@example.com",
        "name": "Clara Ivanova",
        "loan_id": "LOA-00009",
        "loan_id_2": "LOA-00010",
    }


def test_a_look_up_is_left_out_when_a_wish_says_the_same(phrases: Library) -> None:
    request = does("lend_book", phrases.title("9781000000003"), member_id="MEM-00003")
    texts = phrases.all_said(knows("search_books", query="Last Lantern"), request)
    assert all(text.count("Last Lantern") == 1 for text in texts)


def test_a_value_no_phrase_has_is_said_in_a_sentence_of_its_own(phrases: Library) -> None:
    catalogue = phrases.book.catalogue
    lines = (line_of("Please lend {{ book.isbn }} to {{ member.member_id }}."),)
    bare = replace(catalogue, tools={**catalogue.tools, "lend_book": lines})
    curt = Library(Phrasebook(bare, lambda *_: None), phrases.state)
    book = phrases.title("9781000000003")
    request = does("lend_book", phrases.member(3), book, note="A tear", desk="annex")
    for text in curt.all_said(request):
        assert 'The note should be "A tear".' in text
        assert 'The desk should be "annex".' in text


def test_what_no_phrase_can_say_is_unsayable(phrases: Library) -> None:
    catalogue = phrases.book.catalogue
    lines = (line_of("Please lend it, and note {{ note }}"),)
    bare = replace(catalogue, tools={**catalogue.tools, "lend_book": lines})
    curt = Library(Phrasebook(bare, lambda *_: None), phrases.state)
    with pytest.raises(Unsayable, match="no phrase fits"):
        curt.all_said(does("lend_book", phrases.member(3), phrases.title("9781000000003")))


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
