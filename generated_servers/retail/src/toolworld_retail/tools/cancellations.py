"""What will not be delivered: orders and lines cancelled, parcels that got lost."""

from __future__ import annotations

from decimal import Decimal

from ..database.models import (
    CancellationCause,
    CancelReason,
    Database,
    Order,
    OrderId,
    OrderStatus,
    RefundTarget,
)
from ..errors import Rejected
from .catalogue import _add_stock
from .customers import _saved_address
from .orders import _due, _line, _paid
from .parcels import _overdue, _progress, _way_for_shipped
from .refunds import _back_before, _net, _pay_back


def _release_promotion(db: Database, order: Order) -> None:
    if order.promotion_id is not None:
        promotion = db.promotions.get(order.promotion_id)
        db.promotions.update(promotion.promotion_id, uses=promotion.uses - 1)


def _end_order(
    db: Database, order: Order, cause: CancellationCause, refund_to: RefundTarget
) -> Order:
    _release_promotion(db, order)
    _pay_back(db, order, [(None, _paid(db, order.order_id))], "cancellation", refund_to)
    return db.orders.update(
        order.order_id,
        status="cancelled",
        lines=[line.replace(status="cancelled") for line in order.lines],
        cancelled_at=db.now(),
        cancel_reason=cause,
    )


def cancel_order(
    db: Database,
    order_id: OrderId,
    reason: CancelReason,
    refund_to: RefundTarget = "original_payment",
) -> Order:
    """Cancel an order of which nothing has shipped; stock goes back and so does the money.

    What was paid from a gift card that is blocked, has expired or is of a closed account goes to a
    new one, which is for the customer whose order it is.

    Args:
        order_id: The order number.
        reason: Why it is cancelled.
        refund_to: Where the money goes; left out, to where it came from.

    Raises:
        Rejected: The order is unknown.
        Rejected: Something of it has shipped, or it is cancelled already.
    """
    order = db.orders.get(order_id)
    if order.status == "cancelled":
        raise Rejected("already_cancelled", "The order is cancelled already.")
    if order.status not in ("pending", "paid"):
        numbers = [line.line_number for line in order.lines if line.status == "open"]
        rest = f" Its open lines can be cancelled one by one: {numbers}." if numbers else ""
        raise Rejected(
            "already_shipped",
            f"The order is {order.status}. Only one of which nothing has shipped can be cancelled."
            f"{rest}{_way_for_shipped(db, order, [line.line_number for line in order.lines])}",
            status=order.status,
        )
    for line in order.lines:
        if line.status == "open":
            _add_stock(db, line.variant_id, line.quantity)
    return _end_order(db, order, reason, refund_to)


def _drop_lines(db: Database, order: Order, numbers: list[int], refund_to: RefundTarget) -> Order:
    dropped = [line for line in order.lines if line.line_number in numbers]
    bought = [line for line in dropped if line.replaces is None]
    worth = sum((line.unit_price * line.quantity for line in bought), Decimal(0))
    discount = sum((line.discount for line in bought), Decimal(0))
    total = order.total - worth + discount
    # An unpaid order still owes something, which is taken off first.
    backs = [
        _net(line) - _due(db, order) - _back_before(db, order.order_id, line.line_number)
        for line in dropped
    ]
    paid = [max(back, Decimal(0)) for back in backs]
    shares: list[tuple[int | None, Decimal]] = [
        (line.line_number, paid[place]) for place, line in enumerate(dropped)
    ]
    _pay_back(db, order, shares, "cancellation", refund_to)
    lines = [
        line.replace(status="cancelled") if line.line_number in numbers else line
        for line in order.lines
    ]
    status: OrderStatus = "pending" if min(backs) < 0 else "paid"
    if any(line.status == "shipped" for line in lines):
        status = _progress(db, order.order_id, lines)
    return db.orders.update(
        order.order_id,
        status=status,
        lines=lines,
        subtotal=order.subtotal - worth,
        discount=order.discount - discount,
        total=total,
    )


def cancel_order_line(
    db: Database, order_id: OrderId, line_number: int, refund_to: RefundTarget = "original_payment"
) -> Order:
    """Cancel one line that has not shipped; the rest of the order and its shipping fee stay.

    What was paid for the line goes back, less what was refunded for it before.

    Args:
        order_id: The order number.
        line_number: The line.
        refund_to: Where the money goes, if more was paid than the rest costs; left out, to where
            it came from.

    Raises:
        Rejected: The order or the line is unknown.
        Rejected: The line has shipped or is cancelled already.
        Rejected: Nothing else is left in the order, so the whole of it should be cancelled.
    """
    order = db.orders.get(order_id)
    line = _line(order, line_number)
    if line.status == "cancelled":
        raise Rejected("already_cancelled", f"Line {line_number} is cancelled already.")
    if line.status == "shipped":
        raise Rejected(
            "already_shipped",
            f"Line {line_number} is shipped. Only an open line can be cancelled."
            f"{_way_for_shipped(db, order, [line_number])}",
            status=line.status,
        )
    if all(row.status == "cancelled" for row in order.lines if row.line_number != line_number):
        raise Rejected(
            "only_line_left", "It is the only line left. Cancel the whole order instead."
        )
    _add_stock(db, line.variant_id, line.quantity)
    return _drop_lines(db, order, [line_number], refund_to)


def refund_lost_shipment(
    db: Database, lost_tracking_number: str, refund_to: RefundTarget = "original_payment"
) -> Order:
    """Write off an overdue parcel as lost and pay back what was in it, instead of sending it again.

    Its lines are cancelled; if nothing of the order arrived and nothing is left of it, the whole
    order is, and shipping is paid back as well. What was refunded before is taken off as for a
    line that is cancelled.

    Args:
        lost_tracking_number: The number of the parcel that never arrived.
        refund_to: Where the money goes; left out, to where it came from.

    Raises:
        Rejected: No parcel has that number, or it is delivered or lost already.
        Rejected: The parcel is not overdue yet.
    """
    lost = _overdue(db, lost_tracking_number)
    order = db.orders.get(lost.order_id)
    db.shipments.update(lost.shipment_id, status="lost")
    if any(
        line.status != "cancelled" and line.line_number not in lost.line_numbers
        for line in order.lines
    ):
        return _drop_lines(db, order, list(lost.line_numbers), refund_to)
    return _end_order(db, order, "lost_parcel", refund_to)


def change_shipping_address(db: Database, order_id: OrderId, address_label: str) -> Order:
    """Send an order of which nothing has shipped to another saved address of the customer.

    Args:
        order_id: The order number.
        address_label: The label of the saved address, such as "work".

    Raises:
        Rejected: The order is unknown.
        Rejected: Something of it has shipped, or it is cancelled.
        Rejected: The customer has no address with that label, or it goes there already.
    """
    order = db.orders.get(order_id)
    if order.status == "cancelled":
        raise Rejected("already_cancelled", "The order is cancelled and goes nowhere.")
    if order.status not in ("pending", "paid"):
        raise Rejected(
            "already_shipped",
            f"The order is {order.status}; its address can no longer be changed.",
            status=order.status,
        )
    address = _saved_address(db.customers.get(order.customer_id), address_label)
    if address == order.ship_to:
        raise Rejected("no_change", "The order goes to that address already.")
    return db.orders.update(order_id, ship_to=address)
