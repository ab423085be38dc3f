"""Gift cards that are lost, asked about, or bought."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..database.models import Customer, Database, GiftCard, PaymentMethod
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts
from .language import Outcome, maybe, outcome
from .laying import _expired_card, _shopper, _valid_method
from .newcomers import BRANDS, _card_of
from .people import _as_said, _customer, _me, _named_method


def lost_gift_card(db: Database, draw: Draw) -> Facts:
    """A gift card is lost: it is blocked, and replaced if there is something to replace."""
    stage = draw.one(["fine", "fine", "fine", "empty", "expired", "blocked", "others"])
    card = draw.row("gift_cards", status="active")
    draw.need(card.loaded > 0 and card.expires_on >= db.today())
    draw.need((card.balance == 0) == (stage == "empty"))
    customer = db.customers.get(card.customer_id)
    if stage == "others":
        customer = draw.row("customers", status="active")
        draw.need(customer.customer_id != card.customer_id)
    draw.need(customer.status == "active")
    if stage == "expired":
        over = db.today() - timedelta(days=draw.integer(1, 60))
        issued = over - timedelta(days=1825)
        db.gift_cards.update(card.gift_card_id, expires_on=over, issued_on=issued)
    elif draw.chance(0.12):
        issued = db.today() - timedelta(days=1825)
        card = db.gift_cards.update(card.gift_card_id, expires_on=db.today(), issued_on=issued)
    if stage == "blocked":
        db.gift_cards.update(card.gift_card_id, status="blocked")
        draw.turn(card, status="active")
    else:
        draw.turn(card, status="blocked")
    return facts(
        _me(customer),
        gift_card=card.gift_card_id,
        loss=draw.one(["lost", "stolen"]),
        agrees=not draw.chance(0.12),
    )


def solve_lost_gift_card(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("gift_card")
    card = agent.get_gift_card(given.gift_card)
    if card.customer_id != customer.customer_id:
        return outcome("not_theirs", balance=card.balance, day=card.expires_on)
    if card.status == "active":
        agent.block_gift_card(card.gift_card_id)
    if card.expires_on < agent.get_shop_info().today:
        return outcome("blocked_but_over", day=card.expires_on)
    if card.balance == 0:
        return outcome("blocked_but_empty", balance=card.balance)
    if not agent.agreed(balance=card.balance):
        return outcome("blocked_only", balance=card.balance)
    new = agent.replace_gift_card(card.gift_card_id)
    if card.status == "blocked":
        return outcome("only_replaced", balance=new.balance, day=new.expires_on)
    return outcome("replaced", balance=new.balance, day=new.expires_on)


def money_on_cards(db: Database, draw: Draw) -> Facts:
    """Somebody wants to know what is on their gift cards; a blocked one may be among them."""
    customer = _shopper(db, draw)
    method = _valid_method(db, draw, customer)
    stages = draw.one([
        ["fine"], ["fine", "fine"], ["fine", "expired"], ["fine", "fine", "blocked"],
        ["blocked"], ["fine", "blocked"], ["expired"],
    ])  # fmt: skip
    for stage in stages:
        card = draw.call(
            "issue_gift_card", customer_id=customer.customer_id,
            amount=draw.one([25, 40, 50, 75, 100, 120]), payment_method_id=method.payment_method_id,
        )  # fmt: skip
        days = draw.one([8, 90, 700, 1500, 1825])
        if stage == "expired":
            days = draw.integer(1826, 1890)
        issued = db.today() - timedelta(days=days)
        over = issued + timedelta(days=1825)
        db.gift_cards.update(card.gift_card_id, issued_on=issued, expires_on=over)
        if stage == "blocked":
            draw.call("block_gift_card", gift_card_id=card.gift_card_id)
            draw.turn(db.gift_cards.get(card.gift_card_id), status="active")
        elif stage == "fine":
            draw.turn(db.gift_cards.get(card.gift_card_id), status="blocked")
    takes = draw.chance(0.7)
    return facts(_me(customer), agrees=takes, accepts=takes)


def solve_money_on_cards(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    cards = agent.list_gift_cards(customer.customer_id)
    today = agent.get_shop_info().today
    live = [card for card in cards if card.balance > 0 and card.expires_on >= today]
    usable = [card for card in live if card.status == "active"]
    total = sum((card.balance for card in usable), Decimal(0))
    blocked = maybe(card for card in live if card.status == "blocked")
    if blocked is not None:
        return _move_blocked(agent, blocked, total)
    if len(usable) == 0:
        last = max(card.expires_on for card in cards if card.balance > 0)
        return outcome("nothing_usable", total=total, day=last)
    return outcome("on_cards", total=total, day=min(card.expires_on for card in usable))


def _move_blocked(agent: Agent, blocked: GiftCard, total: Decimal) -> Outcome:
    """Offer to move what is on a blocked card to a new one."""
    if not agent.offer("move_it_to_a_new_card", total=total, blocked=blocked.balance):
        return outcome("blocked_stays", total=total, blocked=blocked.balance)
    agent.replace_gift_card(blocked.gift_card_id)
    return outcome("moved", total=total + blocked.balance, blocked=blocked.balance)


def buy_gift_card(db: Database, draw: Draw) -> Facts:
    """Somebody wants to buy a gift card; the sum may be out of bounds, the card expired."""
    customer = _shopper(db, draw)
    amount = draw.one([25, 30, 50, 80, 100, 150, 250, 500, 5, 8, 10, 600, 750, 1000])
    takes = 10 <= amount <= 500 or draw.chance(0.7)
    method = _valid_method(db, draw, customer)
    draw.need(method.expires_on is not None or draw.chance(0.3))
    valid = _card_of(db, draw, customer, draw.one(BRANDS))
    if draw.chance(0.3):
        method = _expired_card(db, draw, customer)
        draw.turn(method, expires_on=db.today() + timedelta(days=380))
    elif method.expires_on is not None and draw.chance(0.15):
        db.payment_methods.update(method.payment_method_id, expires_on=db.today())
    elif method.expires_on is not None:
        draw.turn(method, expires_on=db.today().replace(day=1) - timedelta(days=1))
    return facts(
        _me(customer),
        pay_with=_as_said(method),
        second_card=_as_said(valid),
        amount=amount,
        occasion=draw.one(["birthday", "wedding", "retirement"]),
        agrees=takes,
        accepts=takes,
    )


def solve_buy_gift_card(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("amount", "pay_with")
    today = agent.get_shop_info().today
    method = _named_method(agent, customer, given.pay_with)
    if method.expires_on is not None and method.expires_on < today:
        agent.tell(expiry_date=method.expires_on)
        agent.ask("second_card")
        method = _named_method(agent, customer, given.second_card)
    if given.amount < 10:
        return _sell_other(agent, customer, Decimal(10), method)
    if given.amount > 500:
        return _sell_other(agent, customer, Decimal(500), method)
    agent.agreed(charge=Decimal(given.amount))
    card = agent.issue_gift_card(
        customer.customer_id, Decimal(given.amount), method.payment_method_id
    )
    return outcome("bought", day=card.expires_on)


def _sell_other(
    agent: Agent, customer: Customer, amount: Decimal, method: PaymentMethod
) -> Outcome:
    """Offer a gift card of the nearest sum that is sold."""
    if not agent.offer("another_amount", amount=amount):
        return outcome("amount_declined", amount=amount)
    card = agent.issue_gift_card(customer.customer_id, amount, method.payment_method_id)
    return outcome("other_amount", amount=amount, day=card.expires_on)
