"""Orders laid over the data by calling tools, with everything that belongs to them."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..database.models import (
    Carrier,
    Customer,
    Database,
    Order,
    PaymentMethod,
    Product,
    Shipment,
    ShippingMethod,
    Variant,
)
from .draw import Draw
from .facts import Facts, facts
from .people import _as_said

LABELS_OF = {"ups": "1Z", "fedex": "FX", "usps": "US", "dhl": "JD"}
CARRIERS: tuple[Carrier, ...] = ("ups", "fedex", "usps", "dhl")
DAYS_TO_TRAVEL = {"standard": 5, "express": 2, "overnight": 1}


def _shopper(db: Database, draw: Draw) -> Customer:
    """Return a customer of some standing, without an open cart."""
    picked = [draw.row("customers", status="active") for _ in range(4)]
    return draw.one(
        customer
        for customer in picked
        if (db.today() - customer.joined_on).days > 90
        and all(cart.status != "open" for cart in db.carts.where(customer_id=customer.customer_id))
    )


def _valid_method(db: Database, draw: Draw, customer: Customer) -> PaymentMethod:
    """Return a payment method of a customer that can pay today."""
    return draw.one(
        method
        for method in db.payment_methods.where(customer_id=customer.customer_id)
        if method.expires_on is None or method.expires_on >= db.today()
    )


def _goods(db: Database, draw: Draw, count: int, most: Decimal) -> list[Variant]:
    """Return variants of that many products on sale, none dearer than most."""
    found: list[Variant] = []
    for _ in range(count):
        product = draw.row("products", status="active")
        kinds = db.variants.where(product_id=product.product_id)
        found.append(draw.one(one for one in kinds if one.stock > 4 and one.price <= most))
    draw.need(len(set(variant.product_id for variant in found)) == count)
    return found


def _checked_out(
    db: Database,
    draw: Draw,
    customer: Customer,
    goods: list[Variant],
    units: list[int],
    days: int,
    method: ShippingMethod = "standard",
    code: str | None = None,
) -> Order:
    """Return a pending order that was placed some days ago, by a promotion if a code is given."""
    for place, variant in enumerate(goods):
        draw.call(
            "add_to_cart",
            customer_id=customer.customer_id,
            variant_id=variant.variant_id,
            quantity=units[place],
        )
    cart = draw.call("get_cart", customer_id=customer.customer_id)
    if code is not None:
        draw.call("apply_promotion", cart_id=cart.cart_id, code=code)
    order = draw.call("check_out_cart", cart_id=cart.cart_id, shipping_method=method)
    placed = db.now() - timedelta(days=days, minutes=draw.integer(5, 500))
    return db.orders.update(order.order_id, placed_at=placed)


def _paid(db: Database, draw: Draw, order: Order) -> Order:
    """Return an order paid in full with one method, minutes after it was placed."""
    method = _valid_method(db, draw, db.customers.get(order.customer_id))
    payment = draw.call(
        "pay_order", order_id=order.order_id, payment_method_id=method.payment_method_id
    )
    db.payments.update(payment.payment_id, paid_at=order.placed_at + timedelta(minutes=2))
    return db.orders.get(order.order_id)


def _sent(db: Database, draw: Draw, order: Order, numbers: list[int], days: int) -> Shipment:
    """Send lines of a paid order in one parcel that left some days ago."""
    carrier = draw.one(CARRIERS)
    parcel = draw.call(
        "ship_order",
        order_id=order.order_id,
        carrier=carrier,
        tracking_number=f"{LABELS_OF[carrier]}{draw.integer(10000000, 99999999)}",
        line_numbers=numbers,
    )
    # An order of today cannot have left before it was placed.
    left = max(db.now() - timedelta(days=days), order.placed_at + timedelta(minutes=4))
    promised = left.date() + timedelta(days=DAYS_TO_TRAVEL[order.shipping_method])
    return db.shipments.update(parcel.shipment_id, shipped_at=left, promised_on=promised)


def _bought_since(db: Database, draw: Draw, customer: Customer) -> None:
    """Have a customer buy something else, today, in some situations."""
    if draw.chance(0.35):
        goods = _goods(db, draw, 1, Decimal("200"))
        _paid(db, draw, _checked_out(db, draw, customer, goods, [1], 0))


def _all_lines(order: Order) -> list[int]:
    """Return the numbers of an order's lines."""
    return [line.line_number for line in order.lines]


def _delivered(
    db: Database, draw: Draw, customer: Customer, goods: list[Variant], units: list[int], days: int
) -> Order:
    """Return an order that arrived on the promised day, that many days ago."""
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, units, days + 6))
    _arrived(db, draw, _sent(db, draw, order, _all_lines(order), days + 5), 0)
    return db.orders.get(order.order_id)


