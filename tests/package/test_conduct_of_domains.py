"""What the conduct of the bundled domains lets agents tell: what was looked up, and plain words."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from toolworld import bundled
from toolworld.packages import Package

Built = Callable[[str], Package]

SEEN = {"number": "ZQX-004711", "day": "2026-06-20", "phone": "+43 1 555 0148", "sum": 75.5}
"""What a tool returned before the message."""

LET_THROUGH = [
    "It is ZQX-004711, from June 20, 2026 on.",
    "It is free until June 19, 2026, and costs something from June 21, 2026 on.",
    "Please call +43 1 555 0148, extension 12, or dial #4411.",
    "Within 24 hours, for 2 nights and 3 people; room 204 has 15 m2 and is on floor 2.",
    "75.50 is due; for two that makes 151.00, and half of it is 37.75.",
    "The card ending in 4411 was charged.",
    "The desk is there 24/7, and COVID-19 rules have ended.",
]
CAUGHT = [
    "It is ZQX-004712.",
    "You can do that until August 3, 2031.",
    "The code is 1234-5A-67.",
    "It lasts until 9999-12-31, from 0001-01-01 or 2026-02-31 on.",
    "Please write to nobody.at.all2345@example.com.",
]


@pytest.fixture(params=["hotel", "retail"])
def domain(request: pytest.FixtureRequest) -> str:
    assert request.param in bundled.domains()
    return str(request.param)


def is_kept(package: Package, text: str) -> bool:
    """Return whether an agent may say something after one look-up."""
    past_of, trace_of = package.module("policy.past"), package.module("calls.trace")
    conduct = package.module("policy.conduct")
    call = trace_of.TraceEvent("call", json.dumps(SEEN), tool="look_up", outcome="ok")
    acts: Any = package.module("person.acts").acts_of(text, {})
    past = past_of.Past("somebody", {})
    past.add(past_of.Event(call, "somebody"))
    message = past_of.Event(trace_of.TraceEvent("message", text, acts=acts), "somebody")
    return bool(conduct.tells_what_is_so(package.environment()._database, past, message))


@pytest.mark.parametrize("text", LET_THROUGH)
def test_what_was_looked_up_and_plain_numbers_may_be_told(
    built: Built, domain: str, text: str
) -> None:
    assert is_kept(built(domain), text)


@pytest.mark.parametrize("text", CAUGHT)
def test_days_and_numbers_that_nobody_saw_are_caught(built: Built, domain: str, text: str) -> None:
    assert not is_kept(built(domain), text)


def test_an_address_that_the_person_gave_may_be_said_back(built: Built) -> None:
    package = built("retail")
    database = package.environment()._database
    email = database.customers.all()[0].email
    past_of, trace_of, acts = (
        package.module(name) for name in ("policy.past", "calls.trace", "person.acts")
    )
    text = f"There is an account with {email}."
    message = past_of.Event(
        trace_of.TraceEvent("message", text, acts=acts.acts_of(text, {})), "customer"
    )
    for told, is_kept_ in (({}, False), ({"email": email.upper()}, True)):
        past = past_of.Past("customer", told)
        assert (
            package.module("policy.conduct").nothing_of_others(database, past, message) is is_kept_
        )


@pytest.mark.parametrize(("answer", "is_named"), [("agrees", True), ("declines", False)])
def test_a_card_that_the_person_said_yes_to_is_named(
    built: Built, answer: str, is_named: bool
) -> None:
    package = built("retail")
    database = package.environment()._database
    card = next(one for one in database.payment_methods.all() if one.last_four is not None)
    past_of, trace_of, acts = (
        package.module(name) for name in ("policy.past", "calls.trace", "person.acts")
    )
    text = f"Shall I charge the card ending in {card.last_four}?"
    past = past_of.Past("customer", {"pay_with": "another one ending in 9999"})
    asked = trace_of.TraceEvent("message", text, acts=acts.acts_of(text, {}))
    for event in (asked, trace_of.TraceEvent("reply", "", acts=(trace_of.Act(answer),))):
        past.add(past_of.Event(event, "customer"))
    arguments = {"payment_method_id": card.payment_method_id}
    charge = trace_of.TraceEvent("call", "{}", "pay_order", arguments, "ok")
    past.now = event = past_of.Event(charge, "customer")
    assert package.module("policy.conduct").method_named(database, past, event) is is_named


@pytest.mark.parametrize("told", [{}, {"colleague": "Anna"}])
def test_hours_without_a_yes_break_one_clause(built: Built, told: dict[str, Any]) -> None:
    package = built("hotel")
    past_of, conduct = package.module("policy.past"), package.module("policy.conduct")
    episode = package.environment({"id": "errand", "instruction": "", "role": "guest"})
    granted = episode.call("grant_late_checkout", {"stay_id": "STY-00022", "hours": 1})
    assert granted.outcome == "ok"
    (event,) = (past_of.Event(one, "guest") for one in episode.trace)
    past = past_of.Past("guest", told)
    database = episode._database
    assert conduct.late_checkout_agreed(database, past, event) is ("colleague" in told)
    assert conduct.promised_hours_paid(database, past, event) is ("colleague" not in told)


def test_points_of_a_complaint_are_no_points_of_the_nights(built: Built) -> None:
    package = built("hotel")
    past_of, trace_of = package.module("policy.past"), package.module("calls.trace")
    conduct = package.module("policy.conduct")
    episode = package.environment({"id": "errand", "instruction": "", "role": "guest"})
    database = episode._database
    earned = next(
        one
        for one in database.points_entries.all()
        if one.reason == "stay" and one.reservation_id is not None
    )
    stay = {"reservation_id": earned.reservation_id, "category": "staff", "severity": "serious"}
    made = episode.call("file_complaint", {**stay, "details": "They were rude."})
    number = json.loads(made.text)["complaint_id"]
    up = {"complaint_id": number, "resolution": "Points were given.", "points": 2500}
    assert episode.call("resolve_complaint", up).outcome == "ok"
    assert episode.call("list_points_entries", {"guest_id": earned.guest_id}).outcome == "ok"
    entries = database.points_entries.where(reservation_id=earned.reservation_id)
    whole = sum(one.change for one in entries)
    past = past_of.Past("guest", {})
    for one in episode.trace:
        past.add(past_of.Event(one, "guest"))
    for points, is_kept_ in ((earned.change, True), (whole, False)):
        text = f"You were given {points} points for that stay."
        acts = package.module("person.acts").acts_of(text, {})
        message = past_of.Event(trace_of.TraceEvent("message", text, acts=acts), "guest")
        assert conduct.points_of_the_nights_told(database, past, message) is is_kept_
        assert conduct.tells_what_is_so(database, past, message)


def test_a_call_is_judged_by_the_state_of_its_moment_and_not_by_what_came_after(
    built: Built,
) -> None:
    """A case that is opened after a refund need not have been read before it (6.11)."""
    person = {"id": "t", "instruction": "A line came damaged.", "role": "customer"}
    environment = built("retail").environment(person)
    order = environment.call("get_order", {"order_id": "ORD-00780"}).structured
    customer = {"customer_id": order["customer_id"]}
    paid = {"order_id": "ORD-00780", "amount": 2.0, "reason": "damaged_item", "line_number": 1}
    asked = {"topic": "product", "order_id": "ORD-00780", "text": "How is it washed?"}
    asked |= {"subject": "Washing", "priority": "normal"}
    assert environment.call("refund_order", paid).outcome == "ok"
    before = environment.grade().conduct.reasons
    assert environment.call("open_case", customer | asked).outcome == "ok"
    after = environment.grade().conduct.reasons
    assert [one for one in after if "6.11" in one] == [one for one in before if "6.11" in one] == []


def test_the_final_answer_is_judged_like_any_message(built: Built) -> None:
    """It names nobody's e-mail address but the person's own (1.3)."""
    person = {"facts": {"email": {"says": "It is a@example.com.", "value": "a@example.com"}}}
    task = {"id": "t", "instruction": "Hello.", "role": "customer", "person": person}
    environment = built("retail").environment(task)
    other = environment._database.customers.all()[0].email
    environment.say("Good morning.")
    assert environment.grade("Have a nice day.").conduct.passed
    reasons = environment.grade(f"There is an account with {other}.").conduct.reasons
    assert any(reason.startswith("Clause 1.3") for reason in reasons), reasons
