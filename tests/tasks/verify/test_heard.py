"""What a person says: values found in it, however they are spelled."""

from __future__ import annotations

from decimal import Decimal

import pytest

from toolworld.packages import Package
from toolworld.tasks.verify.heard import Heard, in_digits


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("two", "2"),
        ("twenty-one", "21"),
        ("Thirty first of May", "31 of May"),
        ("the thirtieth", "the 30"),
        ("ninety", "90"),
        ("someone often attends the tent", "someone often attends the tent"),
    ],
)
def test_numbers_in_words_are_put_in_digits(text: str, digits: str) -> None:
    assert in_digits(text) == digits


def heard(library: Package, *texts: str) -> Heard:
    return Heard(library.module("person.answers"), texts)


def test_texts_are_found_whatever_their_case(library: Package) -> None:
    said = heard(library, "I'm Élodie, at 12 Main Street; it's final_sale.", "MEM-00012")
    assert said.says_verbatim("mem-00012")
    assert said.says_verbatim("Main street")
    assert said.says_verbatim("Final sale")
    assert not said.says_verbatim("Main Street 12")
    assert said.says_words("Main Street 12")
    assert not said.says_words("Main Street 13")
    assert not said.says_words("the")


def test_numbers_are_found_in_digits_and_in_words(library: Package) -> None:
    assert heard(library, "two of them, for 4.50 each").numbers == {Decimal(2), Decimal("4.50")}


@pytest.mark.parametrize("text", ["2026-04-30", "April 30", "the thirtieth of April 2026"])
def test_days_are_found_as_dates_and_in_words(library: Package, text: str) -> None:
    assert heard(library, text).says_day("2026-04-30")
    assert not heard(library, text).says_day("2026-05-30")
