"""Returns and exchanges."""

SHOPS_FAULT = ("defective", "wrong_item", "damaged_in_transit")


def refused_units_stay_refused(db: Database, order: Order) -> bool:
    """What an inspection refused is not sent back or exchanged again (clause 4.5)."""
    refused = [
        part
        for back in db.returns.where(order_id=order.order_id)
        for part in back.lines
        if part.accepted is False and part.condition != "missing"
    ]
    return all(
        sum(part.quantity for part in refused if part.line_number == line.line_number)
        <= line.quantity - line.returned - line.exchanged
        for line in order.lines
    )


def what_is_exchanged_was_delivered(db: Database, exchange: Exchange) -> bool:
    """What is exchanged was delivered (clause 4.4)."""
    return _was_delivered(db, exchange.order_id, exchange.line_number)


def final_sales_come_back_for_a_fault(db: Database, back: ProductReturn) -> bool:
    """A final-sale item comes back only if the shop is at fault (clause 4.3)."""
    lines = db.orders.get(back.order_id).lines
    others = [part for part in back.lines if part.reason not in SHOPS_FAULT]
    return all(_window(db, lines[part.line_number - 1]) > 0 for part in others)


def what_comes_back_as_new_is_sold_again(db: Database, past: Past, event: Event) -> bool:
    """Units that an inspection finds as new go back to stock (clause 4.6)."""
    back = sum(
        part.quantity
        for change in _changed(event, "returns")
        if change.before.status == "received" and change.after.status in ("inspected", "refused")
        for part in change.after.lines
        if part.condition == "as_new" and part.accepted
    )
    return back == 0 or _stock_gained(event) >= back


def _days_to_return(db: Database, order: Order, part: ReturnLine) -> int:
    """Return how many days after delivery a line may come back."""
    days = _window(db, order.lines[part.line_number - 1])
    gold = db.customers.get(order.customer_id).tier == "gold"
    longer = days + GOLD_EXTRA_DAYS if gold and days > 0 else days
    return max(longer, FAULT_DAYS) if part.reason in SHOPS_FAULT else longer


def returns_begin_within_the_window(db: Database, past: Past, event: Event) -> bool:
    """What is sent back was delivered within its return window (clause 4.2)."""
    return all(
        any(
            parcel.delivered_at is not None
            and part.line_number in parcel.line_numbers
            and (db.today() - parcel.delivered_at.date()).days
            <= _days_to_return(db, db.orders.get(change.after.order_id), part)
            for parcel in db.shipments.where(order_id=change.after.order_id)
        )
        for change in _new(event, "returns")
        for part in change.after.lines
    )


def finished_returns_stay_finished(db: Database, past: Past, event: Event) -> bool:
    """A return that is refunded, refused or called off does not go on (clause 4.6)."""
    return all(
        change.before.status in ("requested", "received", "inspected")
        or change.before.status == change.after.status
        for change in _changed(event, "returns")
    )


def exchanged_units_are_set_aside(db: Database, past: Past, event: Event) -> bool:
    """The new units of an exchange leave the stock, and come back if it is called off."""
    if event.tool not in ("request_exchange", "cancel_exchange"):
        return True
    units = sum(change.after.quantity for change in _of(event, "exchanges"))
    return _stock_gained(event) == (units if event.tool == "cancel_exchange" else -units)


def return_fees_come_off_what_brings_them(db: Database, back: ProductReturn) -> bool:
    """The fee comes off nothing that comes back for a fault of the shop (section 4)."""
    bring_fee = [part.refund for part in back.lines if part.reason not in SHOPS_FAULT]
    return back.fee <= _total(bring_fee)


def _brings(db: Database, order: Order, part: ReturnLine) -> Decimal:
    """Return what units of a line bring of which nothing came back before."""
    line = order.lines[part.line_number - 1]
    rate = "1" if part.reason in SHOPS_FAULT or part.condition != "opened" else "0.85"
    left = _worth(line) * Decimal(rate) - _went_back(db, order, [line.line_number], FOR_LINES)
    return max(left * part.quantity / line.quantity, Decimal(0)) if part.accepted else Decimal(0)


