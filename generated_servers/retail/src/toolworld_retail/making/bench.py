"""Returns and exchanges at the warehouse: taken in, inspected, paid out or swapped."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import (
    Customer,
    Database,
    Exchange,
    Finding,
    ItemCondition,
    Order,
    OrderLine,
    ProductReturn,
    ReturnItem,
    ReturnLine,
    ReturnReason,
    SupportCase,
    Variant,
)
from .agent import Agent, Given
from .desk import _case_settled
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, fits, maybe, only, outcome
from .laying import (
    CARRIERS,
    _all_lines,
    _arrived,
    _checked_out,
    _goods,
    _paid,
    _sent,
    _shopper,
    _valid_method,
)
from .packing import _new_label
from .people import _customer, _day, _items_of, _me

BENCH_REASONS: tuple[ReturnReason, ...] = (
    "changed_mind",
    "wrong_size",
    "not_as_described",
    "defective",
    "damaged_in_transit",
)
SHOPS_FAULT = ("defective", "wrong_item", "damaged_in_transit")
FINDINGS = ("as_new", "as_new", "opened", "worn", "worn", "broken")
TAKEN_IN = (
    "fresh", "fresh", "fresh", "fresh", "fresh", "fresh", "fresh", "here", "off", "done",
)  # fmt: skip
PAID_OUT = (
    "ready", "ready", "ready", "ready", "ready", "bench", "bench", "way", "paid", "paid", "refused",
)  # fmt: skip
SWAP_STAGES = (
    "open", "open", "open", "open", "open", "expired", "expired", "expired", "off", "done",
)  # fmt: skip


def _stood(
    db: Database, draw: Draw, customer: Customer, goods: list[Variant], units: list[int], days: int
) -> Order:
    """Return an order of which all arrived that many days ago, a day early."""
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, units, days + 5))
    parcel = _sent(db, draw, order, _all_lines(order), days + 4)
    _arrived(db, draw, parcel, -1)
    return db.orders.get(order.order_id)


def _asked_back(
    db: Database,
    draw: Draw,
    order: Order,
    numbers: list[int],
    reasons: list[ReturnReason],
    days: int,
) -> ProductReturn:
    """Return a return of whole lines that was requested some days ago."""
    items = [
        ReturnItem(
            line_number=number,
            quantity=order.lines[number - 1].quantity,
            reason=reasons[place],
        )
        for place, number in enumerate(numbers)
    ]
    back = draw.call("request_return", order_id=order.order_id, items=items)
    asked = db.now() - timedelta(days=days, minutes=draw.integer(5, 300))
    return db.returns.update(back.return_id, requested_at=asked)


def _came_in(db: Database, draw: Draw, back: ProductReturn, days: int) -> ProductReturn:
    """Have the parcel of a return reach the warehouse some days ago."""
    draw.call("receive_return", return_id=back.return_id)
    came = db.now() - timedelta(days=days, minutes=draw.integer(5, 200))
    return db.returns.update(back.return_id, received_at=came)


def _looked_at(
    db: Database, draw: Draw, back: ProductReturn, conditions: list[ItemCondition]
) -> ProductReturn:
    """Have a return inspected, line by line."""
    findings = [
        Finding(line_number=line.line_number, condition=conditions[place])
        for place, line in enumerate(back.lines)
    ]
    draw.call("inspect_return", return_id=back.return_id, findings=findings)
    return db.returns.get(back.return_id)


def _aged(db: Database, back: ProductReturn, days: int) -> ProductReturn:
    """Have a return closed some days ago, with the money that went back for it."""
    closed = db.now() - timedelta(days=days, minutes=30)
    for refund in db.refunds.where(return_id=back.return_id):
        db.refunds.update(refund.refund_id, refunded_at=closed)
    return db.returns.update(back.return_id, closed_at=closed)


def _with_reason(back: ProductReturn, line_number: int, reason: str) -> list[ReturnLine]:
    """Return the lines of a return as if one thing had been sent back for another reason."""
    return [
        line.replace(reason=reason) if line.line_number == line_number else line
        for line in back.lines
    ]


def _found(db: Database, draw: Draw, order: Order, line_number: int) -> str:
    """Return how a thing may be found to have come back; cloth does not break."""
    variant = db.variants.get(order.lines[line_number - 1].variant_id)
    product = db.products.get(variant.product_id)
    state = draw.one(FINDINGS)
    is_cloth = product.category in ("clothing", "footwear", "home")
    return "worn" if is_cloth and state == "broken" else state


def take_in_return(db: Database, draw: Draw) -> Facts:
    """A return of two things is on the bench; one may be missing, worn, or taken in before."""
    customer = _shopper(db, draw)
    count = draw.one([2, 3])
    goods = _goods(db, draw, count, Decimal("160"))
    order = _stood(db, draw, customer, goods, [1, 1, 1], 9)
    numbers = draw.some(_all_lines(order), 2)
    reasons = [draw.one(BENCH_REASONS), draw.one(BENCH_REASONS)]
    back = _asked_back(db, draw, order, numbers, reasons, 6)
    stage = draw.one(TAKEN_IN)
    if stage == "off":
        draw.call("cancel_return", return_id=back.return_id)
        back = _aged(db, back, 3)
    if stage in ("here", "done"):
        back = _came_in(db, draw, back, 2)
    if stage == "done":
        back = _looked_at(db, draw, back, ["as_new", "opened"])
    one, other = draw.one([[0, 1], [1, 0]])
    items = [line.item for line in back.lines]
    gone = stage == "fresh" and draw.chance(0.2)
    states = [_found(db, draw, order, back.lines[place].line_number) for place in (one, other)]
    for line in back.lines:
        for reason in ("changed_mind", "defective"):
            draw.turn(back, lines=_with_reason(back, line.line_number, reason))
    return facts(
        number=told(back.return_id, back, "return_id"),
        item=told(draw.name(items[one], among=items), back, "lines.item"),
        state=states[0],
        other=told(draw.name(items[other], among=items), back, "lines.item"),
        other_state="missing" if gone else states[1],
    )


def solve_take_in_return(agent: Agent, given: Given) -> Outcome:
    agent.ask("number", "item", "state", "other", "other_state")
    back = agent.get_return(given.number)
    order = agent.get_order(back.order_id)
    if back.status == "cancelled":
        return outcome("called_off", day=back.closed_at.date(), order=order.order_id)
    if back.status not in ("requested", "received"):
        return outcome("inspected_before", day=back.received_at.date(), order=order.order_id)
    line = only(line for line in back.lines if fits(given.item, line.item))
    other = only(line for line in back.lines if fits(given.other, line.item))
    if back.status == "requested":
        agent.receive_return(given.number)
    if given.other_state == "missing":
        return outcome("incomplete", item=other.item, order=order.order_id)
    found = agent.inspect_return(
        given.number,
        [
            Finding(line_number=line.line_number, condition=given.state),
            Finding(line_number=other.line_number, condition=given.other_state),
        ],
    )
    refused = [line for line in found.lines if not line.accepted]
    if len(refused) == 2:
        return outcome("all_refused", street=order.ship_to.street, order=order.order_id)
    if len(refused) == 1:
        item = refused[0].item
        return outcome("one_refused", item=item, street=order.ship_to.street, order=order.order_id)
    return outcome("taken_in", order=order.order_id)


def _complaint(db: Database, draw: Draw, customer: Customer, order_id: str | None) -> SupportCase:
    """Return a case on returns, opened in the last days, about an order or about none."""
    case = draw.call(
        "open_case", customer_id=customer.customer_id, topic="returns",
        subject="My return", text="I was told a part of it would be kept back. Please check.",
        order_id=order_id,
    )  # fmt: skip
    opened = db.now() - timedelta(days=draw.integer(1, 2), minutes=draw.integer(5, 300))
    for message in db.case_messages.where(case_id=case.case_id):
        db.case_messages.update(message.message_id, sent_at=opened)
    return db.cases.update(case.case_id, opened_at=opened)


def pay_for_return(db: Database, draw: Draw) -> Facts:
    """A customer asks the office for the money for a return; it may not be ready, or paid."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, 2, Decimal("160"))
    order = _stood(db, draw, customer, goods, [1, draw.one([1, 1, 2])], 12)
    both = draw.chance(0.5)
    numbers = [1, 2] if both else [draw.one([1, 2])]
    reasons = [draw.one(BENCH_REASONS[:4]), draw.one(BENCH_REASONS[:4])]
    back = _asked_back(db, draw, order, numbers, reasons, 9)
    stage = draw.one(PAID_OUT)
    if stage != "way":
        back = _came_in(db, draw, back, draw.integer(3, 5))
    if stage in ("ready", "paid"):
        back = _looked_at(
            db, draw, back, [draw.one(["as_new", "opened"]), draw.one(["opened", "worn"])]
        )
    if stage == "refused":
        back = _looked_at(db, draw, back, ["worn", "worn"])
        draw.need(back.status == "refused")
        back = _aged(db, back, draw.integer(1, 2))
    if stage == "paid":
        draw.call("refund_return", return_id=back.return_id)
        back = _aged(db, back, draw.integer(1, 2))
    if stage == "ready" and draw.chance(0.3):
        _case_settled(db, draw, _complaint(db, draw, customer, order.order_id), 20)
    if stage == "ready" and draw.chance(0.9):
        about = order.order_id if draw.chance(0.4) else None
        case = _complaint(db, draw, customer, about)
        draw.turn(case, order_id=None if about is not None else order.order_id)
    line = draw.one(back.lines)
    return facts(
        _me(customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), back, "lines.item"),
    )


