"""Things that are to be swapped for another size, color or kind."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from ..database.models import Customer, Database, Order, OrderLine, PaymentMethodId, Variant
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, only, outcome
from .laying import (
    _checked_out,
    _delivered,
    _paid,
    _payer_facts,
    _product_with,
    _sent,
    _shopper,
    _window,
)
from .people import _bought, _customer, _day, _items_of, _me, _named_method, _parcel_of
from .returns import _rarely_final

SIZES = ("size",)


def _color(variant: Variant) -> str:
    """Return the color of a variant."""
    return {option.name: option.value for option in variant.options}["color"]


def _choice(variant: Variant) -> str:
    """Return what else tells a variant from its siblings, such as its size; empty if nothing."""
    other = maybe(option.value for option in variant.options if option.name != "color")
    return other or ""


def _siblings(db: Database, variant: Variant) -> list[Variant]:
    """Return the other variants of a variant's product."""
    kinds = db.variants.where(product_id=variant.product_id)
    return [one for one in kinds if one.variant_id != variant.variant_id]


def _swap_facts(db: Database, draw: Draw, order: Order, old: Variant, new: Variant) -> Facts:
    """Return what somebody knows who wants another variant; prices and stock may have moved."""
    customer = db.customers.get(order.customer_id)
    now = db.variants.get(new.variant_id)
    move = draw.one([0, 0, -2, 3, 4, 4])
    if move != 0 and _choice(old) == _choice(new):
        now = db.variants.update(new.variant_id, price=now.price + move)
    elif move != 0:
        now = db.variants.update(new.variant_id, price=now.price + move * 2)
    if move > 0 and draw.chance(0.5):
        draw.later(now, after_act="agrees", price=now.price + 2)
    if draw.chance(0.3):
        db.variants.update(new.variant_id, stock=0)
    else:
        db.variants.update(new.variant_id, stock=max(now.stock, 2))
        draw.turn(db.variants.get(new.variant_id), stock=0)
    product = _rarely_final(db, draw, old)
    draw.turn(product, return_days=1)
    item = draw.name(order.lines[0].item, among=_items_of(db, customer))
    return facts(
        _me(customer),
        _payer_facts(db, draw, customer),
        item=told(item, order, "lines.item"),
    )


def _consent(db: Database, draw: Draw, new: Variant) -> Facts:
    """Return what a customer agrees to: another color or not, or a difference up to a sum."""
    if db.variants.get(new.variant_id).stock == 0:
        takes = draw.chance(0.6)
        return facts(agrees=takes, accepts=takes)
    return facts(agrees={"difference": Decimal(draw.one([2, 5, 9, 9, 60]))})


def _delivered_variant(db: Database, draw: Draw, variant: Variant) -> Order:
    """Return an order of a variant: delivered within its window, a little before, or not yet."""
    customer = _shopper(db, draw)
    draw.need(variant.stock > 4)
    window = _window(db, customer, variant)
    if draw.chance(0.08):
        order = _paid(db, draw, _checked_out(db, draw, customer, [variant], [1], 3))
        _sent(db, draw, order, [1], draw.integer(0, 2))
        return db.orders.get(order.order_id)
    days = window + draw.integer(1, 5) if draw.chance(0.12) else draw.integer(1, window)
    return _delivered(db, draw, customer, [variant], [1], days)


def other_size(db: Database, draw: Draw) -> Facts:
    """Something does not fit and is to be swapped for another size."""
    product = _product_with(db, draw, SIZES)
    draw.need(product.category in ("footwear", "clothing", "cycling"))
    old = draw.one(db.variants.where(product_id=product.product_id))
    new = draw.one(
        one
        for one in _siblings(db, old)
        if _color(one) == _color(old) and _choice(one) != _choice(old)
    )
    order = _delivered_variant(db, draw, old)
    return facts(_swap_facts(db, draw, order, old, new), _consent(db, draw, new), size=_choice(new))


