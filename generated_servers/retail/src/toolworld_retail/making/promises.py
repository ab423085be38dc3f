"""What others have said before: a colleague who promised something, an owner who allowed it."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..models import Customer, Database, Order, OrderLine
from ..values import money
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, only, outcome
from .laying import _all_lines, _arrived, _checked_out, _goods, _paid, _sent, _shopper
from .people import _bought, _customer, _items_of, _me, _net, _parcel_of

FIFTH = Decimal("0.20")


def promised_money(db: Database, draw: Draw) -> Facts:
    """A colleague wrote that money goes back for a damaged thing; it may be more than allowed."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.integer(1, 2), Decimal("220"))
    days = draw.integer(8, 25)
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, [1, 1], days))
    _arrived(db, draw, _sent(db, draw, order, _all_lines(order), days), draw.one([-1, 0]))
    order = db.orders.get(order.order_id)
    line = draw.one(order.lines)
    fifth = money(_net(line) * FIFTH)
    share = draw.one([Decimal("0.25"), Decimal("0.30"), Decimal("0.40")])
    more = money(_net(line) * share)
    right = f"We will pay ${fifth:.2f} back to you, which is 20 percent of what you paid."
    wrong = f"We will pay ${more:.2f} back to you. I hope that makes up for it."
    stage = draw.one(["fifth", "fifth", "more", "more", "more", "paid"])
    case = draw.call(
        "open_case", customer_id=customer.customer_id, topic="product", subject="Arrived damaged",
        text=f"There is a crack in the {line.item}. I would keep it.", order_id=order.order_id,
    )  # fmt: skip
    opened = db.now() - timedelta(days=2, minutes=draw.integer(5, 300))
    db.cases.update(case.case_id, opened_at=opened)
    text = right if stage == "fifth" else wrong
    draw.call("reply_to_case", case_id=case.case_id, author="agent", text=f"I am sorry. {text}")
    for message in db.case_messages.where(case_id=case.case_id):
        if message.author == "agent":
            sent = opened + timedelta(minutes=90)
            message = db.case_messages.update(message.message_id, sent_at=sent)
            draw.turn(message, text=f"I am sorry. {wrong if stage == 'fifth' else right}")
        else:
            db.case_messages.update(message.message_id, sent_at=opened)
    if stage == "paid":
        draw.call(
            "refund_order", order_id=order.order_id, amount=fifth, reason="damaged_item",
            line_number=line.line_number,
        )  # fmt: skip
    wavers = draw.chance(0.3)
    return facts(
        _me(customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), order, "lines.item"),
        refund_to=draw.one(["original_payment", "original_payment", "gift_card"]),
        agrees=not wavers,
        accepts=not wavers,
    )


def solve_promised_money(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item")
    order, line = _bought(agent, customer, given.item)
    summary = agent.summarize_order(order.order_id)
    before = maybe(
        one
        for one in summary.refunds
        if (one.reason, one.line_number) == ("damaged_item", line.line_number)
    )
    cases = agent.list_cases(customer.customer_id)
    case = only(case for case in cases if case.order_id == order.order_id)
    messages = agent.list_case_messages(case.case_id)
    promise = only(message for message in messages if message.author == "agent")
    day = promise.sent_at.date()
    if before is not None:
        return outcome("paid_before", sum=before.amount, day=day)
    fifth = money(_net(line) * FIFTH)
    if f"${fifth:.2f}" not in promise.text:
        if not agent.agreed(sum=fifth):
            return outcome("less_declined", sum=fifth, day=day)
        _pay_fifth(agent, given, order, line)
        return outcome("less_paid", sum=fifth, day=day)
    _pay_fifth(agent, given, order, line)
    return outcome("promise_kept", sum=fifth, day=day)


def _pay_fifth(agent: Agent, given: Given, order: Order, line: OrderLine) -> None:
    """Pay back a fifth of what was paid for a damaged thing that the customer keeps."""
    agent.ask("refund_to")
    amount = money(_net(line) * FIFTH)
    agent.refund_order(order.order_id, amount, "damaged_item", line.line_number, given.refund_to)


def for_another(db: Database, draw: Draw) -> Facts:
    """Somebody wants another's order cancelled; the owner may have allowed it in writing."""
    speaker, owner = _shopper(db, draw), _shopper(db, draw)
    draw.need(speaker.customer_id != owner.customer_id)
    goods = _goods(db, draw, draw.integer(1, 2), Decimal("250"))
    order = _paid(db, draw, _checked_out(db, draw, owner, goods, [1, 1], draw.integer(0, 3)))
    stage = draw.one(["may", "may", "may", "may", "gone", "ended", "other", "none", "none"])
    if stage == "gone":
        _sent(db, draw, order, _all_lines(order), draw.integer(0, 2))
    if stage != "none":
        whom = draw.row("customers", status="active") if stage == "other" else speaker
        _allowed(db, draw, owner, whom, stage == "ended")
    line = draw.one(db.orders.get(order.order_id).lines)
    return facts(
        _me(speaker),
        owner_email=told(owner.email, owner, "email"),
        whose=draw.one(["my neighbor", "my partner", "my boss", "a friend of mine"]),
        item=told(line.item, order, "lines.item"),
        reason=draw.one(["changed_mind", "ordered_by_mistake", "found_cheaper", "too_slow"]),
        agrees=not draw.chance(0.15),
    )


def _allowed(db: Database, draw: Draw, owner: Customer, whom: Customer, is_over: bool) -> None:
    """Have a customer allow somebody in writing to act for them; it may be over."""
    case = draw.call(
        "open_case", customer_id=owner.customer_id, topic="account",
        subject="Somebody will act for me",
        text=f"The person with the e-mail address {whom.email} may see to my orders for me.",
    )  # fmt: skip
    if is_over:
        draw.call("resolve_case", case_id=case.case_id, resolution="Ended by the customer.")
    message = db.case_messages.where(case_id=case.case_id)[0]
    draw.turn(message, text="I am away for a while. Please send no parcels until July.")


def solve_for_another(agent: Agent, given: Given) -> Outcome:
    speaker = _customer(agent, given)
    agent.ask("owner_email", "item")
    owner = agent.find_customer_by_email(given.owner_email)
    allowing = [
        message
        for case in agent.list_cases(owner.customer_id, topic="account")
        if case.status != "resolved"
        for message in agent.list_case_messages(case.case_id)
        if message.author == "customer" and speaker.email in message.text
    ]
    if len(allowing) == 0:
        return outcome("not_allowed", price=_price_of(agent, given.item))
    order, line = _bought(agent, owner, given.item)
    if order.status not in ("pending", "paid"):
        day = _parcel_of(agent, order, line).promised_on
        return outcome("left_already", day=day, price=_price_of(agent, given.item))
    agent.ask("reason")
    summary = agent.summarize_order(order.order_id)
    refund = summary.paid - summary.refunded
    if not agent.agreed(refund=refund):
        return outcome("theirs_kept", refund=refund)
    agent.cancel_order(order.order_id, given.reason)
    return outcome("theirs_cancelled", refund=refund)


def _price_of(agent: Agent, item: str) -> Decimal:
    """Return what a thing costs today, by its name and options in words."""
    name, options = item.removesuffix(")").split(" (")
    product = only(one for one in agent.search_products(query=name) if one.name == name)
    return only(
        kind.price
        for kind in agent.list_product_variants(product.product_id)
        if ", ".join(option.value for option in kind.options) == options
    )
