"""Money that goes back, with or without goods that come back."""

PRICE_ADJUSTMENT_DAYS = 14


def _card_for_refund(db: Database, order: Order, payment: Payment) -> GiftCardId | None:
    # Money from a gift card goes back to it, unless it can no longer be used.
    if payment.gift_card_id is None:
        return None
    if _card_is_usable(db, db.gift_cards.get(payment.gift_card_id)):
        return payment.gift_card_id
    return _store_credit(db, order.customer_id).gift_card_id


def _refund_part(
    db: Database,
    payment: Payment,
    amount: Decimal,
    card_id: GiftCardId | None,
    reason: RefundReason,
    return_id: ProductReturnId | None,
) -> None:
    refunded = payment.refunded + amount
    db.payments.update(
        payment.payment_id,
        refunded=refunded,
        status="refunded" if refunded == payment.amount else "part_refunded",
    )
    db.refunds.add(
        order_id=payment.order_id,
        payment_id=payment.payment_id,
        return_id=return_id,
        gift_card_id=card_id,
        amount=amount,
        reason=reason,
        refunded_at=db.now(),
    )
    if card_id is not None:
        db.gift_cards.update(card_id, balance=db.gift_cards.get(card_id).balance + amount)


def _pay_back(
    db: Database,
    order: Order,
    amount: Decimal,
    reason: RefundReason,
    refund_to: RefundTarget = "original_payment",
    return_id: ProductReturnId | None = None,
) -> None:
    # Saved methods get their money back before gift cards do.
    payments = sorted(
        db.payments.where(order_id=order.order_id),
        key=lambda row: (row.gift_card_id is not None, row.paid_at, row.amount),
    )
    credit = None
    if refund_to == "gift_card" and amount > 0:
        credit = _store_credit(db, order.customer_id).gift_card_id
    left = amount
    for payment in payments:
        part = min(left, payment.amount - payment.refunded)
        if part > 0:
            card_id = _card_for_refund(db, order, payment) if credit is None else credit
            _refund_part(db, payment, part, card_id, reason, return_id)
            left -= part


def _check_adjustment(db: Database, order: Order, reason: AdjustmentReason) -> None:
    parcels = db.shipments.where(order_id=order.order_id)
    if reason == "late_delivery" and not any(
        (db.today() if row.delivered_at is None else row.delivered_at.date()) > row.promised_on
        for row in parcels
    ):
        raise Rejected(
            "not_late", "No parcel of the order is late. Choose another reason if one applies."
        )
    if reason == "damaged_item" and all(row.status != "delivered" for row in parcels):
        raise Rejected(
            "nothing_delivered",
            "Nothing of the order has arrived, so nothing can have arrived damaged.",
        )
    if reason == "price_adjustment" and (db.now() - order.placed_at).days >= PRICE_ADJUSTMENT_DAYS:
        raise Rejected(
            "window_over",
            f"Prices are adjusted within {PRICE_ADJUSTMENT_DAYS} days of the order.",
            day=order.placed_at.date() + timedelta(days=PRICE_ADJUSTMENT_DAYS),
        )


def refund_order(
    db: Database,
    order_id: OrderId,
    amount: Money,
    reason: AdjustmentReason,
    refund_to: RefundTarget = "original_payment",
) -> OrderSummary:
    """Pay back part of an order though nothing is sent back, at most half of its total in all.

    Args:
        order_id: The order number.
        amount: How much, above zero.
        reason: Why.
        refund_to: Where the money goes.

    Raises:
        Rejected: The order is unknown, not yet paid or cancelled.
        Rejected: The amount is not above zero, or passes half the total or what is left of it.
        Rejected: The reason does not hold: no parcel is late, nothing arrived, or too long ago.
    """
    order = db.orders.get(order_id)
    if order.status == "pending":
        raise Rejected("not_paid", "The order is pending; there is nothing to adjust.")
    if order.status == "cancelled":
        raise Rejected("already_cancelled", "The order is cancelled; there is nothing to adjust.")
    _check_adjustment(db, order, reason)
    adjusted = sum(
        (
            refund.amount
            for refund in db.refunds.where(order_id=order_id)
            if refund.reason in ("late_delivery", "price_adjustment", "damaged_item", "goodwill")
        ),
        Decimal(0),
    )
    most = min(money(order.total / 2) - adjusted, _refundable(db, order_id))
    if not 0 < amount <= most:
        raise Rejected(
            "over_half",
            f"The amount must be above 0 and at most {max(most, Decimal(0))}.",
            limit=max(most, Decimal(0)),
        )
    _pay_back(db, order, amount, reason, refund_to)
    return _summary(db, order)
