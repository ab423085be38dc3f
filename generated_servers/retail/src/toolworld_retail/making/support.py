"""Support cases: a matter goes to the case that is open on it; staff settle them."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..models import Customer, Database, Finding, ReturnItem
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, only, outcome
from .laying import _arrived, _checked_out, _goods, _paid, _sent, _shopper
from .people import _bought, _customer, _items_of, _me

MATTERS = (
    ("payment", "Wrong invoice", "The invoice has my old company name on it. I need a new one."),
    ("payment", "Invoice missing", "I never got an invoice for this order. Please send me one."),
    ("product", "Manual missing", "There was no manual in the box. Please send it to me."),
    ("product", "Strange smell", "It smells strongly of glue even after a week. Is that normal?"),
    (
        "returns",
        "Where do I send it?",
        "I have lost the slip with the address for sending it back.",
    ),
)
OTHERS = ("payment", "product", "returns")


def complain(db: Database, draw: Draw) -> Facts:
    """A customer has a matter for the support; there may be a case on it, open or resolved."""
    customer = _shopper(db, draw)
    order = draw.one(
        order
        for order in db.orders.where(customer_id=customer.customer_id)
        if order.status in ("delivered", "shipped", "paid")
    )
    line = draw.one(order.lines)
    topic, subject, words = draw.one(MATTERS)
    stage = draw.one(["none", "none", "same", "same", "same", "resolved", "other", "full", "full"])
    if stage == "full":
        _three_cases(db, draw, customer)
    elif stage != "none":
        on = draw.one(one for one in OTHERS if (one == topic) == (stage != "other"))
        case = draw.call(
            "open_case", customer_id=customer.customer_id, topic=on,
            subject="Question about my order", text="Could somebody please look into this?",
            order_id=order.order_id,
        )  # fmt: skip
        opened = db.now() - timedelta(days=draw.integer(1, 6), minutes=draw.integer(5, 500))
        db.cases.update(case.case_id, opened_at=opened)
        for message in db.case_messages.where(case_id=case.case_id):
            db.case_messages.update(message.message_id, sent_at=opened)
        if stage == "resolved":
            draw.call("resolve_case", case_id=case.case_id, resolution="Answered by e-mail.")
        else:
            draw.turn(db.cases.get(case.case_id), topic="account")
            if stage == "other":
                draw.turn(db.cases.get(case.case_id), topic=topic)
    draw.turn(customer, tier="standard" if customer.tier == "gold" else "gold")
    return facts(
        _me(customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), order, "lines.item"),
        topic=topic,
        subject=subject,
        words=words,
    )


def _three_cases(db: Database, draw: Draw, customer: Customer) -> None:
    """Have a customer ask three other things that nobody has answered yet."""
    for age, topic in enumerate(["account", "delivery", "product"]):
        case = draw.call(
            "open_case", customer_id=customer.customer_id, topic=topic,
            subject="A question", text="I have a question. Please call me back.",
        )  # fmt: skip
        opened = db.now() - timedelta(days=9 - 2 * age, minutes=draw.integer(5, 500))
        db.cases.update(case.case_id, opened_at=opened)
        for message in db.case_messages.where(case_id=case.case_id):
            db.case_messages.update(message.message_id, sent_at=opened)


def solve_complain(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item", "topic")
    order, line = _bought(agent, customer, given.item)
    cases = agent.list_cases(customer.customer_id)
    unresolved = [case for case in cases if case.status != "resolved"]
    case = maybe(
        one for one in unresolved if (one.order_id, one.topic) == (order.order_id, given.topic)
    )
    if case is not None:
        agent.ask("words")
        agent.reply_to_case(case.case_id, "customer", given.words)
        return outcome("added", number=case.case_id, day=case.opened_at.date())
    if len(unresolved) >= 3:
        oldest = unresolved[0]
        return outcome("too_many", number=oldest.case_id, day=oldest.opened_at.date())
    agent.ask("subject", "words")
    priority = "high" if customer.tier == "gold" else "normal"
    agent.open_case(
        customer.customer_id, given.topic, given.subject, given.words, order.order_id, priority
    )
    return outcome("opened", count=len(unresolved) + 1)


def settle_case(db: Database, draw: Draw) -> Facts:
    """A colleague wants a case on a return settled, if the money has gone back."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, 1, Decimal("200"))
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, [1], 20))
    _arrived(db, draw, _sent(db, draw, order, [1], 20), 0)
    back = draw.call(
        "request_return", order_id=order.order_id,
        items=[ReturnItem(line_number=1, quantity=1, reason="changed_mind")],
    )  # fmt: skip
    stage = draw.one(["refunded", "refunded", "refunded", "inspected", "received", "requested"])
    is_worn = stage == "refunded" and draw.chance(0.3)
    if stage != "requested":
        draw.call("receive_return", return_id=back.return_id)
    if stage in ("refunded", "inspected"):
        found = Finding(line_number=1, condition="worn" if is_worn else "opened")
        draw.call("inspect_return", return_id=back.return_id, findings=[found])
    if stage == "refunded" and not is_worn:
        draw.call("refund_return", return_id=back.return_id)
    case = draw.call(
        "open_case", customer_id=customer.customer_id, topic="returns",
        subject="Where is my refund?", text="I sent it back. When do I get my money?",
        order_id=order.order_id,
    )  # fmt: skip
    if draw.chance(0.15):
        draw.call("resolve_case", case_id=case.case_id, resolution="Answered by phone.")
    return facts(
        number=told(case.case_id, case, "case_id"),
        done=draw.one([
            "Your refund has gone out. Thank you for your patience.",
            "We have paid the money back to you. Please allow your bank two days.",
        ]),
        wait=draw.one([
            "Your return is being processed. We will write again when the money is out.",
            "Thank you for asking. It is not finished yet, please give us a few more days.",
        ]),
    )  # fmt: skip


def solve_settle_case(agent: Agent, given: Given) -> Outcome:
    agent.ask("number")
    case = agent.get_case(given.number)
    returns = agent.list_returns(customer_id=case.customer_id)
    back = only(one for one in returns if one.order_id == case.order_id)
    if case.status == "resolved":
        return outcome("settled_before", number=back.return_id)
    if back.status == "refunded":
        agent.ask("done")
        agent.resolve_case(case.case_id, given.done)
        return outcome("settled", number=back.return_id, sum=back.refund_amount)
    if back.status == "refused":
        item = only(back.lines).item
        return outcome("was_refused", number=back.return_id, item=item)
    agent.ask("wait")
    agent.reply_to_case(case.case_id, "agent", given.wait)
    return outcome("not_refunded_yet", number=back.return_id, item=only(back.lines).item)
