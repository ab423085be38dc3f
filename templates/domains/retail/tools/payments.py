"""Payments: what is due is paid by a saved method or a gift card."""


def _payable(db: Database, order_id: OrderId) -> Order:
    order = db.orders.get(order_id)
    if order.status != "pending":
        raise Rejected(
            "not_pending",
            f"The order is {order.status}; there is nothing to pay.",
            status=order.status,
        )
    return order


def pay_order(db: Database, order_id: OrderId, payment_method_id: PaymentMethodId) -> Payment:
    """Pay all that is due on a pending order with one of the customer's saved methods.

    Args:
        order_id: The order number.
        payment_method_id: The saved card or PayPal account.

    Raises:
        Rejected: The order is unknown or not pending.
        Rejected: The payment method is unknown, someone else's or expired.
    """
    order = _payable(db, order_id)
    _usable_method(db, order.customer_id, payment_method_id)
    payment = db.payments.add(
        order_id=order_id,
        payment_method_id=payment_method_id,
        amount=_due(db, order),
        refunded=Decimal(0),
        status="captured",
        paid_at=db.now(),
    )
    db.orders.update(order_id, status="paid")
    return payment


def pay_order_with_gift_card(db: Database, order_id: OrderId, gift_card_id: GiftCardId) -> Payment:
    """Pay a pending order with a gift card, as far as its balance goes.

    Args:
        order_id: The order number.
        gift_card_id: The number on the card, such as "GFT-00017"; anyone holding it may use it.

    Raises:
        Rejected: The order is unknown or not pending.
        Rejected: The gift card is unknown, blocked, expired or empty.
    """
    order = _payable(db, order_id)
    card = db.gift_cards.get(gift_card_id)
    if card.expires_on < db.today():
        raise Rejected(
            "gift_card_expired",
            f"The gift card {gift_card_id} expired on {card.expires_on}. Pay another way.",
            day=card.expires_on,
        )
    if card.balance == 0:
        raise Rejected(
            "gift_card_empty", f"The gift card {gift_card_id} is empty. Pay another way."
        )
    if card.status == "blocked":
        raise Rejected(
            "gift_card_blocked",
            f"The gift card {gift_card_id} is blocked. Pay another way, or have its owner replace "
            "it.",
        )
    due = _due(db, order)
    amount = min(due, card.balance)
    db.gift_cards.update(gift_card_id, balance=card.balance - amount)
    payment = db.payments.add(
        order_id=order_id,
        gift_card_id=gift_card_id,
        amount=amount,
        refunded=Decimal(0),
        status="captured",
        paid_at=db.now(),
    )
    if amount == due:
        db.orders.update(order_id, status="paid")
    return payment
