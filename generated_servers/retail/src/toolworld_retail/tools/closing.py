"""The end of an account, when nothing is under way any more."""

from __future__ import annotations

from ..database.models import Customer, CustomerId, Database, Order
from ..errors import Rejected
from .carts import _find_open_cart
from .customers import _active_customer
from .orders import OPEN_RETURNS

UNDER_WAY = ("pending", "paid", "part_shipped", "shipped")


def _way_to_end(order: Order) -> str:
    if order.status == "pending":
        return "Cancel it first, or have it paid and wait for it."
    if order.status == "paid":
        return "Wait for it or cancel it first."
    if order.status == "part_shipped":
        return (
            "Cancel what has not left, and wait for what has, or write off its parcel if that is "
            "overdue."
        )
    return "Wait for it, or write off its parcel if that is overdue."


def _check_nothing_under_way(db: Database, customer_id: CustomerId) -> None:
    for order in db.orders.where(customer_id=customer_id):
        if order.status in UNDER_WAY:
            raise Rejected(
                "order_under_way",
                f"An order is still under way, {order.order_id}. {_way_to_end(order)}",
                order_id=order.order_id,
                status=order.status,
            )
    for back in db.returns.where(customer_id=customer_id):
        if back.status in OPEN_RETURNS:
            way = " or cancel it" if back.status == "requested" else ""
            raise Rejected(
                "return_under_way",
                f"A return is still under way, {back.return_id}. Finish it{way} first.",
                return_id=back.return_id,
                status=back.status,
            )
    for swap in db.exchanges.where(customer_id=customer_id):
        if swap.status == "requested":
            raise Rejected(
                "exchange_under_way",
                f"An exchange is still under way, {swap.exchange_id}. Complete or cancel it first.",
                exchange_id=swap.exchange_id,
            )
    for case in db.cases.where(customer_id=customer_id):
        if case.status != "resolved":
            raise Rejected(
                "case_under_way",
                f"A support case is under way, {case.case_id}. It has to be resolved before.",
                case_id=case.case_id,
            )


def _check_no_money_on_cards(db: Database, customer_id: CustomerId) -> None:
    for card in db.gift_cards.where(customer_id=customer_id):
        if card.balance > 0 and card.expires_on >= db.today():
            raise Rejected(
                "gift_card_has_money",
                f"A gift card still has money on it, {card.gift_card_id} {card.balance}. It must "
                "be spent or expire first; a blocked one is replaced by another.",
                gift_card_id=card.gift_card_id,
                balance=card.balance,
            )


def close_customer_account(db: Database, customer_id: CustomerId) -> Customer:
    """Close an account for good; an open cart is given up.

    Args:
        customer_id: The customer.

    Raises:
        Rejected: The customer is unknown or the account already closed.
        Rejected: A gift card that has not expired still has money on it, blocked or not.
        Rejected: An order, return, exchange or support case is still under way.
    """
    _active_customer(db, customer_id)
    _check_no_money_on_cards(db, customer_id)
    _check_nothing_under_way(db, customer_id)
    cart = _find_open_cart(db, customer_id)
    if cart is not None:
        db.carts.update(cart.cart_id, status="abandoned", updated_at=db.now())
    return db.customers.update(customer_id, status="closed")
