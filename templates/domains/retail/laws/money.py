"""What goes back without a return, and what is charged."""

ADJUSTING = ("late_delivery", "price_adjustment", "damaged_item", "goodwill")
ADJUSTING_DAYS = 14


def _back_for(db: Database, order: Order, number: int) -> Decimal:
    """Return what went back for a line by all routes."""
    return _went_back(db, order, [number], (*ADJUSTING, "cancellation")) + _total(
        [
            part.refund
            for back in db.returns.where(order_id=order.order_id, status="refunded")
            for part in back.lines
            if part.line_number == number
        ]
    )


def _can_pay(db: Database, payment_method_id: PaymentMethodId, customer_id: CustomerId) -> bool:
    """Return whether a saved method is a customer's and has not expired."""
    method = db.payment_methods.get(payment_method_id)
    in_time = method.expires_on is None or method.expires_on >= db.today()
    return method.customer_id == customer_id and in_time


def no_line_pays_back_more_than_it_cost(db: Database, order: Order) -> bool:
    """What goes back for a line by all routes is at most what was paid for it (clause 5.1)."""
    return all(_back_for(db, order, line.line_number) <= _worth(line) for line in order.lines)


def lateness_brings_the_shipping_fee(db: Database, order: Order) -> bool:
    """For lateness no more goes back than the shipping fee (clause 3.6)."""
    numbers = [None, *[line.line_number for line in order.lines]]
    return _went_back(db, order, numbers, ("late_delivery",)) <= order.shipping_fee


def _adjusting(event: Event, reasons: tuple[str, ...]) -> list[Refund]:
    """Return what a call paid back without a return, for some reasons."""
    rows = [change.after for change in _new(event, "refunds")]
    return [row for row in rows if row.reason in reasons]


def _is_late(db: Database, parcel: Shipment) -> bool:
    """Return whether a parcel is late, and was not paid back as lost."""
    lines = db.orders.get(parcel.order_id).lines
    arrived = db.today() if parcel.delivered_at is None else parcel.delivered_at.date()
    return arrived > parcel.promised_on and any(
        lines[number - 1].status != "cancelled" for number in parcel.line_numbers
    )


def lateness_is_paid_for_late_parcels(db: Database, past: Past, event: Event) -> bool:
    """Nothing is paid back for lateness while no parcel is late (clause 3.6)."""
    return all(
        any(_is_late(db, parcel) for parcel in db.shipments.where(order_id=refund.order_id))
        for refund in _adjusting(event, ("late_delivery",))
    )


def price_adjustments_come_within_two_weeks(db: Database, past: Past, event: Event) -> bool:
    """A price is adjusted within 14 days of the order (clause 5.2)."""
    return all(
        (db.today() - db.orders.get(refund.order_id).placed_at.date()).days <= ADJUSTING_DAYS
        for refund in _adjusting(event, ("price_adjustment",))
    )


def damage_is_paid_for_what_arrived(db: Database, past: Past, event: Event) -> bool:
    """A thing that has not arrived is not damaged (clause 5.3)."""
    return all(
        refund.line_number is not None and _was_delivered(db, refund.order_id, refund.line_number)
        for refund in _adjusting(event, ("damaged_item",))
    )


def damage_is_paid_while_the_thing_may_come_back(db: Database, past: Past, event: Event) -> bool:
    """Nothing goes back for damage once it is too late to send the thing back for it (5.3)."""
    return all(
        any(
            parcel.delivered_at is not None
            and refund.line_number in parcel.line_numbers
            and (db.today() - parcel.delivered_at.date()).days
            <= _days_for_a_fault(db, refund.order_id, refund.line_number)
            for parcel in db.shipments.where(order_id=refund.order_id)
        )
        for refund in _adjusting(event, ("damaged_item",))
    )


def what_an_inspection_refused_brings_nothing(db: Database, past: Past, event: Event) -> bool:
    """Nothing goes back for damage of a line of which an inspection refused units (clause 5.3)."""
    return not any(
        part.accepted is False
        and part.condition != "missing"
        and part.line_number == refund.line_number
        for refund in _adjusting(event, ("damaged_item",))
        for back in db.returns.where(order_id=refund.order_id)
        for part in back.lines
    )


def gift_cards_get_back_what_they_paid(db: Database, past: Past, event: Event) -> bool:
    """What a gift card paid that can still be used goes back to it (section 5)."""
    new = [change.after.gift_card_id for change in _new(event, "gift_cards")]
    for refund in [change.after for change in _new(event, "refunds")]:
        number = db.payments.get(refund.payment_id).gift_card_id
        if number is not None and number not in (*new, refund.gift_card_id):
            card = db.gift_cards.get(number)
            owner = db.customers.get(card.customer_id)
            is_usable = card.status == "active" and card.expires_on >= db.today()
            if is_usable and owner.status == "active":
                return False
    return True


