"""At the warehouse: two boxes that are to leave, and one that came back."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import Database, Finding, Order, ShippingMethod
from .agent import Agent, Given
from .bench import (
    BENCH_REASONS,
    FINDINGS,
    _aged,
    _asked_back,
    _came_in,
    _looked_at,
    _stood,
    _with_reason,
)
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, fits, maybe, only, outcome
from .laying import (
    CARRIERS,
    LABELS_OF,
    _all_lines,
    _checked_out,
    _goods,
    _paid,
    _shopper,
    _valid_method,
)

BOXES = ("both", "both", "both", "due", "due", "due", "off", "off", "neither", "neither")
OPENED = ("fresh", "fresh", "fresh", "fresh", "fresh", "here", "here", "done", "off")


def boxes_out(db: Database, draw: Draw) -> Facts:
    """Two packed orders are to leave; only what is paid ships, and not what is cancelled."""
    stage = draw.one(BOXES)
    held, free = _packed(db, draw), _packed(db, draw)
    draw.need(held.customer_id != free.customer_id)
    if stage != "neither":
        free = _paid(db, draw, free)
    if stage == "both" or stage == "off":
        held = _paid(db, draw, held)
    if stage == "off":
        draw.call("cancel_order", order_id=held.order_id, reason="found_cheaper")
        ended = db.now() - timedelta(hours=draw.integer(3, 20))
        held = db.orders.update(held.order_id, cancelled_at=ended)
        for refund in db.refunds.where(order_id=held.order_id):
            db.refunds.update(refund.refund_id, refunded_at=ended)
    if stage in ("due", "neither") and draw.chance(0.6):
        _part_paid(db, draw, held)
    first, second = draw.one([[held, free], [free, held]])
    carrier = draw.one(CARRIERS)
    label = f"{LABELS_OF[carrier]}{draw.integer(10000000, 49999999)}"
    second_label = f"{LABELS_OF[carrier]}{draw.integer(50000000, 99999999)}"
    spent = draw.row("shipments", carrier=carrier, status="delivered")
    if stage == "both" and draw.chance(0.25):
        second_label = spent.tracking_number
    elif stage == "both":
        draw.turn(spent, tracking_number=draw.one([label, second_label]))
    return facts(
        number=told(first.order_id, first, "order_id"),
        second=told(second.order_id, second, "order_id"),
        carrier=carrier,
        label=label,
        second_label=second_label,
    )


def _packed(db: Database, draw: Draw) -> Order:
    """Return a pending order of a few days ago."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.integer(1, 2), Decimal("150"))
    method: ShippingMethod = draw.one(["standard", "standard", "express"])
    return _checked_out(db, draw, customer, goods, [1, 1], draw.integer(2, 4), method)


def _part_paid(db: Database, draw: Draw, order: Order) -> None:
    """Have a gift card pay for a part of an order."""
    method = _valid_method(db, draw, db.customers.get(order.customer_id))
    draw.need(order.total > 30)
    card = draw.call(
        "issue_gift_card", customer_id=order.customer_id,
        payment_method_id=method.payment_method_id, amount=draw.one([10, 15, 20, 25]),
    )  # fmt: skip
    db.gift_cards.update(card.gift_card_id, issued_on=order.placed_at.date())
    payment = draw.call(
        "pay_order_with_gift_card", order_id=order.order_id, gift_card_id=card.gift_card_id
    )
    db.payments.update(payment.payment_id, paid_at=order.placed_at + timedelta(minutes=6))


def solve_boxes_out(agent: Agent, given: Given) -> Outcome:
    agent.ask("number", "second")
    first, second = agent.get_order(given.number), agent.get_order(given.second)
    if first.status == "pending" and second.status == "pending":
        dues = [agent.summarize_order(one.order_id).due for one in (first, second)]
        return outcome("none_paid", due=dues)
    agent.ask("carrier", "label", "second_label")
    boxes = [(first, given.label), (second, given.second_label)]
    held = maybe(order for order in (first, second) if order.status != "paid")
    if held is not None:
        order, label = only(box for box in boxes if box[0] != held)
        day = agent.ship_order(order.order_id, given.carrier, label).promised_on
        if held.status == "cancelled":
            ended = held.cancelled_at.date()
            return outcome("one_called_off", day=day, number=held.order_id, off_on=ended)
        due = agent.summarize_order(held.order_id).due
        return outcome("one_unpaid", day=day, number=held.order_id, due=due)
    days: list[date] = []
    stays, other = "", ""
    for order, label in boxes:
        sent = agent.attempt.ship_order(order.order_id, given.carrier, label)
        if sent.rejected("tracking_number_taken"):
            stays, other = order.order_id, agent.track_shipment(label).order_id
        else:
            days = [*days, sent.promised_on]
    if len(days) == len(boxes):
        return outcome("both_out", day=days)
    return outcome("one_label_used", day=only(days), number=stays, other=other)


def box_opened(db: Database, draw: Draw) -> Facts:
    """A returned box is open on the bench; not all that was to come back may be in it."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.one([2, 3, 3]), Decimal("150"))
    order = _stood(db, draw, customer, goods, [1, 1, 1], 11)
    count = draw.one([2, len(goods), len(goods)])
    numbers = draw.some(_all_lines(order), count)
    reasons = [draw.one(BENCH_REASONS) for _ in numbers]
    back = _asked_back(db, draw, order, numbers, reasons, 7)
    stage = draw.one(OPENED)
    if stage == "off":
        draw.call("cancel_return", return_id=back.return_id)
        back = _aged(db, back, 2)
    if stage in ("here", "done"):
        back = _came_in(db, draw, back, draw.integer(1, 3))
    if stage == "done":
        back = _looked_at(db, draw, back, ["as_new", "opened", "as_new"])
    first, second = draw.some(back.lines, 2)
    items = [line.item for line in order.lines]
    for line in back.lines:
        for reason in ("changed_mind", "defective"):
            draw.turn(back, lines=_with_reason(back, line.line_number, reason))
    return facts(
        number=told(back.return_id, back, "return_id"),
        item=told(draw.name(first.item, among=items), back, "lines.item"),
        state=draw.one(FINDINGS),
        other=told(draw.name(second.item, among=items), back, "lines.item"),
        other_state=draw.one(FINDINGS),
    )


def solve_box_opened(agent: Agent, given: Given) -> Outcome:
    agent.ask("number", "item", "state", "other", "other_state")
    back = agent.get_return(given.number)
    if back.status == "cancelled":
        return outcome("was_called_off", day=back.closed_at.date())
    if back.status not in ("requested", "received"):
        return outcome("done_before", day=back.received_at.date())
    line = only(line for line in back.lines if fits(given.item, line.item))
    other = only(line for line in back.lines if fits(given.other, line.item))
    missing = maybe(one for one in back.lines if one not in (line, other))
    if missing is not None and back.status == "received":
        return outcome("still_waits", day=back.received_at.date(), missing=missing.item)
    if back.status == "requested":
        agent.receive_return(given.number)
    if missing is not None:
        return outcome("waits_for_more", missing=missing.item)
    found = agent.inspect_return(
        given.number,
        [
            Finding(line_number=line.line_number, condition=given.state),
            Finding(line_number=other.line_number, condition=given.other_state),
        ],
    )
    refused = [one for one in found.lines if not one.accepted]
    if len(refused) == 0:
        return outcome("all_in")
    street = agent.get_order(back.order_id).ship_to.street
    if len(refused) == 1:
        return outcome("one_goes_back", item=refused[0].item, street=street)
    return outcome("both_go_back", street=street)
