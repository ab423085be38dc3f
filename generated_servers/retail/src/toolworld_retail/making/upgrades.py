"""Exchanges for something bigger, whose price moves while the customer thinks it over."""

from __future__ import annotations

from datetime import date

from ..database.models import Database
from ..values import money
from .agent import Agent, Given
from .draw import Draw
from .exchanges import _choice, _color, _delivered_variant, _siblings
from .facts import Facts, facts, told
from .language import Outcome, only, outcome
from .laying import _product_with, _valid_method
from .people import _as_said, _bought, _customer, _day, _items_of, _me, _named_method, _parcel_of
from .returns import _rarely_final

BIGGER = ("capacity", "volume", "weight", "width", "blade")


def bigger_one(db: Database, draw: Draw) -> Facts:
    """A bigger one costs more; its price may change between the yes and the exchange."""
    product = _product_with(db, draw, BIGGER)
    old = draw.one(db.variants.where(product_id=product.product_id))
    new = draw.one(
        one
        for one in _siblings(db, old)
        if _color(one) == _color(old) and one.price > old.price and one.stock > 0
    )
    order = _delivered_variant(db, draw, old)
    customer = db.customers.get(order.customer_id)
    difference = new.price - old.price
    stage = draw.one(["steady", "up", "up", "down", "sold"])
    step = money(difference * draw.integer(2, 4) / 10)
    if stage == "up":
        draw.later(new, after_act="agrees", price=new.price + step)
    if stage == "down":
        draw.later(new, after_act="agrees", price=new.price - step)
    if stage == "sold":
        # Nothing else is there that would have to be offered: the same in another color.
        for one in _siblings(db, old):
            if one != new and _choice(one) == _choice(new):
                db.variants.update(one.variant_id, stock=0)
        draw.later(new, after_act="agrees", stock=0)
    product = _rarely_final(db, draw, old)
    draw.turn(product, return_days=1)
    draw.turn(product, return_days=0 if product.return_days > 0 else 60)
    item = draw.name(order.lines[0].item, among=_items_of(db, customer))
    most = difference + draw.one([-step, step / 2, step, step * 3])
    return facts(
        _me(customer),
        item=told(item, order, "lines.item"),
        kind=_choice(new),
        pay_with=_as_said(_valid_method(db, draw, customer)),
        agrees={"difference": money(most)},
    )


def solve_bigger_one(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item", "kind")
    order, line = _bought(agent, customer, given.item)
    old = agent.get_variant(line.variant_id)
    kinds = agent.list_product_variants(old.product_id)
    new = only(one for one in kinds if (_color(one), _choice(one)) == (_color(old), given.kind))
    quote = agent.attempt.quote_exchange(order.order_id, line.line_number, 1, new.variant_id)
    if quote.rejected("final_sale"):
        return outcome("no_bigger_final", sale="final sale")
    if quote.rejected("not_delivered"):
        return outcome("bigger_not_yet", day=_parcel_of(agent, order, line).promised_on)
    if quote.rejected("window_over"):
        came = _day(_parcel_of(agent, order, line).delivered_at)
        return outcome("bigger_too_late", day=date.fromisoformat(quote.values.day), came=came)
    agent.ask("pay_with")
    method = _named_method(agent, customer, given.pay_with)
    if not agent.agreed(difference=quote.difference):
        return outcome("too_dear", difference=quote.difference)
    again = agent.attempt.quote_exchange(order.order_id, line.line_number, 1, new.variant_id)
    if again.rejected("out_of_stock"):
        back = agent.quote_return(order.order_id, line.line_number, 1, "changed_mind")
        return outcome("gone_meanwhile", day=back.last_day)
    if again.difference != quote.difference and not agent.agreed(difference=again.difference):
        return outcome("now_too_dear", difference=again.difference)
    swap = agent.request_exchange(
        order.order_id, line.line_number, 1, new.variant_id, method.payment_method_id
    )
    if swap.difference != quote.difference:
        return outcome("other_price", difference=swap.difference, item=swap.new_item)
    return outcome("bigger", difference=swap.difference, item=swap.new_item)
