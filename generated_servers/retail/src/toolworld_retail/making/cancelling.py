"""Orders, and single things in them, that are no longer wanted."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..database.models import Database, Order
from ..values import money
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, only, outcome
from .laying import (
    _all_lines,
    _bought_since,
    _checked_out,
    _goods,
    _line_cancelled,
    _paid,
    _sent,
    _shopper,
)
from .people import _bought, _customer, _day, _items_of, _me, _net, _parcel_of, _refunded_for

WHY = ("changed_mind", "ordered_by_mistake", "found_cheaper", "too_slow")


def call_off(db: Database, draw: Draw) -> Facts:
    """An order is no longer wanted; of some a part or all has left."""
    customer = _shopper(db, draw)
    count = draw.one([1, 2, 2, 3])
    goods = _goods(db, draw, count, Decimal("300"))
    units = [draw.one([1, 1, 1, 2]) for _ in goods]
    order = _checked_out(db, draw, customer, goods, units, draw.integer(0, 4))
    stage = draw.one(["open", "open", "open", "due", "gone", "part", "part", "off"])
    if stage != "due":
        order = _paid(db, draw, order)
    if stage == "gone":
        parcel = _sent(db, draw, order, _all_lines(order), draw.integer(0, 2))
        draw.turn(parcel, promised_on=parcel.promised_on + timedelta(days=2))
    if stage == "part":
        draw.need(count > 1)
        stays = draw.one(_all_lines(order))
        _sent(db, draw, order, [one for one in _all_lines(order) if one != stays], 0)
    if stage == "off":
        draw.call("cancel_order", order_id=order.order_id, reason="ordered_by_mistake")
    _bought_since(db, draw, customer)
    order = db.orders.get(order.order_id)
    item = draw.name(draw.one(order.lines).item, among=_items_of(db, customer))
    wavers = count > 1 and draw.chance(0.2)
    return facts(
        _me(customer),
        item=told(item, order, "lines.item"),
        reason=draw.one(WHY),
        refund_to=draw.one(["original_payment", "original_payment", "gift_card"]),
        agrees=not wavers,
        accepts=not wavers and stage == "part",
    )


def solve_call_off(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item")
    order, line = _bought(agent, customer, given.item)
    if order.status == "cancelled":
        summary = agent.summarize_order(order.order_id)
        return outcome("off_already", off_on=_day(order.cancelled_at), refund=summary.refunded)
    if order.status == "part_shipped":
        return _call_off_rest(agent, given, order)
    if order.status not in ("pending", "paid"):
        return outcome("gone", day=_parcel_of(agent, order, line).promised_on)
    agent.ask("reason")
    summary = agent.summarize_order(order.order_id)
    refund = summary.paid - summary.refunded
    if not agent.agreed(refund=refund):
        return outcome("kept", refund=refund)
    if refund == 0:
        agent.cancel_order(order.order_id, given.reason)
        return outcome("off_unpaid", refund=refund)
    agent.ask("refund_to")
    agent.cancel_order(order.order_id, given.reason, given.refund_to)
    return outcome("called_off", refund=refund)


def _call_off_rest(agent: Agent, given: Given, order: Order) -> Outcome:
    """Offer to cancel the line that has not left."""
    rest = only(line for line in order.lines if line.status == "open")
    refund = _net(rest)
    if not agent.offer("cancel_what_has_not_left", item=rest.item, refund=refund):
        return outcome("rest_kept", item=rest.item, refund=refund)
    agent.ask("refund_to")
    agent.cancel_order_line(order.order_id, rest.line_number, given.refund_to)
    return outcome("rest_off", item=rest.item, refund=refund)


def drop_line(db: Database, draw: Draw) -> Facts:
    """One thing of an order is no longer wanted; it may have left, or be all there is."""
    customer = _shopper(db, draw)
    stage = draw.one(["open", "open", "due", "gone", "others_gone", "alone", "alone"])
    count = draw.one([1, 1, 2]) if stage == "alone" else draw.integer(2, 3)
    goods = _goods(db, draw, count, Decimal("250"))
    units = [draw.one([1, 1, 2]) for _ in goods]
    order = _checked_out(db, draw, customer, goods, units, draw.integer(0, 3))
    if stage != "due":
        order = _paid(db, draw, order)
    wanted = draw.one(order.lines)
    for line in order.lines:
        if stage == "alone" and line != wanted:
            order = _line_cancelled(db, draw, order, line.line_number)
    for line in order.lines:
        if stage not in ("due", "gone") and line.status == "open" and draw.chance(0.3):
            draw.call(
                "refund_order", order_id=order.order_id, reason="goodwill",
                amount=money(_net(line) * draw.integer(1, 3) / 10), line_number=line.line_number,
            )  # fmt: skip
    for refund in db.refunds.where(order_id=order.order_id):
        for line in order.lines:
            if refund.reason == "goodwill" and line.status == "open":
                draw.turn(refund, line_number=line.line_number)
    if stage == "gone":
        parcel = _sent(db, draw, order, [wanted.line_number], 0)
        draw.turn(parcel, promised_on=parcel.promised_on + timedelta(days=2))
    if stage == "others_gone":
        numbers = [one for one in _all_lines(order) if one != wanted.line_number]
        _sent(db, draw, order, numbers, draw.integer(0, 2))
    _bought_since(db, draw, customer)
    order = db.orders.get(order.order_id)
    item = draw.name(wanted.item, among=_items_of(db, customer))
    wavers = draw.chance(0.4 if stage == "alone" else 0.25)
    return facts(
        _me(customer),
        item=told(item, order, "lines.item"),
        reason=draw.one(WHY),
        refund_to=draw.one(["original_payment", "original_payment", "gift_card"]),
        agrees=not wavers,
        accepts=not wavers and stage == "alone",
    )


def solve_drop_line(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item")
    order, line = _bought(agent, customer, given.item)
    if line.status == "shipped":
        return outcome("line_gone", day=_parcel_of(agent, order, line).promised_on)
    summary = agent.summarize_order(order.order_id)
    others = [one for one in order.lines if one.status != "cancelled" and one != line]
    if len(others) == 0:
        return _drop_all(agent, given, order, summary.paid - summary.refunded)
    if order.status == "pending":
        due = summary.due - _net(line)
        if not agent.agreed(refund=Decimal(0), due=due):
            return outcome("line_kept", sum=_net(line))
        agent.cancel_order_line(order.order_id, line.line_number)
        return outcome("line_off_unpaid", due=due)
    refund = _net(line) - _refunded_for(summary, line)
    if not agent.agreed(refund=refund):
        return outcome("line_kept", sum=refund)
    agent.ask("refund_to")
    agent.cancel_order_line(order.order_id, line.line_number, given.refund_to)
    return outcome("line_off", refund=refund)


def _drop_all(agent: Agent, given: Given, order: Order, refund: Decimal) -> Outcome:
    """Offer to cancel an order of which nothing else is left."""
    if not agent.offer("cancel_the_whole_order", refund=refund):
        return outcome("all_kept", refund=refund)
    agent.ask("reason", "refund_to")
    agent.cancel_order(order.order_id, given.reason, given.refund_to)
    return outcome("all_off", refund=refund)
