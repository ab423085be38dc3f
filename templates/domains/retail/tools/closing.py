"""The end of an account, when nothing is under way any more."""

UNDER_WAY = ("pending", "paid", "part_shipped", "shipped")


def close_customer_account(db: Database, customer_id: CustomerId) -> Customer:
    """Close an account for good; an open cart is given up.

    Args:
        customer_id: The customer.

    Raises:
        Rejected: The customer is unknown or the account already closed.
        Rejected: An order, return, exchange or support case is still under way.
        Rejected: A gift card that may be used still has money on it.
    """
    _active_customer(db, customer_id)
    if any(order.status in UNDER_WAY for order in db.orders.where(customer_id=customer_id)):
        raise Rejected("An order is still under way. Wait for it or cancel it first.")
    if any(back.status in OPEN_RETURNS for back in db.returns.where(customer_id=customer_id)):
        raise Rejected("A return is still under way. Finish or cancel it first.")
    if any(swap.status == "requested" for swap in db.exchanges.where(customer_id=customer_id)):
        raise Rejected("An exchange is still under way. Complete or cancel it first.")
    if any(case.status != "resolved" for case in db.cases.where(customer_id=customer_id)):
        raise Rejected("A support case is not resolved. Resolve it first.")
    cards = db.gift_cards.where(customer_id=customer_id)
    if any(card.balance > 0 and _card_problem(db, card) is None for card in cards):
        raise Rejected("A gift card still has money on it. It must be spent or expire first.")
    cart = _find_open_cart(db, customer_id)
    if cart is not None:
        db.carts.update(cart.cart_id, status="abandoned", updated_at=db.now())
    return db.customers.update(customer_id, status="closed")