def store_credit_is_good_as_long_as_what_paid(db: Database, past: Past, event: Event) -> bool:
    """No new card makes what a gift card paid good for longer, unless it expired (section 5)."""
    for refund in [change.after for change in _new(event, "refunds")]:
        paid_with = db.payments.get(refund.payment_id).gift_card_id
        if paid_with is not None and refund.gift_card_id is not None:
            old, new = db.gift_cards.get(paid_with), db.gift_cards.get(refund.gift_card_id)
            if db.today() <= old.expires_on != new.expires_on:
                return False
    return True


def damage_of_a_line_is_paid_once(db: Database, past: Past, event: Event) -> bool:
    """No money goes back for damage of a line for which it did before (clause 5.3)."""
    paid = _adjusting(event, ("damaged_item",))
    now = [refund.refund_id for refund in paid]
    return event.tool != "refund_order" or not any(
        row.refund_id not in now
        and row.reason == "damaged_item"
        and row.line_number == refund.line_number
        for refund in paid
        for row in db.refunds.where(order_id=refund.order_id)
    )


def closed_accounts_get_no_adjustments(db: Database, past: Past, event: Event) -> bool:
    """A closed account gets no money back without a return (clause 6.2)."""
    return all(
        db.customers.get(db.orders.get(refund.order_id).customer_id).status == "active"
        for refund in _adjusting(event, ADJUSTING)
    )


def adjustments_are_paid(db: Database, past: Past, event: Event) -> bool:
    """An adjustment pays back the sum that was named."""
    return event.tool != "refund_order" or float(_refunded(event)) == event.argument("amount")


def what_is_charged_can_pay(db: Database, past: Past, event: Event) -> bool:
    """Only a method of the customer that has not expired is charged (clause 5.8)."""
    orders = [
        (change.after.payment_method_id, db.orders.get(change.after.order_id).customer_id)
        for change in _new(event, "payments")
    ]
    others = [
        (change.after.payment_method_id, change.after.customer_id)
        for change in [*_new(event, "gift_cards"), *_new(event, "exchanges")]
    ]
    return all(
        method_id is None or _can_pay(db, method_id, customer_id)
        for method_id, customer_id in [*orders, *others]
    )


def _within_drop(db: Database, order: Order, number: int) -> bool:
    """Return whether what went back for a line is at most the drop of the price of units kept."""
    line = order.lines[number - 1]
    kept = line.quantity - line.returned - line.exchanged
    drop = _worth(line) * kept / line.quantity - db.variants.get(line.variant_id).price * kept
    back = _went_back(db, order, [number], FOR_LINES)
    return _settled(db, order, number) > 0 or back <= max(drop, Decimal(0)) + CENTS


def price_adjustments_are_for_units_kept(db: Database, past: Past, event: Event) -> bool:
    """With a price adjustment a line has brought at most the drop for units kept (clause 5.2)."""
    return all(
        _within_drop(db, db.orders.get(refund.order_id), refund.line_number)
        for refund in _adjusting(event, ("price_adjustment",))
        if refund.line_number is not None
    )


def adjusted_prices_have_fallen(db: Database, past: Past, event: Event) -> bool:
    """A price is adjusted only where today's is lower than what was paid (clause 5.2)."""
    return all(
        db.variants.get(line.variant_id).price < line.unit_price
        for change in _new(event, "refunds")
        if change.after.reason == "price_adjustment"
        for line in [db.orders.get(change.after.order_id).lines[change.after.line_number - 1]]
    )


def what_pays_has_not_expired(db: Database, past: Past, event: Event) -> bool:
    """A card that has expired cannot pay, nor be kept to pay with (clause 5.8)."""
    used = [change.after.payment_method_id for change in _new(event, "payments")]
    used += [change.after.payment_method_id for change in _new(event, "exchanges")]
    methods = [db.payment_methods.get(number) for number in used if number is not None]
    return all(one.expires_on is None or one.expires_on >= db.today() for one in methods)


def _back_before(db: Database, order: Order, number: int) -> Decimal:
    """Return what went back for a line without a return, and came off nothing since."""
    rows = db.refunds.where(order_id=order.order_id)
    return _total(
        [
            row.amount - row.taken_off
            for row in rows
            if row.line_number == number and row.reason in FOR_LINES
        ]
    )


def nothing_is_paid_for_units_under_way(db: Database, past: Past, event: Event) -> bool:
    """Nothing goes back for a line while units of it are in a return or exchange (clause 5.2)."""
    return event.tool != "refund_order" or all(
        _under_way(db, db.orders.get(refund.order_id), refund.line_number) == 0
        for refund in _adjusting(event, FOR_LINES)
        if refund.line_number is not None
    )


