"""Parcels that are late, lost, or said to be delivered though nobody has them."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..database.models import Customer, Database, Order, Shipment, ShippingMethod
from ..values import money
from .agent import Agent, Given
from .desk import _case_laid, _case_settled
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, outcome
from .laying import (
    DAYS_TO_TRAVEL,
    _all_lines,
    _arrived,
    _checked_out,
    _goods,
    _line_cancelled,
    _paid,
    _sent,
    _shopper,
)
from .people import _bought, _customer, _day, _half_of_goods, _items_of, _me, _net, _parcel_of

ASKED_ABOUT: tuple[ShippingMethod, ...] = ("express", "express", "overnight", "standard")


def late_parcel(db: Database, draw: Draw) -> Facts:
    """A parcel came late, or seems to; the customer wants the shipping fee back."""
    customer = _shopper(db, draw)
    method = draw.one(ASKED_ABOUT)
    goods = _goods(db, draw, draw.integer(1, 2), Decimal("160"))
    draw.need(sum((variant.price for variant in goods), Decimal(0)) > 40)
    stage = draw.one(["came", "came", "came", "came", "overdue", "due"])
    left = draw.integer(10, 40)
    if stage == "due":
        left = max(DAYS_TO_TRAVEL[method] - draw.integer(0, 2), 0)
    days = left + draw.integer(0, 2)
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, [1, 1], days, method))
    parcel = _sent(db, draw, order, _all_lines(order), left)
    if stage == "came":
        parcel = _arrived(db, draw, parcel, draw.one([0, 0, 1, 1, 2, 2, 3]))
    if order.shipping_fee > 0 and stage != "due" and draw.chance(0.5):
        _refunded_before(db, draw, order)
    _came_otherwise(db, draw, parcel)
    order = db.orders.get(order.order_id)
    line = draw.one(order.lines)
    return facts(
        _me(customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), order, "lines.item"),
        ordered=order.placed_at.date(),
        refund_to=draw.one(["original_payment", "original_payment", "gift_card"]),
    )


def _came_otherwise(db: Database, draw: Draw, parcel: Shipment) -> None:
    """Have a parcel that came late be in time in a twin, and one that was in time late."""
    refunds = db.refunds.where(order_id=parcel.order_id)
    # What was paid back for lateness before was not paid for a parcel in time.
    if parcel.delivered_at is None or any(one.reason == "late_delivery" for one in refunds):
        return
    late = (_day(parcel.delivered_at) - parcel.promised_on).days
    away = -late if late > 0 else draw.integer(1, 2)
    draw.turn(parcel, delivered_at=parcel.delivered_at + timedelta(days=away))


def _refunded_before(db: Database, draw: Draw, order: Order) -> None:
    """Have money go back for an order already: its shipping fee, or much of it out of goodwill."""
    fee = order.shipping_fee
    if draw.chance(0.4):
        draw.call("refund_order", order_id=order.order_id, amount=fee, reason="late_delivery")
    else:
        amount = money(_half_of_goods(order) * draw.integer(3, 10) / 10)
        draw.call("refund_order", order_id=order.order_id, amount=amount, reason="goodwill")
    for refund in db.refunds.where(order_id=order.order_id):
        db.refunds.update(refund.refund_id, refunded_at=db.now() - timedelta(days=1))


def solve_late_parcel(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item")
    order, line = _bought(agent, customer, given.item)
    parcel = _parcel_of(agent, order, line)
    if parcel.status == "delivered":
        if _day(parcel.delivered_at) <= parcel.promised_on:
            came = _day(parcel.delivered_at)
            return outcome("in_time", came=came, day=parcel.promised_on)
    elif agent.get_shop_info().today <= parcel.promised_on:
        return outcome("not_late_yet", day=parcel.promised_on)
    if order.shipping_fee == 0:
        return outcome("was_free", day=parcel.promised_on)
    summary = agent.summarize_order(order.order_id)
    before = [one for one in summary.refunds if one.reason == "late_delivery"]
    if len(before) > 0:
        back = sum((one.amount for one in before), Decimal(0))
        return outcome("paid_back_before", sum=back, on=before[0].refunded_on)
    agent.ask("refund_to")
    agent.refund_order(
        order.order_id, order.shipping_fee, "late_delivery", refund_to=given.refund_to
    )
    return outcome("fee_back", fee=order.shipping_fee, day=parcel.promised_on)


def lost_parcel(db: Database, draw: Draw) -> Facts:
    """A parcel has not come; it may be lost, merely not due, or recorded as delivered."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.one([1, 2, 3]), Decimal("180"))
    units = [draw.one([1, 1, 2]) for _ in goods]
    days = draw.integer(8, 16)
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, units, days))
    lines = order.lines
    if len(lines) > 1 and draw.chance(0.25):
        _line_cancelled(db, draw, order, len(lines))
        lines = lines[:-1]
    line = draw.one(lines)
    left = [one.line_number for one in lines]
    together = len(left) == 1 or draw.chance(0.4)
    others = [one for one in left if one != line.line_number and not together]
    numbers = [one for one in left if one not in others]
    order = db.orders.get(order.order_id)
    parcel = _sent(db, draw, order, numbers, days - draw.integer(0, 1))
    if others:
        _arrived(db, draw, _sent(db, draw, db.orders.get(order.order_id), others, days - 1), 0)
    stage = draw.one(["lost", "lost", "lost", "lost", "due", "there", "there"])
    if stage == "due":
        due = db.today() + timedelta(days=draw.integer(0, 2))
        db.shipments.update(parcel.shipment_id, promised_on=due)
    else:
        draw.turn(parcel, promised_on=db.today())
    if stage == "there":
        parcel = _arrived(db, draw, parcel, draw.one([-1, 0, 1]))
        if parcel.delivered_at is not None:
            draw.turn(parcel, delivered_at=parcel.delivered_at - timedelta(days=1))
    if draw.chance(0.3):
        asked = _case_laid(db, draw, customer, "delivery", order.order_id, 3)
        _case_settled(db, draw, asked, 40)
    if draw.chance(0.25):
        _case_laid(db, draw, customer, "delivery", order.order_id, 1)
    order = db.orders.get(order.order_id)
    return facts(
        _me(customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), order, "lines.item"),
        wish=draw.one(["money", "money", "again"]),
        refund_to=draw.one(["original_payment", "original_payment", "gift_card"]),
        words=draw.one([
            "Please find out what happened to my parcel.",
            "I have not received the parcel and nobody here took it in.",
            "Please have my parcel traced, I was at home all week.",
        ]),
        agrees=not draw.chance(0.15),
    )  # fmt: skip


