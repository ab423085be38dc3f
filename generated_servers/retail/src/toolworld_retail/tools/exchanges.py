"""Exchanges of delivered units for another variant."""

from __future__ import annotations

from decimal import Decimal

from ..database.models import (
    Carrier,
    CustomerId,
    Database,
    Exchange,
    ExchangeId,
    ExchangeQuote,
    ExchangeStatus,
    ItemCondition,
    Order,
    OrderId,
    OrderLine,
    PaymentMethodId,
    Variant,
    VariantId,
)
from ..errors import Rejected
from ..values import Page, money, page
from .catalogue import _add_stock, _item, _sold_variant
from .customers import _active_customer
from .halves import _move_along
from .orders import _line
from .parcels import _new_tracking, _progress, _send
from .payment_methods import _usable_method
from .refunds import _for_line, _kept_damaged, _pay_back, _share_of, _take_off, _worth_of
from .returns import _last_return_day


def _other_way(db: Database, new: Variant, old: Variant, quantity: int) -> str:
    """Say what can be done where not so many of a new variant are in stock."""
    others = [
        variant.stock
        for variant in db.variants.where(product_id=new.product_id)
        if variant.variant_id not in (new.variant_id, old.variant_id)
    ]
    most = max([0, *others])
    if most >= quantity:
        return "Take fewer or another." if new.stock > 0 else "Take another."
    if new.stock > 0:
        return "Take fewer."
    return "Take fewer of another." if most > 0 else "No other is, either; it can be returned."


def _swap_target(
    db: Database, line: OrderLine, new_variant_id: VariantId, quantity: int
) -> Variant:
    new, old = db.variants.get(new_variant_id), db.variants.get(line.variant_id)
    if new.variant_id == old.variant_id or new.product_id != old.product_id:
        raise Rejected(
            "not_another_variant", "An exchange is for another variant of the same product."
        )
    _sold_variant(db, new_variant_id, "It can be returned, but not exchanged.")
    if new.stock < quantity:
        raise Rejected(
            "out_of_stock",
            f"Only {new.stock} of {new.sku} are in stock. {_other_way(db, new, old, quantity)}",
            left=new.stock,
        )
    return new


def _swap_price(db: Database, line: OrderLine, new: Variant) -> Decimal:
    # What the new one costs more or less today than the old one, on top of the line's price.
    old = db.variants.get(line.variant_id)
    return max(line.unit_price + new.price - old.price, Decimal(0))


def _new_worth(
    db: Database, order: Order, line: OrderLine, quantity: int, unit_price: Decimal
) -> Decimal:
    # What was paid for the old units, and what the new ones cost more or less.
    more = (unit_price - line.unit_price) * quantity
    return max(_worth_of(db, order, line, quantity) + more, Decimal(0))


def _over_half(
    db: Database, order: Order, line: OrderLine, quantity: int, unit_price: Decimal
) -> Decimal:
    # What went back without a return for the old units, above half of what the new ones cost: it
    # comes off the difference that would be paid back.
    new_worth = _new_worth(db, order, line, quantity, unit_price)
    less = _worth_of(db, order, line, quantity) - new_worth
    over = _share_of(db, order, line, quantity) - money(new_worth / 2)
    return max(min(over, less), Decimal(0))


def _difference(
    db: Database, order: Order, line: OrderLine, quantity: int, unit_price: Decimal
) -> Decimal:
    more = _new_worth(db, order, line, quantity, unit_price) - _worth_of(db, order, line, quantity)
    return more + _over_half(db, order, line, quantity, unit_price)


def _check_not_kept(db: Database, order_id: OrderId, line_number: int) -> None:
    # Who got money to keep a damaged thing does not get a sound one for it as well.
    if _kept_damaged(db, order_id, line_number):
        raise Rejected(
            "kept_damaged",
            f"Money went back for line {line_number} because it arrived damaged and is kept. "
            "It can be returned, but not exchanged.",
        )


