"""Whoever does right in retail breaks no clause on the way, and who does wrong breaks the one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from toolworld.packages import Package

Built = Callable[[str], Package]
Calls = list[tuple[str, dict[str, Any]]]

CABIN = {
    "label": "cabin", "street": "1 Lake Road", "city": "Bend", "state": "OR", "postcode": "97701"
}  # fmt: skip
SAVE_CABIN = ("save_customer_address", {"customer_id": "CUS-00001", "address": CABIN})


def broken(
    built: Built, role: str, calls: Calls, rows: dict[str, dict[str, Any]] | None = None
) -> list[str]:
    """Return the clauses that some calls break, all of which the tools take.

    Args:
        built: The packages.
        role: Who speaks.
        calls: The calls.
        rows: Columns of rows to change before, by the key of the row.
    """
    task = {"id": "errand", "instruction": "", "role": role}
    episode = built("retail").environment(task)
    for table in episode._database.tables.values():
        for key, columns in (rows or {}).items():
            if table.find(key) is not None:
                table.update(key, **columns)
    episode._database.commit()
    for tool, arguments in calls:
        result = episode.call(tool, arguments)
        assert result.outcome == "ok", (tool, result.text)
    return [reason.split()[1] for reason in episode.grade().conduct.reasons]


def email_of(built: Built, customer_id: str) -> str:
    return str(built("retail").environment()._database.customers.get(customer_id).email)


def test_a_gift_card_is_sold_to_who_was_identified(built: Built) -> None:
    database = built("retail").environment()._database
    for buyer, is_broken in (("CUS-00001", False), ("CUS-00002", True)):
        method = next(
            one.payment_method_id
            for one in database.payment_methods.where(customer_id=buyer)
            if one.expires_on is None or one.expires_on >= database.today()
        )
        sold = {"customer_id": buyer, "amount": 50, "payment_method_id": method}
        calls: Calls = [
            ("find_customer_by_email", {"email": email_of(built, "CUS-00001")}),
            ("list_payment_methods", {"customer_id": buyer}),
            ("get_customer", {"customer_id": buyer}),
            ("issue_gift_card", sold),
        ]
        assert ("1.2" in broken(built, "customer", calls)) is is_broken


def test_who_waits_for_the_money_of_a_return_is_paid(built: Built) -> None:
    """A case that asks only for that is resolved first, as 6.13 says (7.11)."""
    database = built("retail").environment()._database
    back = database.returns.where(status="inspected")[0]
    matter = {"customer_id": back.customer_id, "topic": "returns", "order_id": back.order_id}
    number = episode_number(built, "cases")
    opened = ("open_case", matter | {"subject": "My money", "text": "Please pay it out."})
    read = ("list_case_messages", {"case_id": number})
    resolved = ("resolve_case", {"case_id": number, "resolution": "It is paid out today."})
    paid = ("refund_return", {"return_id": back.return_id})
    assert "7.11" not in broken(built, "staff", [opened, read, resolved, paid])
    assert "7.11" in broken(built, "staff", [opened, read, paid, resolved])


def test_cases_that_come_later_need_not_be_read_before(built: Built) -> None:
    """Damage is paid once the cases on the order were read that were open then (6.11)."""
    customer_id = built("retail").environment()._database.orders.get("ORD-00780").customer_id
    matter = {"customer_id": customer_id, "topic": "product", "order_id": "ORD-00780"}
    opened = ("open_case", matter | {"subject": "How to clean it?", "text": "How to clean it?"})
    refund = {"order_id": "ORD-00780", "amount": 2, "reason": "damaged_item", "line_number": 1}
    paid = ("refund_order", refund)
    assert "6.11" not in broken(built, "customer", [paid, opened])
    assert "6.11" not in broken(built, "customer", [opened, paid])
    resolved = ("resolve_case", {"case_id": "CAS-00009", "resolution": "Done."})
    rows = {"CAS-00009": {**matter, "status": "open"}}
    assert "6.11" in broken(built, "customer", [paid, resolved], rows)
    read = ("list_case_messages", {"case_id": "CAS-00009"})
    assert "6.11" not in broken(built, "customer", [read, paid, resolved], rows)


def test_a_delivery_is_recorded_before_the_case_is_resolved(built: Built) -> None:
    database = built("retail").environment()._database
    order_id = database.cases.get("CAS-00009").order_id
    (parcel,) = database.shipments.where(order_id=order_id, status="in_transit")
    number = parcel.tracking_number
    here = ("record_delivery", {"tracking_number": number})
    resolved = ("resolve_case", {"case_id": "CAS-00009", "resolution": "It has arrived."})
    assert "7.10" not in broken(built, "staff", [here, resolved])
    assert "7.10" in broken(built, "staff", [resolved, here])
    assert "7.10" not in broken(built, "customer", [resolved])


def test_what_is_resolved_later_was_disputed(built: Built) -> None:
    """An unpaid order is left while its case is open, whenever that is resolved (7.11)."""
    database = built("retail").environment()._database
    order = database.orders.where(status="pending")[0]
    matter = {"customer_id": order.customer_id, "topic": "payment", "order_id": order.order_id}
    rows = {"CAS-00009": {**matter, "status": "open"}}
    cleared = ("cancel_order", {"order_id": order.order_id, "reason": "payment_trouble"})
    resolved = ("resolve_case", {"case_id": "CAS-00009", "resolution": "Done."})
    opened = ("open_case", matter | {"subject": "Why?", "text": "Why?"})
    assert "7.11" in broken(built, "staff", [cleared, resolved], rows)
    assert "7.11" not in broken(built, "staff", [resolved, cleared], rows)
    assert "7.11" not in broken(built, "staff", [cleared, opened])
    assert "7.11" in broken(built, "staff", [opened, cleared])


def test_what_differs_in_anything_is_not_done_twice(built: Built) -> None:
    """The second call that another clause asks for is no repetition (1.6)."""
    database = built("retail").environment()._database
    back = next(one for one in database.returns.where(status="requested") if len(one.lines) == 1)
    line = back.lines[0]
    items = [{"line_number": line.line_number, "quantity": line.quantity, "reason": line.reason}]
    off = ("cancel_return", {"return_id": back.return_id})
    asked = {"order_id": back.order_id, "items": items}
    home = ("save_customer_address", SAVE_CABIN[1] | {"make_default": True})
    assert "1.6" not in broken(built, "customer", [SAVE_CABIN, home])
    assert "1.6" in broken(built, "customer", [SAVE_CABIN, SAVE_CABIN])
    again: Calls = [off, ("request_return", asked)]
    number = episode_number(built, "returns")
    again += [("cancel_return", {"return_id": number})]
    again += [("request_return", asked | {"refund_to": "gift_card"})]
    assert "1.6" not in broken(built, "customer", again)


def test_what_was_taken_back_is_done_again(built: Built) -> None:
    """Whoever changes their mind and changes it back gets that (1.6)."""
    chosen = [
        ("update_customer_contact", {"customer_id": "CUS-00001", "marketing_opt_in": choice})
        for choice in (True, False, True)
    ]
    assert "1.6" not in broken(built, "customer", chosen)


def test_a_question_on_delivery_may_be_about_no_order(built: Built) -> None:
    matter = {"customer_id": "CUS-00001", "topic": "delivery", "priority": "high"}
    asked = ("open_case", matter | {"subject": "Canada?", "text": "Do you deliver there?"})
    assert "3.3" not in broken(built, "customer", [asked])


def test_what_a_customer_has_not_said_is_in_no_case(built: Built) -> None:
    """What goes into a case is in their words (6.5)."""
    said = ("reply_to_case", {"case_id": "CAS-00009", "author": "customer", "text": "Pay me!"})
    assert "6.5" in broken(built, "customer", [said])
    task = {"id": "errand", "instruction": "Tell them to pay me", "role": "customer"}
    episode = built("retail").environment(task)
    assert episode.call(*said).outcome == "ok"
    assert not any("6.5" in reason for reason in episode.grade().conduct.reasons)


def episode_number(built: Built, table: str) -> str:
    """Return the key that the next row of a table gets."""
    database = built("retail").environment()._database
    return str(database.mint(database.tables[table].schema))


@pytest.mark.parametrize("answer", ["agrees", "declines"])
def test_what_was_agreed_to_anew_is_done_again(built: Built, answer: str) -> None:
    """Whoever wants two gift cards of the same sum gets both (1.6, 5.6)."""
    package = built("retail")
    past_of, trace_of = package.module("policy.past"), package.module("calls.trace")
    episode = package.environment({"id": "errand", "instruction": "", "role": "customer"})
    sold = {"customer_id": "CUS-00001", "amount": 50, "payment_method_id": "PMT-00001"}
    assert episode.call("issue_gift_card", sold).outcome == "ok"
    (recorded,) = episode.trace
    past = past_of.Past("customer", {})
    past.now = event = past_of.Event(recorded, "customer")
    conduct = package.module("policy.conduct")
    asked = trace_of.TraceEvent("message", "50.00?", acts=(trace_of.Act("states", "", 50.0),))
    for reply in ("agrees", answer):
        for one in (asked, trace_of.TraceEvent("reply", "", acts=(trace_of.Act(reply),))):
            past.add(past_of.Event(one, "customer"))
        assert conduct.not_twice(episode._database, past, event)
        assert conduct.charge_agreed(episode._database, past, event) is (reply == "agrees")
        past.add(event)
        assert not conduct.charge_agreed(episode._database, past, event)


def test_an_urgent_case_is_resolved_but_not_replied_to(built: Built) -> None:
    """Its customer is called; what was done is written down in the end (7.9)."""
    read = ("list_case_messages", {"case_id": "CAS-00002"})
    done = ("resolve_case", {"case_id": "CAS-00002", "resolution": "Called, all is settled."})
    said = ("reply_to_case", {"case_id": "CAS-00002", "author": "agent", "text": "We call you."})
    assert "7.9" not in broken(built, "staff", [read, done])
    assert "7.9" in broken(built, "staff", [read, said])