def store_credit_is_for_who_ordered(db: Database, past: Past, event: Event) -> bool:
    """A new gift card for money that goes back is of the customer who ordered (section 5)."""
    new = [change.after.gift_card_id for change in _new(event, "gift_cards")]
    return all(
        db.gift_cards.get(refund.gift_card_id).customer_id
        == db.orders.get(refund.order_id).customer_id
        for refund in [change.after for change in _new(event, "refunds")]
        if refund.gift_card_id in new
    )


def _under_way(db: Database, order: Order, number: int) -> int:
    """Return how many units of a line are in a return or an exchange that is not finished."""
    line = order.lines[number - 1]
    return line.returned + line.exchanged - _settled(db, order, number)


def _costs(order: Order) -> list[Decimal]:
    """Return what each line cost, and with it what its exchanges cost more or less."""
    costs: list[Decimal] = []
    for line in order.lines:
        if line.replaces is None:
            costs.append(_worth(line))
        else:
            old = order.lines[line.replaces - 1]
            same = costs[line.replaces - 1] * line.quantity / old.quantity
            more = (line.unit_price - old.unit_price) * line.quantity
            costs.append(max(same + more, Decimal(0)))
    return costs


def what_is_kept_costs_half_of_its_price(db: Database, order: Order) -> bool:
    """Of the price of what a customer keeps at least half stays with the shop (clause 5.1)."""
    costs = _costs(order)
    kept = [
        costs[place] * (line.quantity - _settled(db, order, line.line_number)) / line.quantity
        for place, line in enumerate(order.lines)
        if line.status != "cancelled"
    ]
    payments = db.payments.where(order_id=order.order_id)
    stays = _total([one.amount - one.refunded for one in payments])
    return order.status in ("pending", "cancelled") or stays >= _total(kept) / 2 - CENTS


def adjustments_stay_under_half(db: Database, order: Order) -> bool:
    """Without a return at most half of what was paid for a line is paid back (clause 5.1)."""
    for line, cost in zip(order.lines, _costs(order), strict=True):
        back = _back_before(db, order, line.line_number)
        if line.status == "cancelled" or back == 0:
            continue
        there = line.quantity - _settled(db, order, line.line_number)
        if back > cost * there / line.quantity / 2 + CENTS:
            return False
    return True


def what_was_paid_for_a_line_is_its_price(db: Database, order: Order) -> bool:
    """What was paid for a line that came in an exchange is its price (section 4)."""
    return all(
        abs(_worth(line) - cost) <= CENTS
        for line, cost in zip(order.lines, _costs(order), strict=True)
    )


def cancelled_lines_bring_what_is_left(db: Database, past: Past, event: Event) -> bool:
    """A line that is cancelled brings what was paid, less what went back for it (section 2)."""
    worth, before = Decimal(0), Decimal(0)
    for change in _changed(event, "orders"):
        if change.before.status == "pending" or change.after.status == "cancelled":
            continue
        for line, then in zip(change.after.lines, change.before.lines, strict=False):
            if line.status == "cancelled" != then.status:
                worth += _worth(line)
                before += _back_before(db, change.after, line.line_number)
    return worth == 0 or worth - before == _refunded(event)


def what_went_back_goes_along(db: Database, past: Past, event: Event) -> bool:
    """What went back for units that are exchanged counts for the new ones (section 5)."""
    return all(
        _goes_along(db, event, change.after, change.after.new_line_number)
        for change in _changed(event, "exchanges")
        if change.after.new_line_number is not None and change.after.status != change.before.status
    )


def _goes_along(db: Database, event: Event, swap: Exchange, new_number: int) -> bool:
    """Return whether what went back for a line is evenly on the units left and the new ones."""
    order = db.orders.get(swap.order_id)
    line = order.lines[swap.line_number - 1]
    kept = _back_before(db, order, swap.line_number)
    rows = _changed(event, "refunds")
    booked = _total([row.after.taken_off - row.before.taken_off for row in rows])
    gone = _back_before(db, order, new_number) + booked
    worth = _worth(line) * swap.quantity / line.quantity + swap.difference
    if abs(worth - booked - _worth(order.lines[new_number - 1])) > CENTS:
        return False
    left = line.quantity - _settled(db, order, line.line_number)
    return abs(kept * swap.quantity - gone * left) <= CENTS * (swap.quantity + left)


def what_a_good_gift_card_paid_lies_on_it(db: Database, refund: Refund) -> bool:
    """No other card has what goes back for a gift card that is good (section 5)."""
    number = db.payments.get(refund.payment_id).gift_card_id
    if number is None or number == refund.gift_card_id:
        return True
    card = db.gift_cards.get(number)
    is_good = card.status == "active" and card.expires_on >= refund.refunded_at.date()
    return not (is_good and db.customers.get(card.customer_id).status == "active")