def quote_exchange(
    db: Database, order_id: OrderId, line_number: int, quantity: int, new_variant_id: VariantId
) -> ExchangeQuote:
    """Say until when units of an order line can be exchanged for a variant, and what it costs.

    While other units of the line are in a return or exchange, it may come to a cent or two more or
    less.

    Args:
        order_id: The order number.
        line_number: The line to exchange from.
        quantity: Units to exchange.
        new_variant_id: The variant wanted instead.

    Raises:
        Rejected: The order, the line or the new variant is unknown, or the account closed.
        Rejected: The line has not arrived, or fewer units can come back: some did, or are under
            way, or were refused at an inspection.
        Rejected: The item is a final sale or its return window has passed.
        Rejected: The new variant is the same, of another product, discontinued or out of stock.
        Rejected: Money went back for it because it arrived damaged.
    """
    order = db.orders.get(order_id)
    _active_customer(db, order.customer_id)
    last = _last_return_day(db, order, line_number, quantity, None)
    _check_not_kept(db, order_id, line_number)
    line = _line(order, line_number)
    new = _swap_target(db, line, new_variant_id, quantity)
    return ExchangeQuote(
        order_id=order_id,
        line_number=line_number,
        item=line.item,
        new_variant_id=new_variant_id,
        new_item=_item(db, new),
        quantity=quantity,
        last_day=last,
        difference=_difference(db, order, line, quantity, _swap_price(db, line, new)),
    )


def _count_exchanged(db: Database, order: Order, line_number: int, units: int) -> None:
    lines = [
        line.replace(exchanged=line.exchanged + units) if line.line_number == line_number else line
        for line in order.lines
    ]
    db.orders.update(order.order_id, lines=lines)


def _check_named_method(
    db: Database,
    customer_id: CustomerId,
    difference: Decimal,
    payment_method_id: PaymentMethodId | None,
) -> None:
    if payment_method_id is None:
        raise Rejected(
            "payment_method_missing",
            f"The new variant costs {difference} more. Give a payment method.",
            difference=difference,
        )
    _usable_method(db, customer_id, payment_method_id)


def request_exchange(
    db: Database,
    order_id: OrderId,
    line_number: int,
    quantity: int,
    new_variant_id: VariantId,
    payment_method_id: PaymentMethodId | None = None,
) -> Exchange:
    """Swap delivered units for another variant of the same product, which is set aside.

    What counts is today's price of the new variant against today's price of the old one, whatever
    was paid. It is charged or refunded when the exchange is completed.

    Args:
        order_id: The order number.
        line_number: The line to exchange from.
        quantity: Units to exchange.
        new_variant_id: The variant wanted instead.
        payment_method_id: What pays if the new variant costs more; needed only then.

    Raises:
        Rejected: The order, the line or the new variant is unknown, or the account closed.
        Rejected: The line has not arrived, or fewer units can come back: some did, or are under
            way, or were refused at an inspection.
        Rejected: The item is a final sale or its return window has passed.
        Rejected: The new variant is the same, of another product, discontinued or out of stock.
        Rejected: Money went back for it because it arrived damaged.
        Rejected: It costs more, and no payment method is given, or the one given is unknown,
            someone else's or expired.
    """
    order = db.orders.get(order_id)
    _active_customer(db, order.customer_id)
    _last_return_day(db, order, line_number, quantity, None)
    _check_not_kept(db, order_id, line_number)
    line = _line(order, line_number)
    new = _swap_target(db, line, new_variant_id, quantity)
    unit_price = _swap_price(db, line, new)
    difference = _difference(db, order, line, quantity, unit_price)
    if difference > 0:
        _check_named_method(db, order.customer_id, difference, payment_method_id)
    _add_stock(db, new.variant_id, -quantity)
    _count_exchanged(db, order, line_number, quantity)
    return db.exchanges.add(
        order_id=order_id,
        customer_id=order.customer_id,
        line_number=line_number,
        quantity=quantity,
        item=line.item,
        new_variant_id=new_variant_id,
        new_item=_item(db, new),
        unit_price=unit_price,
        difference=difference,
        payment_method_id=payment_method_id if difference > 0 else None,
        status="requested",
        requested_at=db.now(),
    )


def get_exchange(db: Database, exchange_id: ExchangeId) -> Exchange:
    """Show an exchange, what it costs and where it stands.

    Args:
        exchange_id: The exchange number, such as "EXC-00042".

    Raises:
        Rejected: The exchange is unknown.
    """
    return db.exchanges.get(exchange_id)


def list_exchanges(
    db: Database,
    customer_id: CustomerId | None = None,
    status: ExchangeStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Exchange]:
    """List exchanges, oldest request first.

    Args:
        customer_id: Only this customer's.
        status: Only exchanges in this status.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; left out, 50.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The cursor or limit is bad.
    """
    if customer_id is not None:
        db.customers.get(customer_id)
        rows = db.exchanges.where(customer_id=customer_id)
    elif status is not None:
        rows = db.exchanges.where(status=status)
    else:
        rows = db.exchanges.all()
    found = [row for row in rows if status is None or row.status == status]
    return page(sorted(found, key=lambda row: row.requested_at), cursor, limit)


