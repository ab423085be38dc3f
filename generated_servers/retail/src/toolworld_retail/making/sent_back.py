"""Returns under way: called off, or asked after because the money has not come."""

from __future__ import annotations

from datetime import timedelta

from ..database.models import Customer, Database, ProductReturn
from .agent import Agent, Given
from .desk import _case_laid, _case_settled
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, fits, maybe, only, outcome
from .people import _customer, _day, _items_of, _me

STATES = ("requested", "received", "inspected", "refunded", "refused", "cancelled")


def _a_return(db: Database, draw: Draw) -> ProductReturn:
    """Return a return of somebody whose account is open, each status as often as another."""
    status = draw.one([*STATES, "requested", "requested"])
    back = draw.row("returns", status=status)
    draw.need(db.customers.get(back.customer_id).status == "active")
    draw.need((db.today() - back.requested_at.date()).days < 120)
    return back


def _return_facts(db: Database, draw: Draw, back: ProductReturn) -> Facts:
    """Return what somebody knows who sent something back: the thing, and what the label says."""
    customer = db.customers.get(back.customer_id)
    name = draw.name(draw.one(back.lines).item, among=_items_of(db, customer))
    fitting = [
        other
        for other in db.returns.where(customer_id=customer.customer_id)
        if any(fits(name, part.item) for part in other.lines)
    ]
    draw.need(len(fitting) == 1)
    return facts(
        _me(customer),
        item=told(name, back, "lines.item"),
        number=told(back.return_id, back, "return_id"),
    )


def _meant_return(agent: Agent, given: Given, customer: Customer) -> ProductReturn:
    """Return the return that a customer means, by its number or by what is in it."""
    returns = agent.list_returns(customer_id=customer.customer_id)
    if agent.knows("number"):
        return only(back for back in returns if back.return_id == given.number)
    agent.ask("item")
    return only(back for back in returns if any(fits(given.item, part.item) for part in back.lines))


def keep_after_all(db: Database, draw: Draw) -> Facts:
    """Something that was to go back is to stay; its parcel may have reached the warehouse."""
    back = _a_return(db, draw)
    draw.turn(back, requested_at=back.requested_at - timedelta(days=draw.integer(1, 2)))
    return facts(_return_facts(db, draw, back))


def solve_keep_after_all(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    back = _meant_return(agent, given, customer)
    if back.status == "refunded":
        return outcome("paid_out", sum=back.refund_amount, day=_day(back.closed_at))
    if back.status == "refused":
        return outcome("not_taken", day=_day(back.closed_at))
    if back.status == "cancelled":
        return outcome("off_before", day=_day(back.closed_at))
    if back.status != "requested":
        return outcome("reached_us", day=_day(back.received_at))
    agent.cancel_return(back.return_id)
    order = agent.get_order(back.order_id)
    return outcome("kept_it", asked_on=back.requested_at.date(), ordered=order.placed_at.date())


def where_is_my_refund(db: Database, draw: Draw) -> Facts:
    """Somebody waits for the money for a return; it may be stuck at any step."""
    back = _a_return(db, draw)
    if back.status == "inspected":
        _asked_before(db, draw, back)
    if back.status == "refunded" and back.closed_at is not None:
        draw.turn(back, closed_at=back.closed_at - timedelta(days=1))
    customer = db.customers.get(back.customer_id)
    draw.turn(customer, tier="standard" if customer.tier == "gold" else "gold")
    words = draw.one([
        "I sent this back and would like to have my money now.",
        "Please pay out my return, the parcel has been with you long enough.",
        "My refund is missing, please see to it.",
    ])  # fmt: skip
    return facts(_return_facts(db, draw, back), words=words)


def _asked_before(db: Database, draw: Draw, back: ProductReturn) -> None:
    """Have the customer write about a return before; that may have been resolved."""
    customer = db.customers.get(back.customer_id)
    cases = db.cases.where(customer_id=back.customer_id)
    draw.need(all(case.topic != "returns" for case in cases))
    if draw.chance(0.3):
        _case_laid(db, draw, customer, "returns", None, 2)
    if draw.chance(0.3):
        case = _case_laid(db, draw, customer, "returns", back.order_id, 3)
        _case_settled(db, draw, case, 30)
    if draw.chance(0.4):
        # A case on something else is no place for the message: a new one is opened.
        draw.turn(_case_laid(db, draw, customer, "returns", back.order_id, 1), topic="account")


def solve_where_is_my_refund(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    back = _meant_return(agent, given, customer)
    if back.status == "requested":
        return outcome("not_here_yet", day=back.requested_at.date())
    if back.status == "received":
        return outcome("to_be_inspected", day=_day(back.received_at))
    if back.status == "cancelled":
        return outcome("called_off_before", day=_day(back.closed_at))
    if back.status == "refused":
        found = sorted(set(f"{part.condition}" for part in back.lines))
        return outcome("refused_at_inspection", day=_day(back.closed_at), condition=found)
    if back.status == "refunded":
        sum_back, day = back.refund_amount, _day(back.closed_at)
        return outcome("refunded", sum=sum_back, fee=back.fee, day=day)
    _ask_staff_to_refund(agent, given, customer, back)
    return outcome("passed_on", came=_day(back.received_at))


def _ask_staff_to_refund(
    agent: Agent, given: Given, customer: Customer, back: ProductReturn
) -> None:
    """Leave a message on a return that was inspected but not paid out: paying it is for staff."""
    agent.ask("words")
    cases = agent.list_cases(customer.customer_id, topic="returns")
    case = maybe(
        case for case in cases if case.order_id == back.order_id and case.status != "resolved"
    )
    if case is None:
        priority = "high" if customer.tier == "gold" else "normal"
        agent.open_case(
            customer.customer_id, "returns", given.words, given.words, back.order_id, priority
        )
    else:
        agent.reply_to_case(case.case_id, "customer", given.words)
