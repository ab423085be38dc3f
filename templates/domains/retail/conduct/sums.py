"""Sums that are told, and agreed to."""

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
