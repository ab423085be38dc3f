"""Conduct in Online shop: the clauses of the policy that can be seen in a trace.

A predicate is asked at each call that changed something and at each message of the agent; it
returns whether the clause is kept there.
"""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..database.models import Database, Promotion, SupportCase
from ..database.store import Written
from .past import Event, Past


def _unresolved_on(db: Database, order_id: str) -> list[SupportCase]:
    """Return the cases about an order that are not resolved."""
    return [case for case in db.cases.where(order_id=order_id) if case.status != "resolved"]


def delivery_case_is_high(db: Database, past: Past, event: Event) -> bool:
    """A case about a parcel that the agent cannot settle has high priority."""
    if event.tool != "open_case" or event.argument("topic") != "delivery":
        return True
    return event.argument("order_id") is None or event.argument("priority") == "high"


def priority_fits(db: Database, past: Past, event: Event) -> bool:
    """A case has high priority about delivery or for gold customers, and otherwise normal."""
    if event.tool != "open_case" or past.role == "staff":
        return True
    tier = db.customers.get(event.argument("customer_id")).tier
    is_high = event.argument("topic") == "delivery" or tier == "gold"
    return event.argument("priority") in (("high",) if is_high else ("normal", None))


def cases_read_first(db: Database, past: Past, event: Event) -> bool:
    """For a damaged item, money goes back once the open cases about its order were read."""
    if event.tool != "refund_order" or event.argument("reason") != "damaged_item":
        return True
    read = [call.argument("case_id") for call in past.called("list_case_messages")]
    read += [call.result.case_id for call in past.called("open_case")]
    cases = _unresolved_on(db, event.argument("order_id"))
    return past.role == "staff" or all(case.case_id in read for case in cases)


def case_was_read(db: Database, past: Past, event: Event) -> bool:
    """A colleague's answer in a case is written after its messages were read."""
    if past.role != "staff" or event.tool not in ("reply_to_case", "resolve_case"):
        return True
    return any(
        call.argument("case_id") == event.argument("case_id")
        for call in past.called("list_case_messages")
    )


def nothing_on_its_way(db: Database, past: Past, event: Event) -> bool:
    """A case on delivery is resolved once no parcel of its order is on its way."""
    if past.role != "staff" or event.tool != "resolve_case" or event.result.topic != "delivery":
        return True
    order_id = event.result.order_id
    return order_id is None or all(
        parcel.status != "in_transit" for parcel in db.shipments.where(order_id=order_id)
    )


def disputed_is_left(db: Database, past: Past, event: Event) -> bool:
    """What a case that is not resolved is about is neither cleared out nor paid."""
    if past.role != "staff" or event.tool not in ("cancel_order", "refund_return"):
        return True
    topic = "returns" if event.tool == "refund_return" else "payment"
    if event.tool == "cancel_order" and event.argument("reason") != "payment_trouble":
        return True
    cases = _unresolved_on(db, event.result.order_id)
    return all(case.topic != topic for case in cases)


def urgent_is_called(db: Database, past: Past, event: Event) -> bool:
    """An urgent case is not answered in writing for a colleague."""
    if past.role != "staff" or event.tool != "reply_to_case":
        return True
    return event.result.priority != "urgent"


IDENTIFYING = ("find_customer_by_email", "find_customer_by_name", "create_customer")
IDS = (
    "customer_id", "order_id", "cart_id", "return_id", "exchange_id", "case_id", "variant_id",
    "new_variant_id", "payment_method_id", "gift_card_id", "review_id", "product_id",
    "lost_tracking_number",
)  # fmt: skip
OWNED = (
    "customers", "payment_methods", "carts", "orders", "returns", "exchanges", "reviews", "cases",
)  # fmt: skip
OF_ORDER = ("payments", "refunds", "shipments")
CARD_OWNERS_ONLY = ("issue_gift_card", "block_gift_card", "replace_gift_card")
WRITING = ("open_case", "reply_to_case")
FINAL = ("close_customer_account", "delete_review")
REASONED = ("cancel_order", "request_return")
# Of gift cards one may want several that are alike; each is agreed to (5.6).
SEVERAL = ("issue_gift_card",)
# Days are counted by these, by the return window of a product, and by that and what gold adds.
# What is ordered today arrives 1, 2 or 5 days later.
WINDOWS = (1, 2, 5, 14, 60, 365, 1825)
GOLD_DAYS = 15
SIGNS = ".,;:!?()"


