"""What retail's predicates make of what a person said of themselves, agreed to and wished."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from toolworld.packages import Package

Built = Callable[[str], Package]
Step = tuple[str, Any]
"""A call with its arguments; or a reply's act, as "gives pay_with", and what was stated before."""

EMILY, CHRISTINE = "emily.levy76@example.com", "christine.johnson327@example.com"
HOW = "find_customer_by_email"


def keeps(
    built: Built, predicate: str, steps: list[Step], role: str = "customer", **told: Any
) -> bool:
    """Return whether a predicate holds at the last of some calls, all of which the tools take.

    Args:
        built: The packages.
        predicate: Its name.
        steps: The calls and replies; the last one is a call.
        role: Who speaks.
        told: What they said of themselves.
    """
    package = built("retail")
    past_of, trace_of = package.module("policy.past"), package.module("calls.trace")
    episode = package.environment({"id": "errand", "instruction": "", "role": role})
    past = past_of.Past(role, told)
    event: Any = None
    for kind, given in steps:
        if event is not None:
            past.add(event)
        if isinstance(given, dict):
            result = episode.call(kind, given)
            assert result.outcome == "ok", (kind, result.text)
            *_, recorded = episode.trace
        else:
            acts = tuple(trace_of.Act("states", "", value) for value in given)
            text = " ".join(["So:", *map(str, given)])
            past.add(past_of.Event(trace_of.TraceEvent("message", text, acts=acts), role))
            recorded = trace_of.TraceEvent("reply", "", acts=(trace_of.Act(*kind.split()),))
        past.now = event = past_of.Event(recorded, role)
    return bool(
        getattr(package.module("policy.conduct"), predicate)(episode._database, past, event)
    )


@pytest.mark.parametrize(("own", "is_kept"), [(CHRISTINE, True), (EMILY, False)])
def test_who_was_only_looked_up_is_not_the_person(built: Built, own: str, is_kept: bool) -> None:
    """Another's order is cancelled with a permission only (1.2, 1.12)."""
    cancel = {"order_id": "ORD-00968", "reason": "changed_mind"}
    steps: list[Step] = [
        (HOW, {"email": EMILY}),
        (HOW, {"email": CHRISTINE}),
        ("cancel_order", cancel),
    ]
    assert keeps(built, "mandate_seen", steps, email=own) is is_kept
    assert keeps(built, "mandate_seen", steps, first_name="Emily", last_name="Levy") is False
    assert keeps(built, "mandate_seen", steps)


def test_a_gift_card_that_was_looked_up_pays_if_it_was_named(built: Built) -> None:
    """Whoever holds a gift card's number may spend it, and says it (5.9)."""
    pay = {"order_id": "ORD-00931", "gift_card_id": "GFT-00006"}
    steps: list[Step] = [
        (HOW, {"email": EMILY}),
        ("get_gift_card", {"gift_card_id": "GFT-00006"}),
        ("pay_order_with_gift_card", pay),
    ]
    assert not keeps(built, "mandate_seen", steps, email=EMILY)
    assert keeps(built, "mandate_seen", steps, email=EMILY, card="GFT-00006")


def test_a_fee_that_there_is_not_need_not_be_quoted(built: Built) -> None:
    """A return for a fault of the shop has no fee to be told (4.1)."""
    for reason, is_kept in (("defective", True), ("changed_mind", False)):
        item = {"line_number": 1, "quantity": 1, "reason": reason}
        steps: list[Step] = [("request_return", {"order_id": "ORD-00790", "items": [item]})]
        assert keeps(built, "fee_agreed", steps, line_number=2) is is_kept
        assert keeps(built, "fee_agreed", [("agrees", [6.95]), *steps])


def test_fewer_units_than_wanted_go_back_after_a_yes(built: Built) -> None:
    item = {"line_number": 2, "quantity": 1, "reason": "defective"}
    steps: list[Step] = [("request_return", {"order_id": "ORD-00793", "items": [item]})]
    for units, is_kept in ((1, True), (2, False)):
        assert keeps(built, "fee_agreed", steps, units=units) is is_kept
    assert keeps(built, "fee_agreed", [("agrees", []), *steps], units=2)


