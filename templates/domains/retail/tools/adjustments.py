"""Money that goes back though nothing is sent back, and the reasons for it."""

PRICE_ADJUSTMENT_DAYS = 14


def _is_late(db: Database, order: Order, numbers: list[int]) -> bool:
    return any(
        (db.today() if parcel.delivered_at is None else parcel.delivered_at.date())
        > parcel.promised_on
        and any(number in parcel.line_numbers for number in numbers)
        for parcel in db.shipments.where(order_id=order.order_id)
    )


def _check_late(db: Database, order: Order, line_number: int | None, amount: Decimal) -> None:
    # What was in a parcel paid back as lost is cancelled, and makes nothing late.
    numbers = [line.line_number for line in order.lines if line.status != "cancelled"]
    if not _is_late(db, order, numbers):
        raise Rejected("not_late", "No parcel of it is late. Choose another reason if one applies.")
    fee_left = order.shipping_fee - _late_fees(db, order.order_id)
    # Where nothing of the fee is left, to name no line would not help either.
    if line_number is not None and fee_left > 0 and not _is_late(db, order, [line_number]):
        raise Rejected(
            "not_late",
            f"No parcel of line {line_number} is late, but one of another line is. Name no line.",
        )
    _check_fee(fee_left, amount)


def _check_none_under_way(db: Database, order: Order, line_number: int) -> None:
    under_way = _under_way(db, order, _line(order, line_number))
    if under_way > 0:
        raise Rejected(
            "units_under_way",
            f"Of line {line_number}, {under_way} are in a return or exchange. Wait until that is "
            "finished, which an inspected return is once it is paid, or call it off if that can be "
            "done.",
            units=under_way,
        )


def _price_drop(db: Database, order: Order, line_number: int) -> Decimal:
    last = order.placed_at.date() + timedelta(days=PRICE_ADJUSTMENT_DAYS)
    if db.today() > last:
        raise Rejected(
            "window_over",
            f"Prices are adjusted within {PRICE_ADJUSTMENT_DAYS} days of the order; "
            f"the last day was {last}.",
            day=last,
        )
    line = _line(order, line_number)
    there = line.quantity - _units_settled(db, order.order_id, line_number)
    price = db.variants.get(line.variant_id).price
    left = _still_worth(db, order, line) - _back_before(db, order.order_id, line_number)
    most = left - price * there
    if most <= 0:
        raise Rejected(
            "price_not_lower",
            f"Today's price is {price}; for the {there} that have not come back that is no less "
            "than what was paid for them and has not gone back.",
            price=price,
        )
    _check_none_under_way(db, order, line_number)
    return most


def _check_damaged(db: Database, order: Order, line_number: int) -> None:
    # Where it is too late for a return, or one was refused, half is not paid for it either.
    arrived = _delivered_on(db, order.order_id, line_number)
    if arrived is None:
        raise Rejected("not_delivered", "It has not arrived, so it cannot be damaged.")
    if _kept_damaged(db, order.order_id, line_number):
        raise Rejected(
            "damage_paid_before",
            f"Money went back for damage of line {line_number} before. It is paid once.",
        )
    last = arrived + timedelta(days=_return_days(db, order, _line(order, line_number), True))
    if last < db.today():
        raise Rejected(
            "window_over",
            f"Damage of line {line_number} was to be told while it could come back for that; "
            f"the last day was {last}.",
            day=last,
        )
    if _refused(db, order, line_number) > 0:
        raise Rejected(
            "refused_before",
            f"An inspection refused units of line {line_number}; nothing is paid for its damage.",
        )


def _difference_for(
    db: Database, order: Order, reason: AdjustmentReason, line_number: int | None
) -> Decimal | None:
    # By how much the price fell; none for what is about no price.
    if reason == "goodwill":
        for line in order.lines:
            if line_number in (None, line.line_number):
                _check_none_under_way(db, order, line.line_number)
        return None
    if line_number is None:
        raise Rejected("line_missing", "Name the order line that it is about.")
    if reason == "price_adjustment":
        return _price_drop(db, order, line_number)
    _check_none_under_way(db, order, line_number)
    _check_damaged(db, order, line_number)
    return None


