"""Orders: looking them up and adding them up."""

OPEN_RETURNS = ("requested", "received", "inspected")


def _line(order: Order, line_number: int) -> OrderLine:
    if not 1 <= line_number <= len(order.lines):
        raise Rejected(
            "unknown_line",
            f"The order has lines 1 to {len(order.lines)}. Look at it and choose one.",
            lines=len(order.lines),
        )
    return order.lines[line_number - 1]


def get_order(db: Database, order_id: OrderId) -> Order:
    """Show an order with its lines.

    Args:
        order_id: The order number, such as "ORD-00042".

    Raises:
        Rejected: The order is unknown.
    """
    return db.orders.get(order_id)


def _placed_between(orders: list[Order], first: date | None, last: date | None) -> list[Order]:
    if first is not None and last is not None and first > last:
        raise Rejected("dates_reversed", "The first day is after the last. Swap them.")
    return [
        order
        for order in orders
        if (first is None or order.placed_at.date() >= first)
        and (last is None or order.placed_at.date() <= last)
    ]


def _bought(order: Order, words: str) -> bool:
    return any(_has_words(line.item, words) for line in order.lines)


def list_customer_orders(
    db: Database,
    customer_id: CustomerId,
    item: str | None = None,
    placed_from: date | None = None,
    placed_to: date | None = None,
    status: OrderStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Order]:
    """List a customer's orders, newest first, by what was bought and when if wanted.

    Args:
        customer_id: The customer.
        item: Only orders with a line whose item has these words or parts of words, in any order.
        placed_from: Only orders placed on this day or later.
        placed_to: Only orders placed on this day or earlier.
        status: Only orders in this status.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; left out, 50.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The first day is after the last.
        Rejected: The cursor or limit is bad.
    """
    db.customers.get(customer_id)
    orders = [
        order
        for order in _placed_between(
            db.orders.where(customer_id=customer_id), placed_from, placed_to
        )
        if (status is None or order.status == status) and (item is None or _bought(order, item))
    ]
    return page(sorted(orders, key=lambda order: order.placed_at)[::-1], cursor, limit)


def search_orders(
    db: Database,
    item: str | None = None,
    status: OrderStatus | None = None,
    placed_from: date | None = None,
    placed_to: date | None = None,
    minimum_total: Money | None = None,
    state: str | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Order]:
    """Search all orders by item, status, day, total and destination, oldest first.

    Args:
        item: Only orders with a line whose item has these words or parts of words, in any order.
        status: Only orders in this status.
        placed_from: Only orders placed on this day or later.
        placed_to: Only orders placed on this day or earlier.
        minimum_total: Only orders with at least this total.
        state: Only orders that go to this state, such as "OR".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; left out, 50.

    Raises:
        Rejected: The first day is after the last.
        Rejected: The cursor or limit is bad.
    """
    orders = db.orders.all() if status is None else db.orders.where(status=status)
    found = [
        order
        for order in _placed_between(orders, placed_from, placed_to)
        if (minimum_total is None or order.total >= minimum_total)
        and (state is None or order.ship_to.state == _capitals(state))
        and (item is None or _bought(order, item))
    ]
    return page(sorted(found, key=lambda order: order.placed_at), cursor, limit)


def _units(order: Order) -> int:
    return sum(
        line.quantity
        for line in order.lines
        if line.status != "cancelled" and line.replaces is None
    )


def _paid(db: Database, order_id: OrderId) -> Decimal:
    return sum((payment.amount for payment in db.payments.where(order_id=order_id)), Decimal(0))


def _refunded(db: Database, order_id: OrderId) -> Decimal:
    return sum((payment.refunded for payment in db.payments.where(order_id=order_id)), Decimal(0))


def _due(db: Database, order: Order) -> Decimal:
    return order.total - _paid(db, order.order_id) if order.status == "pending" else Decimal(0)


def _delivered_on(db: Database, order_id: OrderId, line_number: int | None = None) -> date | None:
    days = [
        parcel.delivered_at.date()
        for parcel in db.shipments.where(order_id=order_id)
        if parcel.delivered_at is not None
        and (line_number is None or line_number in parcel.line_numbers)
    ]
    return max(days) if days else None


def _paid_with(db: Database, payment: Payment) -> str:
    if payment.payment_method_id is None:
        return "gift card"
    method = db.payment_methods.get(payment.payment_method_id)
    return (
        method.kind if method.last_four is None else f"{method.kind} ending in {method.last_four}"
    )


def _summary(db: Database, order: Order) -> OrderSummary:
    order_id = order.order_id
    return OrderSummary(
        order_id=order_id,
        status=order.status,
        units=_units(order),
        total=order.total,
        paid=_paid(db, order_id),
        refunded=_refunded(db, order_id),
        due=_due(db, order),
        promotion_code=_promotion_code(db, order.promotion_id),
        payments=tuple(
            PaidPart(
                payment_id=payment.payment_id,
                paid_with=_paid_with(db, payment),
                payment_method_id=payment.payment_method_id,
                gift_card_id=payment.gift_card_id,
                amount=payment.amount,
                refunded=payment.refunded,
            )
            for payment in db.payments.where(order_id=order_id)
        ),
        refunds=tuple(
            RefundPart(
                payment_id=refund.payment_id,
                line_number=refund.line_number,
                gift_card_id=refund.gift_card_id,
                amount=refund.amount,
                reason=refund.reason,
                refunded_on=refund.refunded_at.date(),
            )
            for refund in db.refunds.where(order_id=order_id)
        ),
        delivered_on=_delivered_on(db, order_id),
        open_returns=sum(
            1 for row in db.returns.where(order_id=order_id) if row.status in OPEN_RETURNS
        ),
        open_exchanges=sum(
            1 for row in db.exchanges.where(order_id=order_id) if row.status == "requested"
        ),
    )


def summarize_order(db: Database, order_id: OrderId) -> OrderSummary:
    """Show what of an order is paid, refunded, due, delivered and coming back.

    Args:
        order_id: The order number.

    Raises:
        Rejected: The order is unknown.
    """
    return _summary(db, db.orders.get(order_id))


def summarize_spending(
    db: Database,
    customer_id: CustomerId,
    placed_from: date | None = None,
    placed_to: date | None = None,
) -> SpendingSummary:
    """Add up what a customer paid and got back for orders placed over a time.

    Args:
        customer_id: The customer.
        placed_from: Only orders placed on this day or later.
        placed_to: Only orders placed on this day or earlier.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The first day is after the last.
    """
    db.customers.get(customer_id)
    orders = _placed_between(db.orders.where(customer_id=customer_id), placed_from, placed_to)
    kept = [order for order in orders if order.status != "cancelled"]
    paid = sum((_paid(db, order.order_id) for order in kept), Decimal(0))
    refunded = sum((_refunded(db, order.order_id) for order in kept), Decimal(0))
    return SpendingSummary(
        customer_id=customer_id,
        orders=len(kept),
        cancelled_orders=len(orders) - len(kept),
        units=sum(_units(order) for order in kept),
        paid=paid,
        refunded=refunded,
        net=paid - refunded,
    )
