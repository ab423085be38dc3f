"""Second thoughts: swaps called off, things not wanted any more, damage lived with."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import Database, Order, OrderLine, ReturnItem, ReturnQuote
from ..values import money
from .adjusting import _damage
from .agent import Agent, Given
from .bench import _asked_to_swap
from .desk import _case_laid
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, only, outcome
from .laying import (
    _all_lines,
    _arrived,
    _checked_out,
    _delivered_but,
    _goods,
    _paid,
    _sent,
    _shopper,
)
from .people import (
    _bought,
    _customer,
    _day,
    _half_left,
    _half_of_goods,
    _items_of,
    _me,
    _net,
    _parcel_of,
    _refunded_for,
)

CANCELLED_SWAPS = (
    "way", "way", "way", "open", "open", "open", "open", "open", "off", "off", "off", "late",
)  # fmt: skip
UNWANTED = ("gone", "gone", "gone", "two", "two", "part", "alone", "last")
DAMAGE_STAGES = ("plain", "case", "had", "other", "other", "other", "much", "much")
ASKED_FOR = (6, 8, 9, 10, 11, 13, 15)


def swap_off(db: Database, draw: Draw) -> Facts:
    """A swap is to be called off and the old thing sent back; the new one may have left."""
    customer = _shopper(db, draw)
    stage = draw.one(CANCELLED_SWAPS)
    goods = _goods(db, draw, draw.integer(1, 2), Decimal("180"))
    since = draw.integer(18, 24)
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, [1, 1], since + 5))
    for number in _all_lines(order):
        parcel = _sent(db, draw, db.orders.get(order.order_id), [number], since + 4)
        _arrived(db, draw, parcel, -number)
    order = db.orders.get(order.order_id)
    place = draw.one(_all_lines(order)) - 1
    swap = _asked_to_swap(db, draw, customer, order, order.lines[place], draw.integer(6, 8))
    product = db.products.get(goods[place].product_id)
    is_late = stage == "late" or stage == "off" and draw.chance(0.3)
    if is_late:
        # Who swapped on one of the last days may be too late to send it back some days later.
        days = since - draw.integer(1, 5) - (15 if customer.tier == "gold" else 0)
        draw.need(days > 0)
        product = db.products.update(product.product_id, return_days=days)
    if stage == "off":
        draw.call("cancel_exchange", exchange_id=swap.exchange_id)
        ended = db.now() - timedelta(days=draw.integer(1, 4), minutes=draw.integer(5, 300))
        db.exchanges.update(swap.exchange_id, closed_at=ended)
    if stage == "way":
        draw.call(
            "complete_exchange", exchange_id=swap.exchange_id, condition="as_new",
            carrier="ups", tracking_number=f"1Z{draw.integer(10000000, 99999999)}",
        )  # fmt: skip
    draw.turn(customer, tier="standard" if customer.tier == "gold" else "gold")
    if is_late:
        draw.turn(product, return_days=60)
    swap = db.exchanges.get(swap.exchange_id)
    return facts(
        _me(customer),
        number=told(swap.exchange_id, swap, "exchange_id"),
        item=draw.name(swap.item, among=_items_of(db, customer)),
        reason=draw.one(["changed_mind", "not_as_described"]),
        refund_to=draw.one(["original_payment", "original_payment", "gift_card"]),
        agrees=not draw.chance(0.3),
    )


def solve_swap_off(agent: Agent, given: Given) -> Outcome:
    _customer(agent, given)
    agent.ask("number")
    swap = agent.get_exchange(given.number)
    order = agent.get_order(swap.order_id)
    if swap.status == "completed":
        new = only(line for line in order.lines if line.line_number == swap.new_line_number)
        parcel = _parcel_of(agent, order, new)
        return outcome("swap_left", day=parcel.promised_on, parcel=parcel.tracking_number)
    was_open = swap.status == "requested"
    if was_open:
        agent.cancel_exchange(swap.exchange_id)
    agent.ask("reason")
    quote = agent.attempt.quote_return(
        order.order_id, swap.line_number, swap.quantity, given.reason
    )
    if quote.rejected("window_over"):
        day = date.fromisoformat(quote.values.day)
        line = only(line for line in order.lines if line.line_number == swap.line_number)
        came = _day(_parcel_of(agent, order, line).delivered_at)
        if was_open:
            return outcome("off_but_late", day=day, came=came)
        return outcome("late_for_both", day=day, came=came)
    if quote.fee > 0 and not agent.agreed(fee=quote.fee, net=quote.net):
        if was_open:
            return outcome("only_off", fee=quote.fee, net=quote.net)
        return outcome("kept_it_then", fee=quote.fee, net=quote.net)
    agent.ask("refund_to")
    item = ReturnItem(line_number=swap.line_number, quantity=swap.quantity, reason=given.reason)
    agent.request_return(order.order_id, [item], given.refund_to)
    return outcome("off_and_back", fee=quote.fee, net=quote.net)


def unwanted(db: Database, draw: Draw) -> Facts:
    """A thing is not wanted before it came: how to be rid of it depends on how far it is."""
    customer = _shopper(db, draw)
    stage = draw.one(UNWANTED)
    goods = _goods(db, draw, 1 if stage == "alone" else 2, Decimal("220"))
    order = _checked_out(db, draw, customer, goods, [1, 1], draw.integer(1, 3))
    order = _paid(db, draw, order)
    if stage == "last":
        draw.call("cancel_order_line", order_id=order.order_id, line_number=2)
        for refund in db.refunds.where(order_id=order.order_id):
            db.refunds.update(refund.refund_id, refunded_at=db.now() - timedelta(hours=15))
    if stage in ("two", "part") and draw.chance(0.8):
        draw.call(
            "refund_order", order_id=order.order_id, amount=draw.one([3, 4, 5]),
            reason="goodwill", line_number=draw.one([1, 2]),
        )  # fmt: skip
        for refund in db.refunds.where(order_id=order.order_id):
            draw.turn(refund, line_number=1 if refund.line_number == 2 else 2)
    if stage == "part":
        _sent(db, draw, order, [2], 0)
    if stage == "gone":
        _sent(db, draw, order, draw.one([[1], [1, 2]]), draw.integer(0, 2))
    order = db.orders.get(order.order_id)
    item = draw.name(order.lines[0].item, among=_items_of(db, customer))
    wavers = draw.chance(0.3)
    return facts(
        _me(customer),
        item=told(item, order, "lines.item"),
        reason="changed_mind",
        refund_to=draw.one(["original_payment", "original_payment", "gift_card"]),
        agrees=not wavers,
        accepts=not wavers,
    )


def solve_unwanted(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item", "reason")
    order, line = _bought(agent, customer, given.item)
    if line.status == "open":
        return _never_sent(agent, given, order, line)
    parcel = _parcel_of(agent, order, line)
    return outcome("travels_still", day=parcel.promised_on, parcel=parcel.tracking_number)


def _never_sent(agent: Agent, given: Given, order: Order, line: OrderLine) -> Outcome:
    """Cancel a line that is in the warehouse, or the whole order if nothing else is in it."""
    summary = agent.summarize_order(order.order_id)
    if all(one.status == "cancelled" for one in order.lines if one != line):
        net = summary.paid - summary.refunded
        if not agent.offer("cancel_the_whole_order", refund=net):
            return outcome("order_stays", net=net)
        agent.ask("refund_to")
        agent.cancel_order(order.order_id, given.reason, given.refund_to)
        return outcome("whole_order_off", net=net)
    net = _net(line) - _refunded_for(summary, line)
    if not agent.agreed(refund=net):
        return outcome("line_stays", net=net)
    agent.ask("refund_to")
    agent.cancel_order_line(order.order_id, line.line_number, given.refund_to)
    return outcome("taken_out", net=net)


def or_it_goes_back(db: Database, draw: Draw) -> Facts:
    """Something came damaged: it is kept for a certain sum, or else it goes back."""
    customer = _shopper(db, draw)
    stage = draw.one(DAMAGE_STAGES)
    count = 2 if stage in ("had", "other") else draw.integer(1, 2)
    goods = _goods(db, draw, count, Decimal("240"))
    order = _delivered_but(db, draw, customer, goods, draw.integer(2, 20))
    line = order.lines[0]
    half = money(_net(line) / 2)
    draw.need(half > 20 and half * 2 == _net(line))
    if stage == "had":
        draw.call(
            "refund_order", order_id=order.order_id, reason="damaged_item", line_number=1,
            amount=min(half, money(_net(order.lines[1]) / 2)),
        )  # fmt: skip
    if stage == "other":
        less = min(_net(line), _net(order.lines[1]))
        draw.call(
            "refund_order", order_id=order.order_id, amount=money(less / 2),
            reason="damaged_item", line_number=2,
        )  # fmt: skip
    if stage == "much":
        back = money(_half_of_goods(order) * draw.integer(2, 6) / 10)
        draw.call("refund_order", order_id=order.order_id, amount=back, reason="goodwill")
    for refund in db.refunds.where(order_id=order.order_id):
        refund = db.refunds.update(refund.refund_id, refunded_at=db.now() - timedelta(hours=26))
        if stage == "had":
            draw.turn(refund, line_number=2)
        if stage == "other" and refund.reason == "damaged_item":
            draw.turn(refund, line_number=1)
        if stage == "much" and refund.line_number == 1 and refund.reason == "goodwill":
            draw.turn(refund, reason="damaged_item")
    if stage == "case":
        _case_laid(db, draw, customer, draw.one(["product", "delivery"]), order.order_id, 1)
    wanted = 5 * int(half * draw.one(ASKED_FOR) / 50)
    draw.need(wanted > 20)
    order = db.orders.get(order.order_id)
    return facts(
        _me(customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), order, "lines.item"),
        damage=_damage(db, draw, line),
        reason="damaged_in_transit",
        wanted=wanted,
        refund_to=draw.one(["original_payment", "original_payment", "gift_card"]),
        agrees=wanted <= _kept_for(db, order, line, half),
    )


def _kept_for(db: Database, order: Order, line: OrderLine, half: Decimal) -> Decimal:
    """Return what can be paid for a damaged thing that is kept."""
    rows = db.refunds.where(order_id=order.order_id)
    back = [row.amount for row in rows if row.line_number == line.line_number]
    return half - sum(back, Decimal(0))


def solve_or_it_goes_back(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item", "wanted")
    order, line = _bought(agent, customer, given.item)
    for case in agent.list_cases(customer.customer_id):
        if case.order_id == order.order_id and case.status != "resolved":
            agent.list_case_messages(case.case_id)
    summary = agent.summarize_order(order.order_id)
    before = maybe(
        one
        for one in summary.refunds
        if one.reason == "damaged_item" and one.line_number == line.line_number
    )
    if before is not None:
        quote = _sent_back_whole(agent, given, order, line)
        return outcome("had_its_half", sum=before.amount, on=before.refunded_on, net=quote.net)
    half, most = money(_net(line) / 2), _half_left(summary, line)
    if most < given.wanted:
        _sent_back_whole(agent, given, order, line)
        if most < half:
            return outcome("too_little_left", refund=most)
        return outcome("half_is_too_little", refund=most)
    agent.agreed(refund=most)
    agent.ask("refund_to")
    agent.refund_order(order.order_id, most, "damaged_item", line.line_number, given.refund_to)
    return outcome("kept_for_half", refund=most)


def _sent_back_whole(agent: Agent, given: Given, order: Order, line: OrderLine) -> ReturnQuote:
    """Open a return for a thing that came damaged, which costs no fee."""
    agent.ask("reason", "refund_to")
    quote = agent.quote_return(order.order_id, line.line_number, 1, given.reason)
    item = ReturnItem(line_number=line.line_number, quantity=1, reason=given.reason)
    agent.request_return(order.order_id, [item], given.refund_to)
    return quote