@pytest.mark.parametrize(("told", "is_kept"), [(6.95, True), (6.49, False)])
def test_one_fee_is_told_for_all_of_a_return(built: Built, told: float, is_kept: bool) -> None:
    lines = [{"line_number": number, "quantity": 1, "reason": "changed_mind"} for number in (3, 1)]
    part = {"order_id": "ORD-00839", "amount": 6.46, "reason": "goodwill", "line_number": 3}
    steps: list[Step] = [("refund_order", part)]
    steps += [("quote_return", {"order_id": "ORD-00839", **line}) for line in lines]
    asked = ("request_return", {"order_id": "ORD-00839", "items": lines})
    assert keeps(built, "fee_agreed", [*steps, ("agrees", [told]), asked]) is is_kept


@pytest.mark.parametrize("ending", ["declines", "changes_mind", "corrects"])
def test_a_change_of_mind_ends_what_a_card_may_be_charged_with(built: Built, ending: str) -> None:
    """A sum that was agreed to is charged until another wish (5.6)."""
    pay: Step = ("pay_order", {"order_id": "ORD-00931", "payment_method_id": "PMT-00109"})
    assert keeps(built, "charge_agreed", [("agrees", [91.0]), pay])
    assert not keeps(built, "charge_agreed", [("agrees", [91.0]), (ending, []), pay])
    assert not keeps(built, "method_named", [("agrees", [3934.0]), (ending, []), pay])


@pytest.mark.parametrize("ending", ["declines", "changes_mind", "corrects"])
def test_nothing_is_cancelled_on_a_yes_that_was_taken_back(built: Built, ending: str) -> None:
    """Whoever says yes and then wishes something else has to be asked again (2.6)."""
    cancel: Step = ("cancel_order", {"order_id": "ORD-00968", "reason": "changed_mind"})
    yes: Step = ("agrees", [267.5])
    assert keeps(built, "refund_agreed", [yes, cancel])
    assert not keeps(built, "refund_agreed", [yes, (ending, []), cancel])
    assert keeps(built, "refund_agreed", [yes, (ending, []), yes, cancel])


def test_an_account_is_not_closed_on_a_yes_to_something_else(built: Built) -> None:
    """The yes to what cannot be undone is used for that alone (1.9)."""
    number = {"customer_id": "CUS-00080"}
    phone: Step = ("update_customer_contact", {**number, "phone": "(503) 555-0100"})
    close: Step = ("close_customer_account", number)
    assert keeps(built, "final_agreed", [phone, ("agrees", []), close])
    assert not keeps(built, "final_agreed", [("agrees", []), phone, close])


@pytest.mark.parametrize(
    ("customer", "method", "stated"),
    [("CUS-00012", "PMT-00017", ["0373"]), ("CUS-00002", "PMT-00003", ["your PayPal account"])],
)
def test_a_card_with_a_nought_and_paypal_are_named_too(
    built: Built, customer: str, method: str, stated: list[Any]
) -> None:
    sold = {"customer_id": customer, "amount": 50, "payment_method_id": method}
    assert keeps(built, "method_named", [("agrees", stated), ("issue_gift_card", sold)])
    assert not keeps(built, "method_named", [("declines", stated), ("issue_gift_card", sold)])
    assert not keeps(built, "method_named", [("agrees", ["a Visa"]), ("issue_gift_card", sold)])


@pytest.mark.parametrize(
    ("wrong", "is_kept"), [({}, True), ({"amount": 1}, False), ({"refund_to": "gift_card"}, False)]
)
def test_late_parcels_bring_the_whole_fee_back(
    built: Built, wrong: dict[str, Any], is_kept: bool
) -> None:
    """The shipping fee goes back to where it came from, whatever more was refused (3.5, 1.7)."""
    back = {"order_id": "ORD-00906", "amount": 12.95, "reason": "late_delivery", **wrong}
    steps: list[Step] = [("refund_order", back)]
    assert keeps(built, "late_refund_is_shipping", steps) is is_kept
    assert keeps(built, "not_after_refusing", steps)


@pytest.mark.parametrize(
    ("wrong", "is_kept"),
    [({}, True), ({"percent": 80}, False), ({"starts_on": "2026-06-20"}, False)],
)
def test_a_promotion_goes_on_as_it_was(built: Built, wrong: dict[str, Any], is_kept: bool) -> None:
    """It keeps its conditions, and starts on the day after the old one ends (7.8)."""
    new = {
        "code": "WINTER2", "title": "15 percent off everything", "kind": "percent", "percent": 15,
        "starts_on": "2026-06-30", "ends_on": "2026-08-31", "once_per_customer": True, **wrong,
    }  # fmt: skip
    steps: list[Step] = [("list_promotions", {}), ("create_promotion", new)]
    assert keeps(built, "other_value_agreed", steps, role="staff") is is_kept


