"""What a task's texts say, however it is spelled."""

from __future__ import annotations

from typing import Any

import pytest

from toolworld.emit import Package
from toolworld.tasks.certificate.facts import Facts
from toolworld.tasks.certificate.words import Said, in_digits


@pytest.fixture(scope="module")
def facts(library: Package) -> Facts:
    """The library, whose clock stands at 2 March 2026, a Monday."""
    return Facts(library)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("It cost 1,204.50 euros", 1204.5),
        ("I need three of them", 3),
        ("twenty-one days", 21),
        ("Give me a copy", 1),
        ("It was damaged in transit", "damaged_in_transit"),
        ("from 16 to 19 October", "2026-10-16"),
        ("from 16 to 19 October 2026", "2026-10-19"),
        ("between June 3 and 8", "2026-06-08"),
        ("until the end of April", "2026-04-30"),
        ("on the twenty-first of May", "2026-05-21"),
        ("today", "2026-03-02"),
        ("tomorrow", "2026-03-03"),
        ("on Friday", "2026-03-06"),
        ("tomorrow at five in the afternoon", "2026-03-03T17:00:00Z"),
        ("3 March, 17:00", "2026-03-03T17:00:00Z"),
        ("3 March at 6:30 pm", "2026-03-03T18:30:00Z"),
        ("3 March at 12:15 am", "2026-03-03T00:15:00Z"),
        ("Write down that its back cover is creased already", "The back cover is creased."),
    ],
)
def test_a_value_is_said(facts: Facts, text: str, value: Any) -> None:
    assert Said(facts, text, {}).says(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("It cost 120 euros", 12),
        ("order ORD-00012", 12),
        ("I changed my shirt", "changed_mind"),
        ("on 16 May 2025", "2026-05-16"),
        ("from 16 to 19 October", "2026-10-17"),
        ("tomorrow at five", "2026-03-03T18:00:00Z"),
        ("tomorrow at 6:30 pm", "2026-03-03T06:30:00Z"),
        ("I want it", True),
    ],
)
def test_a_value_is_not_said(facts: Facts, text: str, value: Any) -> None:
    assert not Said(facts, text, {}).says(value)


def test_what_the_person_knows_counts_as_said(facts: Facts) -> None:
    assert Said(facts, "Hello", {"card": {"number": "MEM-00003"}}).verbatim("mem-00003")


def test_numbers_in_words_become_digits() -> None:
    assert in_digits("Forty-two, twenty and the first") == "42, 20 and the 1"