def solve_lost_parcel(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item")
    order, line = _bought(agent, customer, given.item)
    parcel = _parcel_of(agent, order, line)
    if parcel.status == "delivered":
        _report(agent, given, customer, order)
        return outcome("said_delivered", came=_day(parcel.delivered_at))
    if agent.get_shop_info().today <= parcel.promised_on:
        return outcome("not_due_yet", day=parcel.promised_on)
    agent.ask("wish")
    if given.wish == "again":
        _report(agent, given, customer, order)
        return outcome("sent_again_by_staff", day=parcel.promised_on)
    refund = _worth_of(agent, order, parcel)
    if not agent.agreed(refund=refund):
        return outcome("waits", refund=refund, day=parcel.promised_on)
    agent.ask("refund_to")
    agent.refund_lost_shipment(parcel.tracking_number, given.refund_to)
    return outcome("paid_back", refund=refund, day=parcel.promised_on)


def _report(agent: Agent, given: Given, customer: Customer, order: Order) -> None:
    """Have colleagues look for a parcel or send it again, by the case on it if there is one."""
    agent.ask("words")
    cases = agent.list_cases(customer.customer_id, topic="delivery")
    case = maybe(
        case for case in cases if case.order_id == order.order_id and case.status != "resolved"
    )
    if case is not None:
        agent.reply_to_case(case.case_id, "customer", given.words)
    else:
        agent.open_case(
            customer.customer_id, "delivery", given.words, given.words, order.order_id, "high"
        )


def _worth_of(agent: Agent, order: Order, parcel: Shipment) -> Decimal:
    """Return what goes back for a lost parcel: with it goes shipping if nothing else is left."""
    rest = [
        line
        for line in order.lines
        if line.status != "cancelled" and line.line_number not in parcel.line_numbers
    ]
    if len(rest) == 0:
        summary = agent.summarize_order(order.order_id)
        return summary.paid - summary.refunded
    lost = [line for line in order.lines if line.line_number in parcel.line_numbers]
    return sum((_net(line) for line in lost), Decimal(0))