def _identified(past: Past) -> set[str]:
    """Return the customers that were found by what was said."""
    return {call.result.customer_id for call in past.called(IDENTIFYING)}


def _own(past: Past) -> set[str]:
    """Return the customers found by what the person said of themselves, if they said that."""
    email = past.said("email")
    name = [past.said("first_name"), past.said("last_name")]
    found = past.called(IDENTIFYING)
    if email == "" and "" in name:
        return _identified(past)
    return {
        call.result.customer_id
        for call in found
        if (email != "" and email in (call.result.email, _given(call, "email")))
        or ("" not in name and name in _names(call))
    }


def _names(event: Event) -> list[list[str]]:
    """Return the name of the customer that was found, and the name that was looked for."""
    found = [event.result.first_name.lower(), event.result.last_name.lower()]
    return [found, [_given(event, "first_name"), _given(event, "last_name")]]


def _given(event: Event, name: str) -> str:
    """Return an argument of a call in lower case; nothing if it was left out."""
    return str(event.argument(name) or "").strip().lower()


def _owner(db: Database, change: Written) -> str | None:
    """Return the customer that a changed row belongs to; None if it is nobody's."""
    row = change.before if change.after is None else change.after
    if change.table in OF_ORDER:
        return db.orders.get(row.order_id).customer_id
    return row.customer_id if change.table in OWNED else None


def identified_first(db: Database, past: Past, event: Event) -> bool:
    """Nothing is changed for a customer who has not been found by what was said."""
    if past.role == "staff" or not event.is_call or event.tool in IDENTIFYING:
        return True
    return len(_identified(past)) > 0


def own_account_only(db: Database, past: Past, event: Event) -> bool:
    """What changes belongs to the customer that was identified."""
    if past.role == "staff" or event.tool in IDENTIFYING:
        return True
    return len(_owners(db, event) - _identified(past)) == 0


def _owners(db: Database, event: Event) -> set[str]:
    """Return the customers to whom belongs what a call changed."""
    if event.tool in CARD_OWNERS_ONLY:
        return {event.result.customer_id}
    owners = [_owner(db, change) for change in event.changes]
    return {owner for owner in owners if owner is not None}


def nothing_of_others(db: Database, past: Past, event: Event) -> bool:
    """No message names an order, return, case or e-mail address of a customer not identified."""
    if past.role == "staff" or not event.is_message:
        return True
    # What the person said themselves is told to nobody new.
    said = [str(value).lower() for value in past.told.values()]
    for text in event.texts("states"):
        if text.strip().lower() in said:
            continue
        number = text.strip().upper()
        rows = [
            db.orders.find(number), db.returns.find(number), db.exchanges.find(number),
            db.cases.find(number),
        ]  # fmt: skip
        owners = {row.customer_id for row in rows if row is not None}
        owners |= {row.customer_id for row in db.customers.where(email=text.strip().lower())}
        if not _all_permit(db, past, owners):
            return False
    return True


def _all_permit(db: Database, past: Past, owners: set[str]) -> bool:
    """Return whether the person may see to what belongs to some customers."""
    others = owners - _own(past)
    return len(others) == 0 or len(others - _permitting(db, past)) == 0


def role_allows(db: Database, past: Past, event: Event) -> bool:
    """Nothing that only staff may ask for is done because a customer asks."""
    return not event.is_call or past.may(event.tool)


def ids_are_known(db: Database, past: Past, event: Event) -> bool:
    """Whatever a change is about was looked up, or named by the person."""
    if not event.is_call:
        return True
    values = [event.argument(name) for name in IDS]
    return all(value is None or past.saw(value) for value in values)


def not_twice(db: Database, past: Past, event: Event) -> bool:
    """Nothing is done a second time, unless something else was done to the same in between."""
    if not event.is_call or event.tool in SEVERAL:
        return True
    calls = [
        call
        for call in past.calls
        if len(call.changes) > 0
        and (event.repeats(call) or len(_changed_by(call) & _changed_by(event)) > 0)
    ]
    return len(calls) == 0 or not event.repeats(calls[-1])