def test_who_wants_both_things_gets_the_lower_rated_one_too(built: Built) -> None:
    """Only of things of which one is wanted, the lower rated one needs a yes (2.11)."""
    database = built("retail").environment()._database
    rated: dict[str, list[int]] = {}
    for review in database.reviews.all():
        rated.setdefault(review.product_id, []).append(review.rating)
    means = {number: sum(stars) / len(stars) for number, stars in rated.items()}
    sold = {
        row.product_id: row
        for row in database.variants.all()
        if row.stock > 0 and database.products.get(row.product_id).status == "active"
    }
    known = sorted((one for one in means if one in sold), key=lambda one: means[one])
    lower, better = (sold[known[place]] for place in (0, -1))
    names = {
        name: database.products.get(row.product_id).name
        for name, row in (("one", lower), ("other", better))
    }
    looked: list[Step] = [
        ("summarize_product_rating", {"product_id": row.product_id}) for row in (lower, better)
    ]
    add: list[Step] = [
        ("add_to_cart", {"customer_id": "CUS-00005", "variant_id": row.variant_id})
        for row in (better, lower)
    ]
    assert keeps(built, "lesser_agreed", [*looked, *add], **names)
    assert not keeps(built, "lesser_agreed", [*looked, add[1]], **names)


@pytest.mark.parametrize("day", ["2026-07-13", "2026-07-28", "2031-06-14"])
def test_days_may_be_counted_by_any_window_of_the_policy(built: Built, day: str) -> None:
    """The returns of gold customers, faults and gift cards have windows of their own (1.8)."""
    package = built("retail")
    past_of, trace_of = package.module("policy.past"), package.module("calls.trace")
    episode = package.environment({"id": "errand", "instruction": "", "role": "customer"})
    for tool, arguments in (
        ("get_shop_info", {}),
        ("list_order_shipments", {"order_id": "ORD-00792"}),
        ("get_product", {"product_id": "PRD-00001"}),
    ):
        assert episode.call(tool, arguments).outcome == "ok"
    past = past_of.Past("customer", {})
    for one in episode.trace:
        past.add(past_of.Event(one, "customer"))
    acts = (trace_of.Act("states", "", day),)
    message = past_of.Event(trace_of.TraceEvent("message", f"Until {day}.", acts=acts), "customer")
    conduct = package.module("policy.conduct")
    assert conduct.tells_what_is_so(episode._database, past, message)


THOMAS = "CUS-00005"
PUT: Step = ("add_to_cart", {"customer_id": THOMAS, "variant_id": "VAR-00001", "quantity": 1})
PHONE: Step = ("update_customer_contact", {"customer_id": THOMAS, "phone": "(503) 555-0100"})
CANCEL: Step = ("cancel_order", {"order_id": "ORD-00968", "reason": "changed_mind"})


@pytest.mark.parametrize(
    ("steps", "is_kept"),
    [
        ([("gives pay_with", [132.5])], True),
        ([("gives email", [132.5])], False),
        ([("gives pay_with", [131.5])], False),
        ([("agrees", [132.5]), PHONE], True),
        ([("agrees", [132.5]), PHONE, ("changes_mind", [])], False),
    ],
)
def test_a_total_is_agreed_to_by_a_yes_or_the_name_of_a_card(
    built: Built, steps: list[Step], is_kept: bool
) -> None:
    """Who names what to charge when told the sum has said yes to what it is for (2.1, 5.6)."""
    buy: Step = ("check_out_cart", {"cart_id": "CRT-00161"})
    assert keeps(built, "total_agreed", [PUT, *steps, buy]) is is_kept


@pytest.mark.parametrize(
    ("steps", "is_kept"),
    [
        ([("agrees", [267.5]), PHONE], True),
        ([("gives refund_to", [267.5])], True),
        ([("gives refund_to", [267.4])], False),
        ([("agrees", [])], False),
    ],
)
def test_what_goes_back_is_agreed_to_by_a_yes_or_by_where_to(
    built: Built, steps: list[Step], is_kept: bool
) -> None:
    """What is paid back is told before a thing is cancelled (2.6)."""
    assert keeps(built, "refund_agreed", [*steps, CANCEL]) is is_kept