def _delivered_but(
    db: Database, draw: Draw, customer: Customer, goods: list[Variant], days: int
) -> Order:
    """Return an order that arrived that many days ago, now and then short of a cancelled line."""
    more = _goods(db, draw, 1, Decimal("150")) if draw.chance(0.3) else []
    draw.need(all(variant not in goods for variant in more))
    order = _checked_out(db, draw, customer, [*goods, *more], [1, 1, 1], days + 6)
    order = _paid(db, draw, order)
    numbers = _all_lines(order)
    for number in numbers[len(goods) :]:
        _line_cancelled(db, draw, order, number)
    order = db.orders.get(order.order_id)
    _arrived(db, draw, _sent(db, draw, order, numbers[: len(goods)], days + 5), 0)
    return db.orders.get(order.order_id)


def _line_cancelled(db: Database, draw: Draw, order: Order, number: int) -> Order:
    """Have a line be cancelled minutes after its order was placed."""
    draw.call("cancel_order_line", order_id=order.order_id, line_number=number)
    for refund in db.refunds.where(order_id=order.order_id):
        if refund.reason == "cancellation":
            then = order.placed_at + timedelta(minutes=4)
            db.refunds.update(refund.refund_id, refunded_at=then)
    return db.orders.get(order.order_id)


def _window(db: Database, customer: Customer, variant: Variant) -> int:
    """Return the days that a customer has to send a thing back."""
    days = db.products.get(variant.product_id).return_days
    return days + 15 if customer.tier == "gold" and days > 0 else days


def _arrived(db: Database, draw: Draw, parcel: Shipment, late: int) -> Shipment:
    """Have a parcel arrive, some days after the promised day or before it."""
    arrived = db.now() - timedelta(days=(db.today() - parcel.promised_on).days - late)
    draw.need(parcel.shipped_at < arrived < db.now())
    draw.call("record_delivery", tracking_number=parcel.tracking_number)
    return db.shipments.update(parcel.shipment_id, delivered_at=arrived)


def _expired_card(db: Database, draw: Draw, customer: Customer) -> PaymentMethod:
    """Return a card of a customer that has run out since it was saved."""
    card = draw.call(
        "add_payment_method",
        customer_id=customer.customer_id,
        kind=draw.one(["visa", "mastercard", "amex"]),
        last_four=f"{draw.integer(1000, 9999)}",
        expires_on=db.today() + timedelta(days=30),
    )
    ended = db.today().replace(day=1) - timedelta(days=1)
    ended = ended.replace(day=1) - timedelta(days=1) if draw.chance(0.5) else ended
    return db.payment_methods.update(
        card.payment_method_id, expires_on=ended, added_on=customer.joined_on
    )


def _product_with(db: Database, draw: Draw, names: tuple[str, ...]) -> Product:
    """Return a product on sale that comes in several of one of these, such as sizes."""
    picked = [draw.row("products", status="active") for _ in range(12)]
    return draw.one(
        product
        for product in picked
        if product.return_days > 0
        and any(
            option.name in names
            for variant in db.variants.where(product_id=product.product_id)
            for option in variant.options
        )
    )


def _payer_facts(db: Database, draw: Draw, customer: Customer) -> Facts:
    """Return what a customer wants to pay with, and what else there is if that has run out."""
    valid = _valid_method(db, draw, customer)
    second = _as_said(valid)
    if draw.chance(0.3):
        over = _expired_card(db, draw, customer)
        draw.turn(over, expires_on=db.today() + timedelta(days=380))
        if draw.chance(0.75) and _all_run_out(db, customer):
            second = "none"
        return facts(pay_with=_as_said(over), second_card=second)
    if valid.expires_on is not None and draw.chance(0.12):
        valid = db.payment_methods.update(valid.payment_method_id, expires_on=db.today())
    others = [
        one
        for one in db.payment_methods.where(customer_id=customer.customer_id)
        if one.payment_method_id != valid.payment_method_id
        and (one.expires_on is None or one.expires_on >= db.today())
    ]
    if valid.expires_on is not None and len(others) == 0 and draw.chance(0.6):
        draw.turn(valid, expires_on=db.today().replace(day=1) - timedelta(days=1))
    return facts(pay_with=second, second_card="none")


def _all_run_out(db: Database, customer: Customer) -> bool:
    """Have all cards of a customer run out, so that no other can be named; PayPal stays good."""
    methods = db.payment_methods.where(customer_id=customer.customer_id)
    if any(method.expires_on is None for method in methods):
        return False
    ended = db.today().replace(day=1) - timedelta(days=1)
    for method in methods:
        over = ended if method.expires_on is None else min(method.expires_on, ended)
        db.payment_methods.update(
            method.payment_method_id,
            expires_on=over,
            added_on=min(method.added_on, customer.joined_on),
        )
    return True