def _changed_by(event: Event) -> set[str]:
    """Return the keys of the rows that a call changed."""
    return {f"{change.table} {change.key}" for change in event.changes}


def not_after_refusing(db: Database, past: Past, event: Event) -> bool:
    """Nothing is changed because a person insists on what was refused, and says nothing new."""
    # What was asked for besides, and not refused, is still done. A late parcel's shipping fee goes
    # back without asking (3.7), and a case about what was refused is no way around that.
    is_due = event.tool == "refund_order" and event.argument("reason") == "late_delivery"
    if not event.is_call or is_due or event.tool in WRITING or not past.refused():
        return True
    return not past.replies[-1].does("insists")


def tells_what_is_so(db: Database, past: Past, event: Event) -> bool:
    """The days and numbers of things that are told stand in what tools returned."""
    told = past.unseen(event.texts("states"))
    if len(told) == 0:
        return True
    returns = [call.result.return_days for call in past.called("get_product")]
    returns += [one.return_days for call in past.called("search_products") for one in call.result]
    counts = [*WINDOWS, *returns, *[days + GOLD_DAYS for days in returns]]
    return all(past.counted_from(text, counts, [str(db.today())]) for text in told)


def final_agreed(db: Database, past: Past, event: Event) -> bool:
    """What cannot be undone is done after a yes, and nothing else on that yes before."""
    if event.tool not in FINAL or past.role == "staff":
        return True
    return past.agreed() and all(call.tool in FINAL for call in past.done_since_yes())


def reasons_are_theirs(db: Database, past: Past, event: Event) -> bool:
    """The reason that is written down is one that the person gave."""
    if event.tool not in REASONED:
        return True
    items = event.argument("items")
    reasons = [event.argument("reason")] if items is None else [item["reason"] for item in items]
    given = list(past.told.values())
    return all(reason in given for reason in reasons)


def review_in_their_words(db: Database, past: Past, event: Event) -> bool:
    """What a person writes in a review, and a customer in a case, is what they said."""
    if event.tool == "write_review":
        return past.said_in_words(event.argument("title")) and past.said_in_words(
            event.argument("body")
        )
    is_theirs = event.tool in WRITING and past.role != "staff"
    return not is_theirs or past.said_in_words(event.argument("text"))


def author_speaks(db: Database, past: Past, event: Event) -> bool:
    """A message in a case is written in the name of the person who speaks."""
    author = "agent" if past.role == "staff" else "customer"
    return event.tool != "reply_to_case" or event.argument("author") == author


def mandate_seen(db: Database, past: Past, event: Event) -> bool:
    """What is not the person's own is changed with a permission in writing."""
    if past.role == "staff" or not event.is_call or event.tool in IDENTIFYING:
        return True
    return _all_permit(db, past, _owners(db, event) | _card_not_named(db, past, event))


def _permitting(db: Database, past: Past) -> set[str]:
    """Return whose account the person may act for, by what stands in a case that was read."""
    found = past.called(IDENTIFYING)
    speakers = [call.result.email for call in found if call.result.customer_id in _own(past)]
    return {
        case.customer_id
        for call in past.called("list_case_messages")
        for message in call.result
        for case in [db.cases.get(message.case_id)]
        if case.status != "resolved" and message.author == "customer"
        for word in message.text.lower().split()
        if word.strip(SIGNS) in speakers
    }


def _card_not_named(db: Database, past: Past, event: Event) -> set[str]:
    """Return whose gift card pays that was looked up, and that the person has not named (5.9)."""
    number = event.argument("gift_card_id")
    if event.tool != "pay_order_with_gift_card" or not past.read(number):
        return set()
    said = [str(value).strip().upper() for value in past.told.values()]
    return set() if number in said else {db.gift_cards.get(number).customer_id}


