"""Things that are to go back, or that went back already."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import (
    Customer,
    Database,
    Exchange,
    Order,
    OrderLine,
    Product,
    ProductReturn,
    ReturnItem,
    Variant,
)
from .agent import Agent, Given
from .bench import SHOPS_FAULT
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, only, outcome
from .laying import (
    _all_lines,
    _bought_since,
    _checked_out,
    _delivered,
    _goods,
    _paid,
    _sent,
    _shopper,
    _window,
)
from .people import _bought, _customer, _day, _items_of, _me, _parcel_of

REASONS = ("changed_mind", "changed_mind", "not_as_described", "defective", "damaged_in_transit")


def _reason_for(draw: Draw, variant: Variant) -> str:
    """Return a reason to send a thing back; only what has a size can have the wrong one."""
    sized = any(option.name == "size" for option in variant.options)
    return draw.one([*REASONS, "changed_mind", "wrong_size"] if sized else REASONS)


def _days_since(draw: Draw, window: int) -> int:
    """Return how long ago a thing arrived: often near the end of its window."""
    near = [window - 3, window - 1, window, window + 1, window + 4]
    return draw.one([draw.integer(1, 25), *[days for days in near if 1 <= days <= 70]])


def send_back(db: Database, draw: Draw) -> Facts:
    """Something that was ordered is to go back; for some it is too late, or too early."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.integer(1, 3), Decimal("320"))
    product = _rarely_final(db, draw, goods[0])
    reason = _reason_for(draw, goods[0])
    since = _days_since(draw, _window(db, customer, goods[0]))
    if reason in SHOPS_FAULT and draw.chance(0.75):
        since = draw.integer(56, 59)
    if draw.chance(0.12):
        reason = "changed_mind"
        order = _paid(db, draw, _checked_out(db, draw, customer, goods, [1, 1, 1], 4))
        _sent(db, draw, order, _all_lines(order), draw.integer(1, 3))
    else:
        order = _delivered(db, draw, customer, goods, [1, 1, 1], since)
        _turned_early(db, draw, order, since)
        if draw.chance(0.2):
            _swapped_or_returned(db, draw, order)
    _bought_since(db, draw, customer)
    order = db.orders.get(order.order_id)
    draw.turn(product, return_days=draw.one([5, 90]))
    draw.turn(customer, tier="standard" if customer.tier == "gold" else "gold")
    draw.turn(product, return_days=0)
    return facts(
        _me(customer),
        item=told(
            draw.name(order.lines[0].item, among=_items_of(db, customer)), order, "lines.item"
        ),
        reason=reason,
        refund_to=draw.one(["original_payment", "gift_card"]),
        agrees=not draw.chance(0.2),
    )


def _turned_early(db: Database, draw: Draw, order: Order, since: int) -> None:
    """Have a parcel that came nearly 60 days ago come a little earlier, for a twin."""
    for parcel in db.shipments.where(order_id=order.order_id):
        if since >= 56:
            draw.turn(parcel, delivered_at=db.now() - timedelta(days=61))


def _rarely_final(db: Database, draw: Draw, variant: Variant) -> Product:
    """Return the product of a variant, now and then made a final sale."""
    product = db.products.get(variant.product_id)
    if draw.chance(0.08):
        return db.products.update(product.product_id, return_days=0)
    return product


def _swapped_or_returned(db: Database, draw: Draw, order: Order) -> None:
    """Have the first line of an order be under way back already."""
    if draw.chance(0.4):
        customer = db.customers.get(order.customer_id)
        goods = _goods(db, draw, 1, Decimal("150"))
        other = _delivered(db, draw, customer, goods, [1], 2)
        kinds = db.variants.where(product_id=goods[0].product_id)
        cheap = [one for one in kinds if one != goods[0] and 0 < one.price <= goods[0].price]
        if cheap:
            _swap_asked(draw, other, 1, draw.one(cheap).variant_id)
    old = db.variants.get(order.lines[0].variant_id)
    kin = [
        one
        for one in db.variants.where(product_id=old.product_id)
        if one.variant_id != old.variant_id and one.stock > 0 and one.price <= old.price
    ]
    numbers = draw.one([[1], _all_lines(order), _all_lines(order)])
    if kin and draw.chance(0.5):
        new = draw.one(kin).variant_id
        if draw.chance(0.5):
            swap = _swap_asked(draw, order, 1, new)
            draw.call("cancel_exchange", exchange_id=swap.exchange_id)
        _swap_asked(draw, order, 1, new)
        if len(numbers) > 1 and draw.chance(0.7):
            second = db.variants.get(order.lines[1].variant_id)
            kinds = db.variants.where(product_id=second.product_id)
            fits_too = [one for one in kinds if one != second and one.price <= second.price]
            if fits_too:
                _swap_asked(draw, order, 2, draw.one(fits_too).variant_id)
    else:
        if draw.chance(0.5):
            back = _back_asked(draw, order, 1)
            draw.call("cancel_return", return_id=back.return_id)
        for number in numbers:
            _back_asked(draw, order, number)


def _swap_asked(draw: Draw, order: Order, number: int, variant_id: str) -> Exchange:
    """Have a unit of a line be swapped for a variant."""
    return draw.call(
        "request_exchange", order_id=order.order_id, line_number=number, quantity=1,
        new_variant_id=variant_id,
    )  # fmt: skip


def _back_asked(draw: Draw, order: Order, number: int) -> ProductReturn:
    """Have a unit of a line be on its way back."""
    item = ReturnItem(line_number=number, quantity=1, reason="changed_mind")
    return draw.call("request_return", order_id=order.order_id, items=[item])