def solve_pay_for_return(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item")
    returns = agent.list_returns(customer_id=customer.customer_id)
    back = only(row for row in returns for line in row.lines if fits(given.item, line.item))
    if back.status == "requested":
        return outcome("on_its_way", day=back.requested_at.date(), number=back.return_id)
    if back.status == "received":
        return outcome("on_the_bench", day=back.received_at.date(), number=back.return_id)
    if back.status == "refused":
        return outcome("turned_down", day=back.closed_at.date(), number=back.return_id)
    if back.status == "refunded":
        day = back.closed_at.date()
        return outcome("paid_before", refund=back.refund_amount, day=day, number=back.return_id)
    cases = agent.list_cases(customer_id=customer.customer_id, topic="returns")
    case = maybe(
        case for case in cases if case.order_id == back.order_id and case.status != "resolved"
    )
    if case is not None:
        return outcome("disputed", day=case.opened_at.date(), number=back.return_id)
    done = agent.refund_return(back.return_id)
    refused = maybe(line for line in back.lines if not line.accepted)
    if refused is not None:
        return outcome(
            "part_paid", refund=done.refund_amount, item=refused.item, number=back.return_id
        )
    return outcome("paid", refund=done.refund_amount, fee=done.fee, number=back.return_id)


def pay_out_waiting(db: Database, draw: Draw) -> Facts:
    """The office pays out all returns that have waited long, but for those in dispute."""
    for place, days in enumerate((draw.integer(15, 18), draw.integer(11, 16))):
        if draw.chance(0.8):
            _ready_return(
                db, draw, days, draw.one(["order", "settled", "none"]) if place == 0 else ""
            )
    ready = [
        (db.today() - _day(row.received_at)).days for row in db.returns.where(status="inspected")
    ]
    due = 0 if draw.chance(0.15) else draw.integer(1, 4)
    days = draw.one([day for day in range(9, 21) if sum(1 for one in ready if one > day) == due])
    return facts(days=days)


def _ready_return(db: Database, draw: Draw, days: int, complaint: str) -> None:
    """Lay a return that came in some days ago and was accepted; some customers complain of it."""
    customer = _shopper(db, draw)
    order = _stood(db, draw, customer, _goods(db, draw, 1, Decimal("150")), [1], days + 5)
    back = _asked_back(db, draw, order, [1], [draw.one(BENCH_REASONS)], days + 3)
    back = _came_in(db, draw, back, days)
    _looked_at(db, draw, back, [draw.one(["as_new", "opened"])])
    if complaint == "order":
        draw.turn(_complaint(db, draw, customer, order.order_id), order_id=None)
    if complaint == "settled":
        _case_settled(db, draw, _complaint(db, draw, customer, order.order_id), 20)
    if complaint == "none":
        draw.turn(_complaint(db, draw, customer, None), order_id=order.order_id)


def solve_pay_out_waiting(agent: Agent, given: Given) -> Outcome:
    agent.ask("days")
    today = agent.get_shop_info().today
    ready = agent.list_returns(status="inspected")
    waiting = [row for row in ready if (today - row.received_at.date()).days > given.days]
    if len(waiting) == 0:
        oldest = min(row.received_at.date() for row in ready)
        return outcome("none_that_old", day=oldest)
    cases = agent.list_cases(topic="returns")
    disputed = [case.order_id for case in cases if case.status != "resolved"]
    held = maybe(row for row in waiting if row.order_id in disputed)
    paid = [
        agent.refund_return(row.return_id).refund_amount
        for row in waiting
        if row.order_id not in disputed
    ]
    total = sum(paid, Decimal(0))
    if held is not None:
        if len(paid) == 0:
            return outcome("all_disputed", number=held.return_id, day=held.received_at.date())
        return outcome("one_disputed", count=len(paid), sum=total, number=held.return_id)
    return outcome("all_paid", count=len(paid), sum=total)


def _asked_to_swap(
    db: Database, draw: Draw, customer: Customer, order: Order, line: OrderLine, days: int
) -> Exchange:
    """Return an exchange of a line for another variant, requested some days ago."""
    old = db.variants.get(line.variant_id)
    kinds = db.variants.where(product_id=old.product_id)
    new = draw.one(kind for kind in kinds if kind.variant_id != old.variant_id and kind.stock > 2)
    step = draw.one([0, 0, 8, 8, 8, -6])
    new = db.variants.update(new.variant_id, price=max(old.price + step, Decimal(2)))
    method = _valid_method(db, draw, customer).payment_method_id if step > 0 else None
    swap = draw.call(
        "request_exchange", order_id=order.order_id, line_number=line.line_number,
        quantity=line.quantity, new_variant_id=new.variant_id, payment_method_id=method,
    )  # fmt: skip
    asked = db.now() - timedelta(days=days, minutes=draw.integer(5, 300))
    return db.exchanges.update(swap.exchange_id, requested_at=asked)


def finish_swap(db: Database, draw: Draw) -> Facts:
    """The old thing of an exchange is back; it may be worn, or the card may have expired."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, 2, Decimal("160"))
    order = _stood(db, draw, customer, goods, [1, 1], 10)
    line = draw.one(order.lines)
    swap = _asked_to_swap(db, draw, customer, order, line, 6)
    stage = draw.one(SWAP_STAGES)
    if swap.payment_method_id is not None:
        method = db.payment_methods.get(swap.payment_method_id)
        over = db.today() - timedelta(days=draw.integer(1, 5))
        draw.need(method.added_on < over)
        if stage == "expired" and method.expires_on is not None:
            db.payment_methods.update(method.payment_method_id, expires_on=over)
        elif method.expires_on is not None:
            draw.turn(method, expires_on=over)
    if stage == "off":
        draw.call("cancel_exchange", exchange_id=swap.exchange_id)
        ended = db.now() - timedelta(days=draw.integer(1, 3))
        db.exchanges.update(swap.exchange_id, closed_at=ended)
    carrier = draw.one(CARRIERS)
    label = _new_label(db, draw, carrier)
    if stage == "done":
        draw.call(
            "complete_exchange", exchange_id=swap.exchange_id, condition="as_new",
            carrier="dhl", tracking_number=f"JD{draw.integer(10000000, 99999999)}",
        )  # fmt: skip
    draw.turn(draw.row("shipments", status="delivered"), tracking_number=label)
    return facts(
        _me(customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), swap, "item"),
        state=_found(db, draw, order, line.line_number),
        carrier=carrier,
        label=label,
    )


def solve_finish_swap(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item", "state")
    swaps = agent.list_exchanges(customer_id=customer.customer_id)
    swap = only(one for one in swaps if fits(given.item, one.item))
    if swap.status == "cancelled":
        return outcome("swap_off", day=swap.closed_at.date(), number=swap.exchange_id)
    if swap.status == "completed":
        parcels = agent.list_order_shipments(swap.order_id)
        sent = only(one for one in parcels if swap.new_line_number in one.line_numbers)
        return outcome("swap_done", parcel=sent.tracking_number, number=swap.exchange_id)
    if given.state in ("worn", "broken"):
        agent.cancel_exchange(swap.exchange_id)
        street = agent.get_order(swap.order_id).ship_to.street
        return outcome("not_swapped", street=street, number=swap.exchange_id)
    agent.ask("carrier", "label")
    done = agent.attempt.complete_exchange(
        swap.exchange_id, given.state, given.carrier, given.label
    )
    if done.rejected("tracking_number_taken"):
        other = agent.track_shipment(given.label)
        return outcome("label_spent", order=other.order_id, new=swap.new_item)
    if done.rejected("card_expired"):
        day = date.fromisoformat(done.values.day)
        return outcome("card_over", day=day, sum=swap.difference, number=swap.exchange_id)
    if swap.difference > 0:
        return outcome("charged", sum=swap.difference, number=swap.exchange_id)
    return outcome("swapped", back=-swap.difference, number=swap.exchange_id)
