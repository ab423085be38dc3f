"""Cancelling orders and lines of them, and where what was paid goes."""


def _release_promotion(db: Database, order: Order) -> None:
    if order.promotion_id is not None:
        promotion = db.promotions.get(order.promotion_id)
        db.promotions.update(promotion.promotion_id, uses=promotion.uses - 1)


def cancel_order(
    db: Database,
    order_id: OrderId,
    reason: CancelReason,
    refund_to: RefundTarget = "original_payment",
) -> Order:
    """Cancel an order of which nothing has shipped; stock goes back and so does the money.

    Args:
        order_id: The order number.
        reason: Why it is cancelled.
        refund_to: Where the money goes.

    Raises:
        Rejected: The order is unknown.
        Rejected: Something of it has shipped, or it is cancelled already.
    """
    order = db.orders.get(order_id)
    if order.status == "cancelled":
        raise Rejected("already_cancelled", "The order is cancelled already.")
    if order.status not in ("pending", "paid"):
        raise Rejected(
            "already_shipped",
            f"The order is {order.status}. Only one of which nothing has shipped can be cancelled.",
            status=order.status,
        )
    for line in order.lines:
        if line.status == "open":
            _add_stock(db, line.variant_id, line.quantity)
    _release_promotion(db, order)
    _pay_back(db, order, _refundable(db, order_id), "cancellation", refund_to)
    return db.orders.update(
        order_id,
        status="cancelled",
        lines=[line.replace(status="cancelled") for line in order.lines],
        cancelled_at=db.now(),
        cancel_reason=reason,
    )


def cancel_order_line(
    db: Database, order_id: OrderId, line_number: int, refund_to: RefundTarget = "original_payment"
) -> Order:
    """Cancel one line that has not shipped; the rest of the order and its shipping fee stay.

    Args:
        order_id: The order number.
        line_number: The line.
        refund_to: Where the money goes, if more was paid than the rest costs.

    Raises:
        Rejected: The order or the line is unknown.
        Rejected: The line has shipped or is cancelled already.
        Rejected: Nothing else is left in the order, so the whole of it should be cancelled.
        Rejected: Adjustments have used up what was paid for the line.
    """
    order = db.orders.get(order_id)
    line = _line(order, line_number)
    if line.status == "cancelled":
        raise Rejected("already_cancelled", f"Line {line_number} is cancelled already.")
    if line.status == "shipped":
        raise Rejected(
            "already_shipped",
            f"Line {line_number} is shipped. Only an open line can be cancelled.",
            status=line.status,
        )
    lines = [
        row.replace(status="cancelled") if row.line_number == line_number else row
        for row in order.lines
    ]
    if all(row.status == "cancelled" for row in lines):
        raise Rejected(
            "only_line_left", "It is the only line left. Cancel the whole order instead."
        )
    worth = line.unit_price * line.quantity
    total = order.total - worth + line.discount
    # What is paid beyond the new total goes back; a settled order has paid the line in full.
    excess = order.total - _due(db, order) - total
    if excess > _refundable(db, order_id):
        raise Rejected(
            "over_paid",
            "Too much of the order has been refunded. Cancel the whole of it instead.",
            limit=_refundable(db, order_id),
        )
    _add_stock(db, line.variant_id, line.quantity)
    _pay_back(db, order, max(excess, Decimal(0)), "cancellation", refund_to)
    status: OrderStatus = "pending" if excess < 0 else "paid"
    if any(row.status == "shipped" for row in lines):
        status = _progress(db, order_id, lines)
    return db.orders.update(
        order_id,
        status=status,
        lines=lines,
        subtotal=order.subtotal - worth,
        discount=order.discount - line.discount,
        total=total,
    )


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