def solve_send_back(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item", "reason")
    order, line = _bought(agent, customer, given.item)
    quote = agent.attempt.quote_return(order.order_id, line.line_number, 1, given.reason)
    if quote.rejected("not_delivered"):
        return outcome("not_there_yet", day=_parcel_of(agent, order, line).promised_on)
    if quote.rejected("too_many_units"):
        if line.exchanged > 0:
            number = _exchange_of(agent, customer, order, line).exchange_id
            return outcome("back_already", number=number)
        number = _return_of(agent, customer, order, line).return_id
        return outcome("back_already", number=number)
    if quote.rejected("final_sale"):
        return outcome("final_sale", sale="final sale")
    if quote.rejected("window_over"):
        came = _day(_parcel_of(agent, order, line).delivered_at)
        return outcome("too_late", day=date.fromisoformat(quote.values.day), came=came)
    if quote.fee > 0 and not agent.agreed(fee=quote.fee):
        return outcome("fee_declined", fee=quote.fee, day=quote.last_day)
    agent.ask("refund_to")
    item = ReturnItem(line_number=line.line_number, quantity=1, reason=given.reason)
    agent.request_return(order.order_id, [item], given.refund_to)
    return outcome("accepted", fee=quote.fee)


def _exchange_of(agent: Agent, customer: Customer, order: Order, line: OrderLine) -> Exchange:
    """Return the exchange that a line is part of."""
    swaps = agent.list_exchanges(customer_id=customer.customer_id)
    return only(
        swap
        for swap in swaps
        if swap.order_id == order.order_id
        and swap.line_number == line.line_number
        and swap.status != "cancelled"
    )


def _return_of(agent: Agent, customer: Customer, order: Order, line: OrderLine) -> ProductReturn:
    """Return the return that a line is part of."""
    returns = agent.list_returns(customer_id=customer.customer_id)
    return only(
        back
        for back in returns
        if back.order_id == order.order_id
        and back.status not in ("cancelled", "refused")
        and any(part.line_number == line.line_number for part in back.lines)
    )


def send_back_some(db: Database, draw: Draw) -> Facts:
    """Some of several units are to go back; fewer may be left than the customer thinks."""
    customer = _shopper(db, draw)
    variant = only(_goods(db, draw, 1, Decimal("120")))
    product = _rarely_final(db, draw, variant)
    draw.need(not product.name.endswith("s"))
    bought = draw.integer(2, 4)
    before = draw.one([0, 0, 0, 1, 1, bought])
    window = _window(db, customer, variant)
    reason = _reason_for(draw, variant)
    since = min(draw.integer(1, 25), window) if before > 0 else _days_since(draw, window)
    if reason in SHOPS_FAULT and before == 0 and draw.chance(0.75):
        since = draw.integer(56, 59)
    order = _delivered(db, draw, customer, [variant], [bought], max(since, 1))
    _turned_early(db, draw, order, since)
    if before > 0:
        item = ReturnItem(line_number=1, quantity=before, reason="changed_mind")
        draw.call("request_return", order_id=order.order_id, items=[item])
    _bought_since(db, draw, customer)
    draw.turn(product, return_days=draw.one([5, 90]))
    draw.turn(customer, tier="standard" if customer.tier == "gold" else "gold")
    draw.turn(product, return_days=0)
    order = db.orders.get(order.order_id)
    takes = not draw.chance(0.25)
    return facts(
        _me(customer),
        item=told(
            draw.name(order.lines[0].item, among=_items_of(db, customer)), order, "lines.item"
        ),
        units=draw.integer(2, bought),
        reason=reason,
        refund_to=draw.one(["original_payment", "gift_card"]),
        agrees=takes,
        accepts=takes,
    )


def solve_send_back_some(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item", "units", "reason")
    order, line = _bought(agent, customer, given.item)
    left = line.quantity - line.returned - line.exchanged
    if left == 0:
        number = _return_of(agent, customer, order, line).return_id
        return outcome("none_left", number=number)
    if given.units > left:
        return _send_fewer(agent, given, order, line, left)
    quote = agent.attempt.quote_return(order.order_id, line.line_number, given.units, given.reason)
    if quote.rejected("final_sale"):
        return outcome("some_final_sale", sale="final sale")
    if quote.rejected("window_over"):
        came = _day(_parcel_of(agent, order, line).delivered_at)
        return outcome("some_too_late", day=date.fromisoformat(quote.values.day), came=came)
    if quote.fee > 0 and not agent.agreed(fee=quote.fee, net=quote.net):
        return outcome("some_declined", fee=quote.fee)
    agent.ask("refund_to")
    item = ReturnItem(line_number=line.line_number, quantity=given.units, reason=given.reason)
    agent.request_return(order.order_id, [item], given.refund_to)
    return outcome("some_back", fee=quote.fee, net=quote.net)


def _send_fewer(agent: Agent, given: Given, order: Order, line: OrderLine, left: int) -> Outcome:
    """Offer to take back what is left of a line, if it can come back at all."""
    quote = agent.quote_return(order.order_id, line.line_number, left, given.reason)
    if not agent.offer("send_back_fewer", units=left, fee=quote.fee, net=quote.net):
        return outcome("fewer_declined", left=left)
    agent.ask("refund_to")
    item = ReturnItem(line_number=line.line_number, quantity=left, reason=given.reason)
    agent.request_return(order.order_id, [item], given.refund_to)
    return outcome("fewer_back", left=left, net=quote.net)
