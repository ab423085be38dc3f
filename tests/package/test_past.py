"""What predicates of conduct ask of the past: what was seen, and what was agreed to so far."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from toolworld.packages import Package

PastOf = Callable[..., Any]


@pytest.fixture
def past_of(starter: Package) -> PastOf:
    """Return what makes a past of steps: a message's values, or a reply's acts and their names."""
    past_module, trace = starter.module("policy.past"), starter.module("calls.trace")

    def made(*steps: list[Any] | str, seen: object = None) -> Any:
        past = past_module.Past("customer", {})
        events = [trace.TraceEvent("call", json.dumps(seen), tool="look_up", outcome="ok")]
        for step in steps:
            if isinstance(step, list):
                acts = tuple(trace.Act("states", "", value) for value in step)
                events.append(trace.TraceEvent("message", "So?", acts=acts))
            else:
                kind, _, name = step.partition(" ")
                acts = (trace.Act(kind, name, "9999"),)
                events.append(trace.TraceEvent("reply", "", acts=acts))
        for event in events:
            past.add(past_module.Event(event, "customer"))
        return past

    return made


@pytest.mark.parametrize(
    ("steps", "agreed"),
    [
        (([75.5], "agrees", [12.0], "agrees"), [75.5, 12.0]),
        (([75.5], "insists", [12.0], "agrees"), [75.5, 12.0]),
        (([75.5], "agrees", [12.0], "insists"), [75.5]),
        (([75.5], "agrees", [], "changes_mind", [12.0], "agrees"), [12.0]),
        (([75.5], "agrees", [12.0], "declines"), []),
        (([75.5], "gives card"), [75.5]),
        (([75.5], "gives name"), []),
    ],
)
def test_every_yes_counts_until_there_is_another_wish(
    past_of: PastOf, steps: tuple[list[float] | str, ...], agreed: list[float]
) -> None:
    assert past_of(*steps).agreed_so_far(["card"]) == agreed


def test_a_telephone_number_was_seen_however_it_is_written(past_of: PastOf) -> None:
    past = past_of(seen={"phone": "(404) 555-8422", "number": "ZQX-004711"})
    assert past.unseen(["404-555-8422", "404-555-8423", "ZQY-004711"]) == [
        "404-555-8423", "ZQY-004711",
    ]  # fmt: skip


def test_numbers_of_things_and_days_have_to_be_seen(past_of: PastOf) -> None:
    past = past_of(seen={"number": "ZQX-004711", "day": "2026-06-20"})
    told = ["ZQX-004711", "ZQX-004712", "2026-06-20", "2026-06-21", "Megan", "SUNNY25", "4711"]
    assert past.unseen(told) == ["ZQX-004712", "2026-06-21"]


@pytest.mark.parametrize(
    ("text", "is_counted"),
    [
        ("2026-06-20", True),
        ("2026-06-19", True),
        ("2026-07-03", True),
        ("2026-07-06", False),
        ("2026-06-31", False),
        ("0001-01-01", False),
        ("ZQX-004711", False),
    ],
)
def test_days_are_counted_from_those_that_were_seen(
    past_of: PastOf, text: str, is_counted: bool
) -> None:
    assert past_of(seen={"day": "2026-06-20"}).counted_from(text, [14]) is is_counted


def test_what_was_said_under_a_name_is_compared_in_lower_case(past_of: PastOf) -> None:
    past = past_of([], "gives card")
    past.told["email"] = " Megan@Example.com"
    assert (past.said("email"), past.said("card"), past.said("phone")) == (
        "megan@example.com", "9999", "",
    )  # fmt: skip
