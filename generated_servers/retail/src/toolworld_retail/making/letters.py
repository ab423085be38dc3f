"""Letters: what a colleague has written to a customer in a case."""

from __future__ import annotations

from ..database.models import Database
from .agent import Agent, Given
from .desk import _case_laid, _case_settled
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, outcome
from .laying import _shopper


def write_back(db: Database, draw: Draw) -> Facts:
    """A colleague writes to a customer in a case that may be urgent, or closed by now."""
    customer = _shopper(db, draw)
    cases = db.cases.where(customer_id=customer.customer_id)
    draw.need(all(case.status == "resolved" for case in cases))
    topic, other = draw.some(["delivery", "returns", "payment", "product", "account"], 2)
    stage = draw.one(["open", "open", "open", "urgent", "urgent", "closed", "closed"])
    case = _case_laid(db, draw, customer, topic, None, draw.integer(3, 9))
    if stage == "urgent":
        case = db.cases.update(case.case_id, priority="urgent")
        draw.turn(case, priority="high")
    elif stage == "closed":
        _case_settled(db, draw, case, draw.integer(24, 56))
    else:
        draw.turn(case, priority="urgent")
    if draw.chance(0.6):
        second = _case_laid(db, draw, customer, other, None, draw.integer(2, 12))
        if draw.chance(0.3):
            db.cases.update(second.case_id, priority="urgent")
    return facts(
        email=told(customer.email, customer, "email"),
        topic=topic,
        words=draw.one([
            "We have found the mistake and will mend it by Friday. Thank you for your patience.",
            "Could you please send us a photo of it? Then we can go on right away.",
            "A colleague of mine will write to you on Monday with everything you need to know.",
        ]),
    )  # fmt: skip


def solve_write_back(agent: Agent, given: Given) -> Outcome:
    agent.ask("email", "topic")
    customer = agent.find_customer_by_email(given.email)
    cases = agent.list_cases(customer.customer_id, topic=given.topic)
    case = maybe(case for case in cases if case.status != "resolved")
    if case is None:
        last = max(cases, key=lambda case: case.resolved_at)
        return outcome("closed_by_now", day=last.resolved_at.date(), number=last.case_id)
    if case.priority == "urgent":
        return outcome("to_be_called", number=case.case_id, phone=customer.phone)
    agent.list_case_messages(case.case_id)
    agent.ask("words")
    agent.reply_to_case(case.case_id, "agent", given.words)
    return outcome("written", number=case.case_id, opened=case.opened_at.date())


def _writes_twice(agent: Agent, given: Given) -> Outcome:
    """The same is written in a case once more."""
    agent.ask("email", "topic")
    customer = agent.find_customer_by_email(given.email)
    cases = agent.list_cases(customer.customer_id, topic=given.topic)
    case = maybe(case for case in cases if (case.status, case.priority) == ("open", "normal"))
    if case is None:
        return outcome("to_be_called", number=cases[0].case_id, phone=customer.phone)
    agent.list_case_messages(case.case_id)
    agent.ask("words")
    agent.reply_to_case(case.case_id, "agent", given.words)
    agent.reply_to_case(case.case_id, "agent", given.words)
    return outcome("written", number=case.case_id, opened=case.opened_at.date())