@pytest.mark.parametrize(
    ("stated", "is_kept"), [([50.0, 100.0], True), ([50.0, 50.0], True), ([50.0], False)]
)
def test_gift_cards_that_are_alike_are_agreed_to_together(
    built: Built, stated: list[float], is_kept: bool
) -> None:
    """A method is charged as often as was agreed to (5.6)."""
    card = {"customer_id": "CUS-00002", "amount": 50, "payment_method_id": "PMT-00003"}
    issue: Step = ("issue_gift_card", card)
    assert keeps(built, "charge_agreed", [("agrees", stated), issue, issue]) is is_kept


def test_what_was_taken_out_of_a_cart_is_put_in_again(built: Built) -> None:
    """A thing is done once, unless something else was done to the same in between (1.6)."""
    out = {"cart_id": "CRT-00161", "variant_id": "VAR-00001", "quantity": 0}
    assert keeps(built, "not_twice", [PUT, ("set_cart_quantity", out), PUT])
    assert not keeps(built, "not_twice", [PUT, PUT])


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("emily.levy76@example.com may act for me.", True),
        ("Emily.Levy76@Example.com, my sister, may act for me.", True),
        ("xemily.levy76@example.com may act for me.", False),
    ],
)
@pytest.mark.parametrize("author", ["customer", "agent"])
def test_a_permission_is_the_customers_and_has_the_whole_address(
    built: Built, text: str, is_kept: bool, author: str
) -> None:
    """Somebody else acts for a customer who has allowed it in writing (1.12)."""
    note = {"case_id": "CAS-00002", "author": author, "text": text}
    steps: list[Step] = [
        (HOW, {"email": EMILY}),
        ("reply_to_case", note),
        ("list_case_messages", {"case_id": "CAS-00002"}),
        ("update_customer_contact", {"customer_id": "CUS-00008", "phone": "(503) 555-0100"}),
    ]
    kept = keeps(built, "mandate_seen", steps, email=EMILY)
    assert kept is (is_kept and author == "customer")


def test_paypal_and_brands_in_two_words_are_named(built: Built) -> None:
    """The method charged is the one that was named (5.7)."""
    sold = {"customer_id": "CUS-00004", "amount": 50, "payment_method_id": "PMT-00005"}
    issue: Step = ("issue_gift_card", sold)
    assert keeps(built, "method_named", [issue], pay_with="American Express")
    assert not keeps(built, "method_named", [issue], pay_with="Master Card")


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("I didn't like the badly made boots. They leak.", True),
        ("\u201cI didn\u2019t like the badly made boots\u201d", True),
        ("They leak! I didn't like the badly made boots", True),
        ("I like the boots.", False),
        ("The boots leak.", False),
    ],
)
def test_a_case_has_whole_sentences_of_theirs(built: Built, text: str, is_kept: bool) -> None:
    """What goes into a case is in the customer's words, and not turned round (6.5)."""
    reply = {"case_id": "CAS-00002", "author": "customer", "text": text}
    told = {"text": "I didn't like the badly made boots.", "more": "They leak."}
    steps: list[Step] = [("reply_to_case", reply)]
    assert keeps(built, "review_in_their_words", steps, **told) is is_kept


def test_what_was_not_refused_is_done_after_a_refusal(built: Built) -> None:
    """What was refused is not done because the person insists (1.7)."""
    package = built("retail")
    past_of, trace_of = package.module("policy.past"), package.module("calls.trace")
    for kind, is_kept in (("accepts_refusal", True), ("insists", False)):
        past = past_of.Past("customer", {})
        for spoken, act in (("message", "refuses"), ("reply", kind)):
            event = trace_of.TraceEvent(spoken, "", acts=(trace_of.Act(act),))
            past.add(past_of.Event(event, "customer"))
        for tool in ("update_customer_contact", "open_case"):
            call = past_of.Event(trace_of.TraceEvent("call", "{}", tool, {}, "ok"), "customer")
            kept = package.module("policy.conduct").not_after_refusing(None, past, call)
            assert kept is (is_kept or tool == "open_case")