def _check_adjustable(order: Order, line_number: int | None) -> None:
    if order.status == "pending":
        raise Rejected("not_paid", "The order is pending; there is nothing to adjust.")
    if order.status == "cancelled":
        raise Rejected("already_cancelled", "The order is cancelled; there is nothing to adjust.")
    if line_number is not None and _line(order, line_number).status == "cancelled":
        raise Rejected("already_cancelled", f"Line {line_number} is cancelled already.")


def _check_fee(fee_left: Decimal, amount: Decimal) -> None:
    if amount > fee_left:
        raise Rejected(
            "over_shipping_fee",
            f"For lateness the shipping fee is paid back; {fee_left} of it is left.",
            limit=fee_left,
        )


def _check_limits(half: Decimal, difference: Decimal | None, amount: Decimal) -> None:
    # The lower of the bounds is named, and of two that are the same the one that goes first.
    if amount > half and (difference is None or half <= difference):
        raise Rejected(
            "over_half",
            f"Without a return, at most half of what was paid is paid back; {half} of that is "
            "left.",
            limit=half,
        )
    if difference is not None and amount > difference:
        raise Rejected(
            "over_difference",
            f"The price fell, so at most {difference} can be paid back.",
            limit=difference,
        )


def refund_order(
    db: Database,
    order_id: OrderId,
    amount: Money,
    reason: AdjustmentReason,
    line_number: int | None = None,
    refund_to: RefundTarget = "original_payment",
) -> OrderSummary:
    """Pay back part of an order though nothing is sent back, in all at most half for each line.

    What is paid back for the whole order is shared out to its lines. It counts for them, evenly
    for each unit: if they are cancelled or returned later, only the rest of what was paid for them
    comes back; if they are exchanged, it goes along. What is paid back for lateness counts for the
    shipping fee instead.

    Args:
        order_id: The order number.
        amount: How much, above zero; a price adjustment is at most the difference to today's price,
            and for lateness at most the shipping fee.
        reason: Why.
        line_number: The line it is about, needed for a damaged item and a price adjustment; left
            out, the whole order.
        refund_to: Where the money goes; left out, to where it came from.

    Raises:
        Rejected: The order or line is unknown, not yet paid or cancelled, or the account closed.
        Rejected: The reason needs a line, or does not hold: no parcel is late, the item has not
            arrived, the price is no lower today, or the order is more than 14 days old.
        Rejected: It is for damage, and money went back for damage of that line before, or it is too
            late to send the line back for that, or an inspection refused units of it.
        Rejected: Units of the line, or of any line where the whole order is meant, are in a return
            or exchange, and it is not for lateness.
        Rejected: The amount is not above zero, or passes the price difference, the shipping fee, or
            what is left of half of what was paid for the lines.
    """
    order = db.orders.get(order_id)
    _active_customer(db, order.customer_id)
    _check_adjustable(order, line_number)
    if amount <= 0:
        raise Rejected("bad_amount", "The amount must be above 0.")
    lines = [
        line
        for line in order.lines
        if line.status != "cancelled" and line_number in (None, line.line_number)
    ]
    shares: list[tuple[int | None, Decimal]] = [(None, amount)]
    if reason == "late_delivery":
        _check_late(db, order, line_number, amount)
    else:
        halves = [_half_left(db, order, line) for line in lines]
        half = sum(halves, Decimal(0))
        # Where nothing is left of the half, no other reason why not would help.
        difference = None if half == 0 else _difference_for(db, order, reason, line_number)
        _check_limits(half, difference, amount)
        parts = _spread(amount, halves)
        shares = [(line.line_number, parts[place]) for place, line in enumerate(lines)]
    _pay_back(db, order, shares, reason, refund_to)
    return _summary(db, db.orders.get(order_id))