CANCELLING = ("cancel_order", "cancel_order_line", "refund_lost_shipment")
MOST_UNITS = 21
UNITS = ("units", "quantity")
FAULTS = ("defective", "wrong_item", "damaged_in_transit")
RETURN_FEE = 6.95
PAYING = ("pay_with", "second_card", "last_four", "digits", "brand")
BRANDS = {"amex": "americanexpress"}
WHERE_TO = ("refund_to",)
CHARGING = ("pay_order", "issue_gift_card", "request_exchange")


def _paid_back(event: Event, table: str) -> Decimal:
    """Return the sum of the rows that a call added to a table of payments or refunds."""
    added = [change.after for change in event.changes if change.table == table]
    new = [change.before for change in event.changes if change.table == table]
    return sum(
        (row.amount for place, row in enumerate(added) if new[place] is None),
        Decimal(0),
    )


def total_agreed(db: Database, past: Past, event: Event) -> bool:
    """A cart is checked out once its total was told and agreed to."""
    if event.tool != "check_out_cart" or past.role == "staff":
        return True
    return float(event.result.total) in past.agreed_so_far(PAYING)


def lesser_agreed(db: Database, past: Past, event: Event) -> bool:
    """Of things that the person named, the lower rated one is put in the cart after a yes.

    Whoever wants all of them has the better one in the cart before.
    """
    if event.tool != "add_to_cart" or past.role == "staff" or past.agreed():
        return True
    chosen = db.variants.get(event.argument("variant_id")).product_id
    held = db.carts.get(event.result.cart_id).lines
    taken = {db.variants.get(line.variant_id).product_id for line in held}
    named = list(past.told.values())
    ratings = {
        call.result.product_id: call.result.average
        for call in past.called("summarize_product_rating")
        if call.result.name in named and call.result.average is not None
    }
    best = max([ratings[one] for one in ratings if one in taken], default=0)
    return chosen not in ratings or best == max(ratings.values())


def refund_agreed(db: Database, past: Past, event: Event) -> bool:
    """Something is cancelled once what is paid back for it was told and agreed to."""
    if event.tool not in CANCELLING or past.role == "staff":
        return True
    back = _paid_back(event, "refunds")
    return past.agreed() if back == 0 else float(back) in past.agreed_so_far(WHERE_TO)


def late_refund_is_shipping(db: Database, past: Past, event: Event) -> bool:
    """For lateness the whole shipping fee of an order goes back to where it came from."""
    if event.tool != "refund_order" or event.argument("reason") != "late_delivery":
        return True
    if past.role == "staff":
        return True
    if event.argument("refund_to") == "gift_card":
        return False
    order = db.orders.get(event.argument("order_id"))
    refunds = db.refunds.where(order_id=order.order_id)
    back = [row.amount for row in refunds if row.reason == "late_delivery"]
    return sum(back, Decimal(0)) == order.shipping_fee


def fee_agreed(db: Database, past: Past, event: Event) -> bool:
    """A return with a fee, or of fewer units than wanted, is requested once it was agreed to."""
    if event.tool != "request_return" or past.role == "staff":
        return True
    agreed = past.yes_to()
    units = sum(item["quantity"] for item in event.argument("items"))
    wanted = [past.told.get(name) for name in UNITS]
    is_less = any(value in range(units + 1, MOST_UNITS) for value in wanted)
    fee = _return_fee(db, past, event)
    return (fee == 0 and not is_less) or (agreed is not None and (fee == 0 or fee in agreed))


def _return_fee(db: Database, past: Past, event: Event) -> float:
    """Return the fee of a return that is requested: one for all of it, as far as it was quoted."""
    if db.customers.get(event.result.customer_id).tier == "gold":
        return 0.0
    fees = [
        _quoted_fee(past, event.argument("order_id"), item)
        for item in event.argument("items")
        if item["reason"] not in FAULTS
    ]
    return min(round(sum(fees), 2), RETURN_FEE)


def _quoted_fee(past: Past, order_id: str, item: dict[str, object]) -> float:
    """Return the fee that was quoted last for a line; without a quote, the whole fee."""
    fees = [
        float(call.result.fee)
        for call in past.called("quote_return")
        if call.argument("order_id") == order_id
        and call.argument("line_number") == item["line_number"]
        and call.argument("reason") == item["reason"]
    ]
    return fees[-1] if len(fees) > 0 else RETURN_FEE