def _requested_exchange(db: Database, exchange_id: ExchangeId) -> Exchange:
    row = db.exchanges.get(exchange_id)
    if row.status != "requested":
        raise Rejected(
            "wrong_status",
            f"The exchange is {row.status} already.",
            status=row.status,
            wanted="requested",
        )
    return row


def _settle_difference(db: Database, order: Order, row: Exchange, difference: Decimal) -> None:
    if row.payment_method_id is None:
        _pay_back(db, order, [(None, -difference)], "exchange_difference")
        return
    db.payments.add(
        order_id=row.order_id,
        payment_method_id=row.payment_method_id,
        amount=difference,
        refunded=Decimal(0),
        status="captured",
        paid_at=db.now(),
    )


def _check_exchangeable(condition: ItemCondition) -> None:
    if condition not in ("as_new", "opened"):
        raise Rejected(
            "worn_or_broken",
            "Worn, broken or missing units cannot be exchanged. Cancel the exchange.",
            condition=condition,
        )


def _new_line(order: Order, row: Exchange, worth: Decimal) -> OrderLine:
    # What was paid for the new units is their price less the discount.
    return OrderLine(
        line_number=len(order.lines) + 1,
        variant_id=row.new_variant_id,
        item=row.new_item,
        quantity=row.quantity,
        unit_price=row.unit_price,
        discount=row.unit_price * row.quantity - worth,
        status="shipped",
        returned=0,
        exchanged=0,
        replaces=row.line_number,
    )


def complete_exchange(
    db: Database,
    exchange_id: ExchangeId,
    condition: ItemCondition,
    carrier: Carrier,
    tracking_number: str,
) -> Exchange:
    """Finish an exchange when the old units are back: settle the difference, send the new ones.

    The new units become a line of the order, which is then on its way again. What went back for
    the old ones without a return counts for the new ones; what of it is above half of what these
    cost comes off the difference that is paid back.

    Args:
        exchange_id: The exchange.
        condition: How the old units came back, of several the worst: they go back to stock only
            if all are as new, and none is exchanged if one is worn, broken or missing.
        carrier: Who carries the parcel with the new units.
        tracking_number: The tracking number on its label, letters and digits.

    Raises:
        Rejected: The exchange is unknown, or completed or cancelled already.
        Rejected: Some of the old units came back worn or broken, or not at all.
        Rejected: The card that was to pay the difference has expired.
        Rejected: The tracking number is badly formed or in use.
    """
    row = _requested_exchange(db, exchange_id)
    order = db.orders.get(row.order_id)
    _check_exchangeable(condition)
    if row.payment_method_id is not None:
        _usable_method(db, row.customer_id, row.payment_method_id, "Cancel the exchange.")
    number = _new_tracking(db, tracking_number)
    line = _line(order, row.line_number)
    difference = _difference(db, order, line, row.quantity, row.unit_price)
    _settle_difference(db, order, row, difference)
    new_worth = _new_worth(db, order, line, row.quantity, row.unit_price)
    taken_off = _over_half(db, order, line, row.quantity, row.unit_price)
    share = _share_of(db, order, line, row.quantity)
    if condition == "as_new":
        _add_stock(db, line.variant_id, row.quantity)
    new_line = _new_line(order, row, new_worth)
    _send(db, order, carrier, number, [new_line])
    lines = [*order.lines, new_line]
    _take_off(db, _for_line(db, order.order_id, line.line_number), taken_off)
    _move_along(db, order, line, new_line.line_number, share - taken_off)
    db.orders.update(order.order_id, lines=lines, status=_progress(db, order.order_id, lines))
    return db.exchanges.update(
        exchange_id,
        status="completed",
        difference=difference,
        condition=condition,
        new_line_number=new_line.line_number,
        closed_at=db.now(),
    )


def cancel_exchange(db: Database, exchange_id: ExchangeId) -> Exchange:
    """Call off an exchange; the units set aside go back to stock, nothing is charged.

    Args:
        exchange_id: The exchange.

    Raises:
        Rejected: The exchange is unknown, or completed or cancelled already.
    """
    row = _requested_exchange(db, exchange_id)
    _add_stock(db, row.new_variant_id, row.quantity)
    _count_exchanged(db, db.orders.get(row.order_id), row.line_number, -row.quantity)
    return db.exchanges.update(exchange_id, status="cancelled", closed_at=db.now())
