"""What an agent's messages mean: examples with the acts they are, hostile texts, and values."""

from __future__ import annotations

import re
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from toolworld.packages import Package

TODAY = date(2026, 3, 10)
TOPICS = {
    "email": ["email", "e-mail address"],
    "name": ["name", "full name", "first and last name", "surname"],
    "postcode": ["postcode", "zip code"],
    "item": ["item", "product", "which one"],
    "reason": ["reason", "why", "what happened", "what is wrong", "problem", "issue with"],
    "refund": [
        "refunded", "refund method", "original payment method", "gift card or", "like the refund",
    ],
    "order": ["order number", "which order"],
    "ordered": [
        "when did you order", "order date", "date of purchase", "when you bought",
    ],
    "size": ["size"],
    "phone": ["phone number"],
    "dates": ["which dates", "arrival date", "nights", "check-in date"],
    "pet": ["pet", "which animal"],
}  # fmt: skip
NAMES = {"fee": ["fee", "charge"], "price": ["price", "cost", "total"]}
EXAMPLES = [
    example
    for file in sorted((Path(__file__).parent / "messages").glob("*.yaml"))
    for example in yaml.safe_load(file.read_text(encoding="utf-8"))
]
CORES = [
    "sorry for ", "if you like ", "please ", "can't ", "not ", "no ", "have a ", "would you ",
    '"x ', ", and ", " - ", "1/2/", "a@b.", "#1", "March ", "5 of ", "your email ", "1,", "‘", "? ",
    "\n- x:\n", "- the following:\n", "> ", "e.g. ", "what ", "is the fee ", "fee 1 ", "0", "; ",
    "email name ", "past the ", "options ", "i've now ", "once you ", "n't be ", "555-", "no an ",
]  # fmt: skip


@pytest.fixture(scope="module")
def acts(library: Package) -> Any:
    return library.module("person.acts")


@pytest.fixture(scope="module")
def act(library: Package) -> Any:
    return library.module("calls.trace").Act


def understood(acts: Any, text: str) -> tuple[Any, ...]:
    found: tuple[Any, ...] = acts.acts_of(text, TOPICS, NAMES, TODAY)
    return found


def parsed(act: Any, written: str) -> Any:
    """Return an act as the table writes it."""
    kind, _, rest = written.partition(" ")
    if kind != "states":
        return act(kind, rest)
    name, _, value = rest.rpartition("=")
    if value.startswith("id:"):
        return act(kind, name, value.removeprefix("id:"))
    return act(kind, name, float(value) if re.fullmatch(r"[\d.]+", value) else value)


def test_there_are_examples_enough() -> None:
    assert len(EXAMPLES) >= 210
    assert len({example["say"] for example in EXAMPLES}) == len(EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["say"][:60])
def test_a_message_means_what_a_person_would_take_it_for(
    acts: Any, act: Any, example: dict[str, Any]
) -> None:
    wanted = {parsed(act, written) for written in example["acts"]}
    assert set(understood(acts, example["say"])) == wanted


def test_acts_come_in_the_order_of_the_text_and_once(acts: Any, act: Any) -> None:
    text = "The fee is $6.95. Your email? And the fee is $6.95, is that okay? Your e-mail?"
    assert understood(acts, text) == (
        act("states", "fee", 6.95), act("asks", "email"), act("asks_yes"),
    )  # fmt: skip


def test_without_topics_a_question_asks_for_anything(acts: Any, act: Any) -> None:
    assert acts.acts_of("What is your email?", {}) == (act("asks"),)


@pytest.mark.parametrize(
    "text", ["Shall I give you the points?", "May I enter it?", "Shall I give it to Robert Green?"]
)
def test_what_the_agent_would_give_or_enter_is_answered_by_a_yes(
    acts: Any, act: Any, text: str
) -> None:
    assert act("asks_yes") in acts.acts_of(text, {})
    assert act("asks") not in acts.acts_of(text, {})


def test_a_day_without_a_year_is_the_one_nearest_to_today(acts: Any, act: Any) -> None:
    text = "It was due on December 30 and comes on 2 January."
    assert acts.acts_of(text, {}, today=date(2026, 1, 1)) == (
        act("states", "", "2025-12-30"), act("states", "", "2026-01-02"),
    )  # fmt: skip
    assert acts.acts_of(text, {}) == (act("states", "", "--12-30"), act("states", "", "--01-02"))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", []),
        ("30 February 2026", []),
        ("by May 5", ["2026-05-05"]),
        ("$5 may apply", [5.0]),
        ("5 May", ["2026-05-05"]),
        ("the 1st of sept. 2026", ["2026-09-01"]),
        ("in March 2026", []),
        ("05.03.2026 and 13/02/2026", ["2026-03-05", "2026-02-13"]),
        ("2026-03-05T10:00:00Z", ["2026-03-05"]),
        ("at 10:30, or 2 pm", []),
        ("call 555-123-4567", ["555-123-4567"]),
        ("EUR1,234.50", [1234.5]),
        ("minus −3", [-3.0]),
        ("ORD-00042, #77, gift_card_4421486 and HAT136", [
            "ORD-00042", "77", "gift_card_4421486", "HAT136",
        ]),
        ("a 30-day window, 10GB, 4x", [30.0, 10.0, 4.0]),
        ("jo.d+x@mail.example.com", ["jo.d+x@mail.example.com"]),
        ("free of charge", [0.0]),
        ("there won't be any extra charge", [0.0]),
        ("no problem", []),
    ],
)  # fmt: skip
def test_values_that_are_stated(library: Package, text: str, values: list[object]) -> None:
    stated = library.module("person.talk.stated").values_in(text, TODAY)
    assert [each.value for each in stated] == values


def test_a_leap_day_is_looked_for_in_leap_years(library: Package) -> None:
    values_in = library.module("person.talk.stated").values_in
    assert [each.value for each in values_in("29 February", date(2025, 6, 1))] == ["2024-02-29"]
    assert values_in("29 February", date(2022, 6, 1)) == []


@settings(max_examples=150)
@given(st.text(max_size=400))
def test_any_text_has_acts(library: Package, text: str) -> None:
    acts = library.module("person.acts")
    found = understood(acts, text)
    assert found == understood(acts, text)
    assert len(set(found)) == len(found)


words = st.sampled_from(
    sorted({word for example in EXAMPLES for word in re.findall(r"\S+|\n", example["say"])})
)


@settings(max_examples=150)
@given(st.lists(words, max_size=60).map(" ".join))
def test_any_words_have_acts_of_known_kinds(library: Package, text: str) -> None:
    kinds = {act.kind for act in understood(library.module("person.acts"), text)}
    assert kinds <= {
        "asks", "states", "offers", "refuses", "asks_yes", "closes", "finds_none", "waits",
    }  # fmt: skip


@pytest.mark.parametrize("core", CORES)
def test_a_hostile_text_takes_no_longer_than_its_length(acts: Any, core: str) -> None:
    text = core * (10_000 // len(core))
    start = time.process_time()
    understood(acts, text)
    assert time.process_time() - start < 1.5


def test_what_stands_past_the_longest_message_does_not_count(acts: Any, act: Any) -> None:
    assert understood(acts, "." * 10_000 + " What is your email?") == ()
