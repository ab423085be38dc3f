"""Money that goes back though nothing is sent back, and the reasons for it."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..errors import Rejected
from ..models import AdjustmentReason, Database, Order, OrderId, OrderSummary, RefundTarget
from ..values import Money, money
from .carts import _spread
from .customers import _active_customer
from .orders import _delivered_on, _line, _summary
from .refunds import _left_of, _paid_for, _pay_back

PRICE_ADJUSTMENT_DAYS = 14
ADJUSTMENTS = ("late_delivery", "price_adjustment", "damaged_item", "goodwill")


def _check_late(db: Database, order: Order, numbers: list[int]) -> None:
    if not any(
        (db.today() if parcel.delivered_at is None else parcel.delivered_at.date())
        > parcel.promised_on
        and any(number in parcel.line_numbers for number in numbers)
        for parcel in db.shipments.where(order_id=order.order_id)
    ):
        raise Rejected("not_late", "No parcel of it is late. Choose another reason if one applies.")


def _check_price_drop(db: Database, order: Order, line_number: int, amount: Decimal) -> None:
    last = order.placed_at.date() + timedelta(days=PRICE_ADJUSTMENT_DAYS)
    if db.today() > last:
        raise Rejected(
            "window_over",
            f"Prices are adjusted within {PRICE_ADJUSTMENT_DAYS} days of the order; "
            f"the last day was {last}.",
            day=last,
        )
    line = _line(order, line_number)
    kept = line.quantity - line.returned - line.exchanged
    price = db.variants.get(line.variant_id).price
    most = _paid_for(db, order, line_number, kept) - price * kept
    if most <= 0:
        raise Rejected(
            "price_not_lower",
            f"Today's price is {price}, no less than what was paid for it.",
            price=price,
        )
    if amount > most:
        raise Rejected(
            "over_difference",
            f"Today's price is {price}, so at most {most} can be paid back.",
            price=price,
            limit=most,
        )


def _check_reason(
    db: Database, order: Order, reason: AdjustmentReason, line_number: int | None, amount: Decimal
) -> None:
    if reason == "late_delivery":
        numbers = [line.line_number for line in order.lines]
        _check_late(db, order, numbers if line_number is None else [line_number])
    elif reason != "goodwill":
        if line_number is None:
            raise Rejected("line_missing", "Name the order line that it is about.")
        if reason == "price_adjustment":
            _check_price_drop(db, order, line_number, amount)
        elif _delivered_on(db, order.order_id, line_number) is None:
            raise Rejected("not_delivered", "It has not arrived, so it cannot be damaged.")


def _check_adjustable(order: Order, line_number: int | None) -> None:
    if order.status == "pending":
        raise Rejected("not_paid", "The order is pending; there is nothing to adjust.")
    if order.status == "cancelled":
        raise Rejected("already_cancelled", "The order is cancelled; there is nothing to adjust.")
    if line_number is not None and _line(order, line_number).status == "cancelled":
        raise Rejected("already_cancelled", f"Line {line_number} is cancelled already.")


def _check_half(db: Database, order: Order, amount: Decimal) -> None:
    standing = [line.line_number for line in order.lines if line.status != "cancelled"]
    adjusted = sum(
        (
            refund.amount
            for refund in db.refunds.where(order_id=order.order_id)
            if refund.reason in ADJUSTMENTS and refund.line_number in standing
        ),
        Decimal(0),
    )
    most = max(money(order.total / 2) - adjusted, Decimal(0))
    if amount > most:
        raise Rejected(
            "over_half",
            f"Without a return, at most half of the total is paid back; {most} of that is left.",
            limit=most,
        )


def refund_order(
    db: Database,
    order_id: OrderId,
    amount: Money,
    reason: AdjustmentReason,
    line_number: int | None = None,
    refund_to: RefundTarget = "original_payment",
) -> OrderSummary:
    """Pay back part of an order though nothing is sent back, at most half of its total in all.

    What is paid back for the whole order is shared out to its lines. It counts for them: if they
    are cancelled, returned or exchanged later, only the rest of what was paid for them comes back.

    Args:
        order_id: The order number.
        amount: How much, above zero; a price adjustment is at most the difference to today's price.
        reason: Why.
        line_number: The line it is about, needed for a damaged item and a price adjustment; left
            out, the whole order.
        refund_to: Where the money goes; left out, to where it came from.

    Raises:
        Rejected: The order or line is unknown, not yet paid or cancelled, or the account closed.
        Rejected: The reason needs a line, or does not hold: no parcel is late, the item has not
            arrived, the price is no lower today, or the order is more than 14 days old.
        Rejected: The amount is not above zero, or passes the price difference, half the total, or
            what was paid and has not gone back yet.
    """
    order = db.orders.get(order_id)
    _active_customer(db, order.customer_id)
    _check_adjustable(order, line_number)
    if amount <= 0:
        raise Rejected("bad_amount", "The amount must be above 0.")
    _check_reason(db, order, reason, line_number, amount)
    lines = [
        line
        for line in order.lines
        if line.status != "cancelled" and line_number in (None, line.line_number)
    ]
    lefts = [_left_of(db, order, line) for line in lines]
    if amount > sum(lefts, Decimal(0)):
        raise Rejected(
            "over_paid",
            f"Of what was paid for it, {sum(lefts, Decimal(0))} has not gone back yet.",
            limit=sum(lefts, Decimal(0)),
        )
    _check_half(db, order, amount)
    parts = _spread(amount, lefts)
    shares: list[tuple[int | None, Decimal]] = [
        (line.line_number, parts[place]) for place, line in enumerate(lines)
    ]
    _pay_back(db, order, shares, reason, refund_to)
    return _summary(db, db.orders.get(order_id))