def returns_bring_what_is_left_of_the_price(db: Database, past: Past, event: Event) -> bool:
    """Units that come back bring what was paid for them, less what went back (clause 5.1)."""
    return event.tool != "refund_return" or all(
        abs(part.refund - _brings(db, db.orders.get(change.after.order_id), part)) <= CENTS
        for change in _changed(event, "returns")
        for part in change.after.lines
        if _settled(db, db.orders.get(change.after.order_id), part.line_number)
        == (part.quantity if part.accepted else 0)
    )


def _new_worth(db: Database, swap: Exchange) -> Decimal:
    """Return what was paid for the new units of an exchange, with what they cost more or less."""
    line = db.orders.get(swap.order_id).lines[swap.line_number - 1]
    more = (swap.unit_price - line.unit_price) * swap.quantity
    return max(_worth(line) * swap.quantity / line.quantity + more, Decimal(0))


def exchanges_leave_half_of_the_price(db: Database, past: Past, event: Event) -> bool:
    """What an exchange brings leaves half of what the new units cost with the shop (section 4)."""
    return all(
        -change.after.difference
        <= max(_left_for(db, change.after) - _new_worth(db, change.after) / 2, Decimal(0)) + CENTS
        for change in _new(event, "exchanges")
    )


def _left_for(db: Database, swap: Exchange) -> Decimal:
    """Return what was paid for the old units of an exchange, and has not gone back."""
    order = db.orders.get(swap.order_id)
    line = order.lines[swap.line_number - 1]
    there = line.quantity - _settled(db, order, line.line_number)
    back = _back_before(db, order, line.line_number) * swap.quantity / there
    return _worth(line) * swap.quantity / line.quantity - back


def exchanged_units_come_back(db: Database, past: Past, event: Event) -> bool:
    """Old units as new are sold again; what was paid is the difference (clause 4.9)."""
    if event.tool != "complete_exchange":
        return True
    done = [change.after for change in _of(event, "exchanges")]
    units = sum(one.quantity for one in done if one.condition == "as_new")
    refunds = [change.after for change in _new(event, "refunds")]
    back = _total([row.amount for row in refunds if row.reason == "exchange_difference"])
    settled = _total([change.after.amount for change in _new(event, "payments")]) - back
    return _stock_gained(event) == units and _total([one.difference for one in done]) == settled


def completed_exchanges_send_the_new_variant(db: Database, exchange: Exchange) -> bool:
    """Whoever exchanged a thing gets the new one."""
    return exchange.status != "completed" or any(
        line.variant_id == exchange.new_variant_id and line.replaces == exchange.line_number
        for line in db.orders.get(exchange.order_id).lines
    )


def units_on_their_way_back_are_counted(db: Database, order: Order) -> bool:
    """A line counts as sent back what its returns hold (clause 4.5)."""
    held = [
        part
        for back in db.returns.where(order_id=order.order_id)
        for part in back.lines
        if back.status != "cancelled" and part.accepted is not False
    ]
    return all(
        line.returned == sum(part.quantity for part in held if part.line_number == line.line_number)
        for line in order.lines
    )


def a_return_pays_its_lines_less_the_fee(db: Database, back: ProductReturn) -> bool:
    """What a return paid is what its lines brought, less the fee that it names."""
    brought = _total([part.refund for part in back.lines])
    return back.status != "refunded" or back.refund_amount == brought - back.fee


def exchanges_count_the_prices_of_the_day(db: Database, past: Past, event: Event) -> bool:
    """An exchange costs or brings the difference of today's prices, or less back (section 4)."""
    return all(
        -_drop_of_price(db, exchange) <= exchange.difference
        and max(exchange.difference, Decimal(0)) == max(-_drop_of_price(db, exchange), Decimal(0))
        for change in _new(event, "exchanges")
        for exchange in [change.after]
    )


def _drop_of_price(db: Database, exchange: Exchange) -> Decimal:
    """Return how much less the new units of an exchange cost today than the old ones."""
    line = db.orders.get(exchange.order_id).lines[exchange.line_number - 1]
    old, new = db.variants.get(line.variant_id), db.variants.get(exchange.new_variant_id)
    return (old.price - new.price) * exchange.quantity


def what_was_kept_for_money_is_not_exchanged(db: Database, past: Past, event: Event) -> bool:
    """A thing for whose damage money went back is kept or sent back (clause 5.3)."""
    return all(
        refund.reason != "damaged_item" or refund.line_number != change.after.line_number
        for change in _new(event, "exchanges")
        for refund in db.refunds.where(order_id=change.after.order_id)
    )