def difference_agreed(db: Database, past: Past, event: Event) -> bool:
    """An exchange is requested once what it costs or brings was told and agreed to."""
    if event.tool != "request_exchange" or past.role == "staff":
        return True
    difference = float(event.result.difference)
    if difference > 0 and difference in past.agreed_so_far(PAYING):
        return True
    agreed = past.yes_to()
    return agreed is not None and (difference == 0 or difference in agreed or -difference in agreed)


def damage_refund_agreed(db: Database, past: Past, event: Event) -> bool:
    """Money goes back for a damaged item that is kept once the customer agreed to the sum."""
    if event.tool != "refund_order" or event.argument("reason") != "damaged_item":
        return True
    return past.role == "staff" or float(event.argument("amount")) in past.agreed_so_far(WHERE_TO)


def goodwill_is_for_staff(db: Database, past: Past, event: Event) -> bool:
    """Nothing is paid back to a customer out of goodwill."""
    is_goodwill = event.tool == "refund_order" and event.argument("reason") == "goodwill"
    return past.role == "staff" or not is_goodwill


def charge_agreed(db: Database, past: Past, event: Event) -> bool:
    """A saved payment method is charged once the sum was told and agreed to."""
    if event.tool not in ("pay_order", "issue_gift_card") or past.role == "staff":
        return True
    result, agreed = event.result, past.agreed_so_far(PAYING)
    charged = float(result.amount if event.tool == "pay_order" else result.loaded)
    times = 1 + len([call for call in past.called(event.tool) if event.repeats(call)])
    return agreed.count(charged) >= times or charged * times in agreed


def method_named(db: Database, past: Past, event: Event) -> bool:
    """The payment method that is charged is one that the person named, or said yes to."""
    method_id = event.argument("payment_method_id")
    if event.tool not in CHARGING or past.role == "staff" or method_id is None:
        return True
    method = db.payment_methods.get(method_id)
    if past.agreed_in_words([method.last_four or method.kind], PAYING):
        return True
    said = [str(value).lower().replace(" ", "") for value in past.told.values()]
    cards = [
        one
        for one in db.payment_methods.where(customer_id=method.customer_id)
        if one.last_four is not None and any(one.last_four in text for text in said)
    ]
    # Whoever names digits means that card; else its brand will do.
    if method.last_four is not None and len(cards) > 0:
        return method in cards
    names = (method.kind, BRANDS.get(method.kind, method.kind))
    return any(name in text for name in names for text in said)


def replacement_agreed(db: Database, past: Past, event: Event) -> bool:
    """What is on a blocked gift card is moved to a new one once the sum was agreed to."""
    if event.tool != "replace_gift_card" or past.role == "staff":
        return True
    agreed = past.yes_to()
    return agreed is not None and float(event.result.balance) in agreed


def other_value_agreed(db: Database, past: Past, event: Event) -> bool:
    """A price, goodwill or first day that a colleague did not name is used after a yes."""
    if past.role != "staff" or not event.is_call:
        return True
    named = list(past.told.values())
    agreed = past.agreed_so_far(PAYING)
    if event.tool == "set_variant_price":
        return event.argument("price") in named or float(event.argument("price")) in agreed
    if event.tool == "refund_order" and event.argument("reason") == "goodwill":
        return event.argument("amount") in named or float(event.argument("amount")) in agreed
    if event.tool == "create_promotion":
        day = event.argument("starts_on")
        return day in named or day in agreed or _goes_on(db, event.result)
    return True


def _goes_on(db: Database, new: Promotion) -> bool:
    """Return whether a promotion goes on as another one that ends before it or has ended."""
    return any(
        (old.title, old.kind, old.percent, old.amount, old.minimum_spend, old.category)
        == (new.title, new.kind, new.percent, new.amount, new.minimum_spend, new.category)
        and (old.max_uses, old.once_per_customer) == (new.max_uses, new.once_per_customer)
        and new.starts_on == max(db.today(), old.ends_on + timedelta(days=1))
        for old in db.promotions.where(title=new.title)
        if old.promotion_id != new.promotion_id
    )