def solve_other_size(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item", "size")
    order, line = _bought(agent, customer, given.item)
    old = agent.get_variant(line.variant_id)
    kinds = agent.list_product_variants(old.product_id)
    new = only(one for one in kinds if (_color(one), _choice(one)) == (_color(old), given.size))
    return _swapped(agent, given, customer, order, line, kinds, new)


def other_color(db: Database, draw: Draw) -> Facts:
    """Something is to be swapped for another color, which may be sold out or have gone up."""
    picked = [draw.row("products", status="active") for _ in range(8)]
    plain = [one for one in picked if one.return_days > 0 and one.category != "clothing"]
    olds = [draw.one(db.variants.where(product_id=one.product_id)) for one in plain]
    # What has no sizes comes in three colors now and then, so that another can be offered.
    wide = [one for one in olds if len(_siblings(db, one)) == 2]
    old = draw.one(wide if wide and draw.chance(0.6) else olds)
    new = draw.one(one for one in _siblings(db, old) if _choice(one) == _choice(old))
    order = _delivered_variant(db, draw, old)
    return facts(_swap_facts(db, draw, order, old, new), _consent(db, draw, new), color=_color(new))


def solve_other_color(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item", "color")
    order, line = _bought(agent, customer, given.item)
    old = agent.get_variant(line.variant_id)
    kinds = agent.list_product_variants(old.product_id)
    new = only(one for one in kinds if (_color(one), _choice(one)) == (given.color, _choice(old)))
    return _swapped(agent, given, customer, order, line, kinds, new)


def _swapped(
    agent: Agent,
    given: Given,
    customer: Customer,
    order: Order,
    line: OrderLine,
    kinds: list[Variant],
    new: Variant,
) -> Outcome:
    """Swap a line for a variant, or for one in another color if that is sold out."""
    quote = agent.attempt.quote_exchange(order.order_id, line.line_number, 1, new.variant_id)
    if quote.rejected("final_sale"):
        return outcome("never_swapped", sale="final sale")
    if quote.rejected("not_delivered"):
        return outcome("swap_not_yet", day=_parcel_of(agent, order, line).promised_on)
    if quote.rejected("window_over"):
        came = _day(_parcel_of(agent, order, line).delivered_at)
        return outcome("swap_too_late", day=date.fromisoformat(quote.values.day), came=came)
    if not quote.rejected("out_of_stock"):
        if not _agreed_to(agent, quote.difference):
            return outcome("swap_declined", difference=abs(quote.difference))
        return _settled(agent, given, customer, order, line, new, quote.difference)
    other = maybe(
        one
        for one in kinds
        if _choice(one) == _choice(new)
        and one.variant_id not in (new.variant_id, line.variant_id)
        and one.stock > 0
    )
    if other is None:
        back = agent.quote_return(order.order_id, line.line_number, 1, "changed_mind")
        return outcome("sold_out", day=back.last_day)
    offered = agent.quote_exchange(order.order_id, line.line_number, 1, other.variant_id)
    color, difference = _color(other), abs(offered.difference)
    if not agent.offer("another_color", color=color, difference=difference):
        return outcome("color_declined", color=color)
    return _settled(agent, given, customer, order, line, other, offered.difference)


def _agreed_to(agent: Agent, difference: Decimal) -> bool:
    """Tell what an exchange costs or brings, and return whether the customer agrees."""
    if difference < 0:
        return agent.agreed(refund=-difference)
    return agent.agreed(difference=difference)


def _settled(
    agent: Agent,
    given: Given,
    customer: Customer,
    order: Order,
    line: OrderLine,
    new: Variant,
    agreed: Decimal,
) -> Outcome:
    """Request an exchange that was agreed to; what costs more needs a card that can pay."""
    method_id: PaymentMethodId | None = None
    if agreed > 0:
        agent.ask("pay_with")
        method = _named_method(agent, customer, given.pay_with)
        today = agent.get_shop_info().today
        if method.expires_on is not None and method.expires_on < today:
            agent.tell(expiry_date=method.expires_on)
            agent.ask("second_card")
            if given.second_card == "none":
                return outcome("card_over", day=method.expires_on, difference=agreed)
            method = _named_method(agent, customer, given.second_card)
        method_id = method.payment_method_id
    quote = agent.quote_exchange(order.order_id, line.line_number, 1, new.variant_id)
    if quote.difference != agreed and not _agreed_to(agent, quote.difference):
        return outcome("swap_declined", difference=abs(quote.difference))
    swap = agent.request_exchange(order.order_id, line.line_number, 1, new.variant_id, method_id)
    if swap.difference > 0:
        return outcome("dearer", item=swap.new_item, difference=swap.difference)
    if swap.difference < 0:
        return outcome("cheaper", item=swap.new_item, difference=-swap.difference)
    return outcome("even", item=swap.new_item, difference=swap.difference)
