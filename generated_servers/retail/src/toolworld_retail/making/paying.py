"""Orders that wait for their money: gift cards first, then what a card has to pay."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..database.models import Customer, Database, GiftCard, Order
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, outcome
from .laying import _checked_out, _expired_card, _goods, _paid, _payer_facts, _shopper
from .people import _bought, _customer, _day, _items_of, _me, _named_method


def _unpaid(db: Database, draw: Draw, customer: Customer, stage: str) -> Order:
    """Return a pending order, or one that was paid or cancelled before."""
    goods = _goods(db, draw, draw.integer(1, 2), Decimal("200"))
    order = _checked_out(db, draw, customer, goods, [1, 1], draw.integer(1, 5))
    if stage == "paid":
        return _paid(db, draw, order)
    if stage == "off":
        return draw.call("cancel_order", order_id=order.order_id, reason="payment_trouble")
    return order


def _a_gift_card(db: Database, draw: Draw, stage: str) -> GiftCard:
    """Return a gift card that somebody bought; whoever holds its number may spend it."""
    card = draw.row("gift_cards", status="active")
    draw.need(card.loaded > 0 and card.expires_on >= db.today())
    draw.need((card.balance == 0) == (stage == "empty"))
    if draw.chance(0.5 if stage == "empty" else 0.15):
        issued = db.today() - timedelta(days=1825)
        card = db.gift_cards.update(card.gift_card_id, expires_on=db.today(), issued_on=issued)
    if stage == "empty":
        return card
    if stage == "blocked":
        return db.gift_cards.update(card.gift_card_id, status="blocked")
    if stage == "expired":
        over = db.today() - timedelta(days=draw.integer(1, 40))
        issued = over - timedelta(days=1825)
        return db.gift_cards.update(card.gift_card_id, expires_on=over, issued_on=issued)
    draw.turn(card, status="blocked")
    return card


def pay_with_gift_card(db: Database, draw: Draw) -> Facts:
    """An order is to be paid with a gift card, and what that leaves with a saved card."""
    customer = _shopper(db, draw)
    stage = draw.one([
        "fine", "fine", "fine", "fine", "blocked", "expired", "empty", "empty", "paid", "off",
    ])  # fmt: skip
    order = _unpaid(db, draw, customer, stage)
    card = _a_gift_card(db, draw, stage)
    # Only an owner could have a blocked one replaced.
    draw.need(stage != "blocked" or card.customer_id != customer.customer_id)
    order = db.orders.get(order.order_id)
    line = draw.one(order.lines)
    return facts(
        _me(customer),
        _payer_facts(db, draw, customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), order, "lines.item"),
        gift_card=card.gift_card_id,
        agrees=not draw.chance(0.15),
    )


def solve_pay_with_gift_card(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item")
    order, _ = _bought(agent, customer, given.item)
    summary = agent.summarize_order(order.order_id)
    if order.status == "cancelled":
        return outcome("nothing_to_pay", day=_day(order.cancelled_at))
    if order.status != "pending":
        return outcome("paid_before", paid=summary.paid)
    agent.ask("gift_card")
    card = agent.get_gift_card(given.gift_card)
    today = agent.get_shop_info().today
    is_good = card.status == "active" and card.expires_on >= today and card.balance > 0
    part = min(card.balance, summary.due) if is_good else Decimal(0)
    charge = summary.due - part
    if charge == 0:
        agent.pay_order_with_gift_card(order.order_id, card.gift_card_id)
        return outcome("all_by_gift_card", left=card.balance - part)
    agent.ask("pay_with")
    method = _named_method(agent, customer, given.pay_with)
    if method.expires_on is not None and method.expires_on < today:
        agent.tell(expiry_date=method.expires_on)
        agent.ask("second_card")
        if given.second_card == "none":
            return outcome("no_card_left", day=method.expires_on, due=summary.due)
        method = _named_method(agent, customer, given.second_card)
    if not agent.agreed(charge=charge):
        return outcome("left_unpaid", charge=charge)
    if is_good:
        agent.pay_order_with_gift_card(order.order_id, card.gift_card_id)
    agent.pay_order(order.order_id, method.payment_method_id)
    if is_good:
        return outcome("both", part=part, charge=charge)
    if card.status == "blocked":
        return outcome("card_as_blocked", charge=charge, balance=card.balance)
    if card.expires_on < today:
        return outcome("card_as_expired", charge=charge, day=card.expires_on)
    return outcome("card_as_empty", charge=charge)


def pay_with_new_card(db: Database, draw: Draw) -> Facts:
    """An order is to be paid with a card that is new, saved already, or has run out."""
    customer = _shopper(db, draw)
    stage = draw.one(["new", "new", "new", "saved", "renewed", "over", "paid", "off"])
    order = _unpaid(db, draw, customer, stage)
    years = draw.integer(1, 4)
    until = db.today().replace(year=db.today().year + years, month=draw.integer(1, 12), day=28)
    if stage in ("new", "paid", "off") and draw.chance(0.15):
        until = db.today()
    kind = draw.one(["visa", "mastercard", "amex"])
    digits = f"{draw.integer(1000, 9999)}"
    if stage == "saved":
        saved = draw.call(
            "add_payment_method", customer_id=customer.customer_id, kind=kind, last_four=digits,
            expires_on=until,
        )  # fmt: skip
        saved = db.payment_methods.update(saved.payment_method_id, added_on=customer.joined_on)
        draw.turn(saved, expires_on=until - timedelta(days=400))
    if stage == "new" and draw.chance(0.8):
        other = draw.call(
            "add_payment_method", customer_id=customer.customer_id, kind=kind,
            last_four=f"{draw.integer(1000, 9999)}", expires_on=until,
        )  # fmt: skip
        other = db.payment_methods.update(other.payment_method_id, added_on=customer.joined_on)
        draw.turn(other, last_four=digits)
    if stage == "renewed":
        old = _expired_card(db, draw, customer)
        kind, digits = old.kind, f"{old.last_four}"
        draw.turn(old, expires_on=until)
    if stage == "over":
        until = db.today().replace(day=1) - timedelta(days=draw.one([1, 32, 63]))
    order = db.orders.get(order.order_id)
    line = draw.one(order.lines)
    return facts(
        _me(customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), order, "lines.item"),
        card=kind,
        digits=digits,
        until=until,
        agrees=not draw.chance(0.12),
    )


def solve_pay_with_new_card(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item")
    order, _ = _bought(agent, customer, given.item)
    summary = agent.summarize_order(order.order_id)
    if order.status == "cancelled":
        return outcome("new_not_needed_off", day=_day(order.cancelled_at))
    if order.status != "pending":
        return outcome("new_not_needed", paid=summary.paid)
    agent.ask("card", "digits", "until")
    if given.until < agent.get_shop_info().today:
        return outcome("new_card_over", due=summary.due)
    methods = agent.list_payment_methods(customer.customer_id)
    saved = maybe(
        method
        for method in methods
        if (method.kind, method.last_four, method.expires_on)
        == (given.card, given.digits, given.until)
    )
    if not agent.agreed(charge=summary.due):
        return outcome("new_left_unpaid", charge=summary.due)
    if saved is not None:
        agent.pay_order(order.order_id, saved.payment_method_id)
        return outcome("paid_with_saved", charge=summary.due, since=saved.added_on)
    new = agent.add_payment_method(customer.customer_id, given.card, given.digits, given.until)
    agent.pay_order(order.order_id, new.payment_method_id)
    return outcome("paid_with_new", charge=summary.due)
