"""Checking out: a cart becomes an order."""

from __future__ import annotations

from ..database.models import (
    Cart,
    CartId,
    CartQuote,
    Database,
    Order,
    OrderLine,
    Promotion,
    ShippingMethod,
)
from ..errors import Rejected
from .carts import _check_all_wanted, _check_promotion, _open_cart, _quote, _shipping_fee
from .catalogue import _add_stock
from .customers import _active_customer, _saved_address


def _order_lines(quote: CartQuote) -> list[OrderLine]:
    return [
        OrderLine(
            line_number=number,
            variant_id=line.variant_id,
            item=line.item,
            quantity=line.quantity,
            unit_price=line.unit_price,
            discount=line.discount,
            status="open",
            returned=0,
            exchanged=0,
            replaces=None,
        )
        for number, line in enumerate(quote.lines, 1)
    ]


def _check_takes_off(db: Database, promotion: Promotion, cart: Cart, quote: CartQuote) -> None:
    # Shipping that is free without the code may cost something after its discount.
    fee = _shipping_fee(db, cart, quote.shipping_method, quote.subtotal, False)
    without = quote.subtotal + fee
    if quote.total >= without:
        raise Rejected(
            "nothing_off",
            f"With {promotion.code} this order costs {quote.total}, without it {without}. "
            "Take it off the cart first.",
            total=quote.total,
            without=without,
        )


def check_out_cart(
    db: Database,
    cart_id: CartId,
    address_label: str | None = None,
    shipping_method: ShippingMethod = "standard",
) -> Order:
    """Turn an open cart into a pending order and set its stock aside; the order is then to be paid.

    Args:
        cart_id: The cart.
        address_label: Which saved address it goes to; left out, the default one.
        shipping_method: How it travels; left out, standard.

    Raises:
        Rejected: The cart is unknown, no longer open or empty, or the account closed.
        Rejected: Something in the cart is discontinued or out of stock.
        Rejected: The promotion on the cart no longer applies, or the order costs no less with it.
        Rejected: The customer has no address with that label.
    """
    cart = _open_cart(db, cart_id)
    customer = _active_customer(db, cart.customer_id)
    if not cart.lines:
        raise Rejected("cart_empty", "The cart is empty. Put something in it first.")
    promotion = None if cart.promotion_id is None else db.promotions.get(cart.promotion_id)
    _check_all_wanted(db, cart)
    if promotion is not None:
        _check_promotion(db, promotion, cart)
    quote = _quote(db, cart, shipping_method)
    if promotion is not None:
        _check_takes_off(db, promotion, cart, quote)
        db.promotions.update(promotion.promotion_id, uses=promotion.uses + 1)
    ship_to = _saved_address(customer, address_label)
    order = db.orders.add(
        customer_id=cart.customer_id,
        status="pending",
        lines=_order_lines(quote),
        subtotal=quote.subtotal,
        discount=quote.discount,
        shipping_method=shipping_method,
        shipping_fee=quote.shipping_fee,
        total=quote.total,
        ship_to=ship_to,
        promotion_id=cart.promotion_id,
        placed_at=db.now(),
    )
    for line in cart.lines:
        _add_stock(db, line.variant_id, -line.quantity)
    db.carts.update(cart_id, status="checked_out", order_id=order.order_id, updated_at=db.now())
    return order
