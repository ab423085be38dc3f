"""What counts as saying a number, a date or a text, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from toolworld.packages import Package


@pytest.fixture(scope="module")
def answers(library: Package) -> Any:
    return library.module("person.answers")


@pytest.mark.parametrize(
    ("wanted", "answer"),
    [
        (1234.5, "It comes to $1,234.50."),
        (1234.5, "1234.5 euros"),
        (1234.5, "You owe EUR1,234.50 in total"),
        (1234567, "1,234,567 people"),
        (4.5, "4.50"),
        (4.5, "(4.50)"),
        (4.5, "€4.50, due today"),
        (4, "There are 4."),
        (4, "4.00 left"),
        (4, "**4**"),
        (0, "0 open loans"),
        (-3, "the balance is -3"),
        (-3, "the balance is −3 euros"),
        (12, "10-12 days, so 12"),
        (0.1, ".1 no, 0.1"),
        (4, "4x, total:4"),
        (50, "50% off"),
        (1, "It concerns one order: ORD-01001."),
        (6, "At most six key cards."),
        (20, "Twenty days, no more"),
        ("2026-03-05", "2026-03-05"),
        ("2026-03-05", "It is due on March 5."),
        ("2026-03-05", "Thursday, March 5th, 2026"),
        ("2026-03-05", "on the 5th of March 2026"),
        ("2026-03-05", "05 March 2026"),
        ("2026-03-05", "5 Mar 2026"),
        ("2026-03-05", "MAR. 5, 2026!"),
        ("2026-03-21", "the 21st of March"),
        ("2026-03-05", "not 5 March 2025, but 5 March 2026"),
        ("The Glass House", "You want the glass house, right?"),
        ("José Müller", "jose muller"),
        ("ups", "UPS"),
        ("LOA-00004", "Loan LOA-00004 was renewed."),
        ("2026-99-99", "the number is 2026-99-99"),
    ],
)
def test_an_answer_that_says_it(answers: Any, wanted: Any, answer: str) -> None:
    assert answers.contains_answer(answer, wanted)


@pytest.mark.parametrize(
    ("wanted", "answer"),
    [
        (1, "One moment, please. I see that one."),
        (2, "the two-page letter"),
        (1, "Is there one more thing? This one fits."),
        (4.5, None),
        (4.5, ""),
        (4.5, "4.05"),
        (4.5, "14.5"),
        (4.5, "4.51"),
        (4, "LOA-00004"),
        (3, "2026-03-05"),
        (5, "2026-03-05"),
        (4, "v4 or 4th"),
        (9, "9:30"),
        (30, "9:30"),
        (1.2, "1.2.3"),
        (234, "1,234"),
        (3, "-3"),
        (1, "one"),
        ("2026-03-05", "March 15"),
        ("2026-03-05", "March 5, 2025"),
        ("2026-03-05", "5 March 2027"),
        ("2026-03-05", "2026-03-15"),
        ("2026-03-01", "the 21 March"),
        ("2026-03-05", "in March"),
        ("Glass", "glasses"),
        ("The Glass House", "the house of glass"),
        ("2026-99-99", "2026-99-98"),
    ],
)
def test_an_answer_that_does_not(answers: Any, wanted: Any, answer: str | None) -> None:
    assert not answers.contains_answer(answer, wanted)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("The cover is torn.", "the COVER is torn", True),
        ("The back cover is creased.", "back cover creased", True),
        ("The cover is torn.", "A page is missing.", False),
        ("a a a a", "a", False),
        ("", "", True),
        ("", "something", False),
        ("!!!", "???", True),
        (None, None, True),
        (None, "", False),
        ("3", 3, False),
        (3, 3.0, True),
    ],
)
def test_similar_texts(answers: Any, one: object, other: object, alike: bool) -> None:
    assert answers.similar(one, other) is alike
    assert answers.similar(other, one) is alike


def test_a_text_with_the_wanted_one_in_it_is_similar(answers: Any) -> None:
    wanted = "I never had the prosecco."
    quoted = "I have looked at my bill and found a prosecco on it. I never had the prosecco."
    assert answers.similar(wanted, quoted)
    assert not answers.similar(wanted, f"{quoted} {'And so on, and on. ' * 3}"), "far too much"
    assert not answers.similar(wanted, "I have looked at my bill, and I had the prosecco.")


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("It is the Bluebird Wool Socks in rust, size L.", True),
        ("Bluebird Wool Socks (rust, L)", True),
        ("The Bluebird Wool Socks in the color rust, L, are gone.", True),
        ("Bluebird Wool Socks in L, rust", False),
        ("Bluebird Wool Socks in navy and rust, size L", False),
    ],
)
def test_small_words_make_no_difference_in_a_longer_text(
    answers: Any, said: str, is_told: bool
) -> None:
    assert answers.contains_answer(said, "Bluebird Wool Socks (rust, L)") is is_told
