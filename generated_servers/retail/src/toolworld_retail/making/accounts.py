"""Accounts: how to reach the customer, what pays, and the end of an account."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..database.models import Customer, Database
from .addresses import _in_a_line, _save_place, _staged
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, only, outcome
from .laying import _bought_since, _checked_out, _goods, _paid, _sent, _shopper, _valid_method
from .newcomers import _card_of
from .people import _bought, _customer, _items_of, _me


def new_email(db: Database, draw: Draw) -> Facts:
    """An e-mail address changes, perhaps the newsletter too; the address may be another's."""
    customer = _shopper(db, draw)
    other = draw.row("customers", status="active")
    draw.need(other.customer_id != customer.customer_id)
    first, last = customer.first_name.lower(), customer.last_name.lower()
    wanted = draw.one([
        f"{first}{last}@example.org", f"{first[:1]}.{last}@example.net",
        f"{last}.family@example.com",
    ])  # fmt: skip
    draw.need(not db.customers.where(email=wanted))
    if draw.chance(0.35):
        db.customers.update(other.customer_id, email=wanted)
    else:
        draw.turn(other, email=wanted)
    newsletter = draw.one(["on", "off", "off", "same"])
    draw.turn(customer, marketing_opt_in=not customer.marketing_opt_in)
    return facts(_me(customer), new_email=wanted, newsletter=newsletter)


def solve_new_email(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("new_email", "newsletter")
    letters = customer.marketing_opt_in
    if given.newsletter != "same":
        letters = given.newsletter == "on"
    changed = agent.attempt.update_customer_contact(
        customer.customer_id, given.new_email, marketing_opt_in=letters
    )
    if changed.rejected("email_taken"):
        if letters == customer.marketing_opt_in:
            return outcome("email_stays", phone=customer.phone, address=customer.email)
        agent.update_customer_contact(customer.customer_id, marketing_opt_in=letters)
        return outcome("only_newsletter", phone=customer.phone, address=customer.email)
    return outcome("email_changed", phone=customer.phone, address=changed.email)


def save_a_new_card(db: Database, draw: Draw) -> Facts:
    """An order is to be paid with a card that is not saved yet; some are, or have run out."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.integer(1, 2), Decimal("220"))
    order = _checked_out(db, draw, customer, goods, [1, 1], draw.integer(0, 2))
    stage = draw.one(["new", "new", "new", "saved", "ran_out", "paid"])
    if stage == "paid":
        _paid(db, draw, order)
    _bought_since(db, draw, customer)
    months = -draw.integer(1, 4) if stage == "ran_out" else draw.integer(2, 40)
    first = (db.today() + timedelta(days=30 * months)).replace(day=28) + timedelta(days=4)
    kind = draw.one(["visa", "mastercard", "amex"])
    last_four = f"{draw.integer(1000, 9999)}"
    until = first.replace(day=1) - timedelta(days=1)
    if stage != "ran_out" and draw.chance(0.15):
        until = db.today()
    if stage == "saved":
        draw.call(
            "add_payment_method", customer_id=customer.customer_id, kind=kind,
            last_four=last_four, expires_on=until,
        )  # fmt: skip
        for method in db.payment_methods.where(customer_id=customer.customer_id):
            if (method.kind, method.last_four) == (kind, last_four):
                draw.turn(method, last_four=f"{draw.integer(1000, 9999)}")
    elif stage == "new" and draw.chance(0.7):
        _card_of(db, draw, customer, kind)
    for method in db.payment_methods.where(customer_id=customer.customer_id):
        if method.kind == kind:
            alike = db.payment_methods.update(method.payment_method_id, expires_on=until)
            draw.turn(alike, last_four=last_four)
    item = draw.name(draw.one(order.lines).item, among=_items_of(db, customer))
    return facts(
        _me(customer),
        item=told(item, order, "lines.item"),
        kind=kind,
        last_four=last_four,
        until=until,
        another="none",
        agrees=not draw.chance(0.15),
    )


def solve_save_a_new_card(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item")
    order, line = _bought(agent, customer, given.item)
    summary = agent.summarize_order(order.order_id)
    if order.status != "pending":
        return outcome("paid_already", sum=summary.paid, street=order.ship_to.street)
    agent.ask("kind", "last_four", "until")
    if given.until < agent.get_shop_info().today:
        agent.tell(expiry_date=given.until)
        agent.ask("another")
        return outcome("card_over", sum=summary.due, street=order.ship_to.street)
    methods = agent.list_payment_methods(customer.customer_id)
    saved = maybe(
        method
        for method in methods
        if (method.kind, method.last_four, method.expires_on)
        == (given.kind, given.last_four, given.until)
    )
    if not agent.agreed(sum=summary.due):
        return outcome("not_charged", sum=summary.due, street=order.ship_to.street)
    if saved is not None:
        agent.pay_order(order.order_id, saved.payment_method_id)
        return outcome("charged_saved", sum=summary.due, street=order.ship_to.street)
    new = agent.add_payment_method(customer.customer_id, given.kind, given.last_four, given.until)
    agent.pay_order(order.order_id, new.payment_method_id)
    return outcome("charged", sum=summary.due, street=order.ship_to.street)


def moved(db: Database, draw: Draw) -> Facts:
    """Somebody moved; what was still to come to the old home goes to the new one, if it can."""
    customer = _shopper(db, draw)
    draw.need(customer.default_address == "home" and len(customer.addresses) > 1)
    if draw.chance(0.3):
        customer = db.customers.update(
            customer.customer_id, addresses=[*customer.addresses[1:], customer.addresses[0]]
        )
    older = db.orders.where(customer_id=customer.customer_id)
    draw.need(all(order.status in ("delivered", "cancelled") for order in older))
    stages = draw.one([
        ["there", "elsewhere"], ["elsewhere"], ["open"], ["open", "open"], ["open", "elsewhere"],
        ["open", "gone"], ["gone"], ["gone", "elsewhere"], ["open", "due", "gone"],
    ])  # fmt: skip
    for stage in stages:
        goods = _goods(db, draw, 1, Decimal("250"))
        order = _checked_out(db, draw, customer, goods, [1], 6 if stage == "there" else 2)
        if stage == "elsewhere":
            label = draw.one(one.label for one in customer.addresses if one.label != "home")
            draw.call("change_shipping_address", order_id=order.order_id, address_label=label)
            draw.turn(db.orders.get(order.order_id), ship_to=order.ship_to)
        else:
            _staged(db, draw, order, stage)
        for one in customer.addresses:
            if one.label != "home" and stage in ("open", "gone"):
                draw.turn(db.orders.get(order.order_id), ship_to=one)
    elsewhere = draw.one(draw.row("customers", status="active").addresses)
    draw.need(elsewhere.street not in [one.street for one in customer.addresses])
    return facts(_me(customer), where="home", address=_in_a_line(elsewhere))


def solve_moved(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("where")
    old = only(one for one in customer.addresses if one.label == given.where)
    orders = agent.list_customer_orders(customer.customer_id)
    there = [order for order in orders if order.ship_to == old]
    still = [order for order in there if order.status in ("pending", "paid")]
    gone = [order for order in there if order.status in ("part_shipped", "shipped")]
    _save_place(agent, given, customer)
    for order in still:
        agent.change_shipping_address(order.order_id, given.where)
    if len(gone) > 0:
        parcel = only(agent.list_order_shipments(only(gone).order_id))
        day = parcel.promised_on
        return outcome("one_comes_there", day=day, number=parcel.tracking_number)
    if len(still) > 0:
        return outcome("orders_follow", count=len(still), phone=customer.phone)
    return outcome("nothing_to_come", phone=customer.phone)


def close_account(db: Database, draw: Draw) -> Facts:
    """An account is to be closed for good; an order, a case or money may stand in the way."""
    customer = _shopper(db, draw)
    _tidied(db, draw, customer)
    stage = draw.one(["free", "free", "free", "order", "case", "card", "order_card", "case_card"])
    if "order" in stage:
        goods = _goods(db, draw, 1, Decimal("200"))
        order = _checked_out(db, draw, customer, goods, [1], draw.integer(0, 3))
        if draw.chance(0.8):
            order = _paid(db, draw, order)
        if order.status == "paid" and draw.chance(0.5):
            _sent(db, draw, order, [1], 0)
    if "case" in stage:
        draw.call(
            "open_case", customer_id=customer.customer_id, topic="account",
            subject="Cannot sign in", text="I no longer get the e-mail to reset my password.",
        )  # fmt: skip
    if "card" in stage or stage == "free" and draw.chance(0.4):
        _gift_card_with_money(db, draw, customer, stage == "free")
    elif stage == "free":
        # Somebody else has a card with money on it, or a case that nobody has settled yet.
        draw.turn(draw.row("cases", status="open", order_id=None), customer_id=customer.customer_id)
        card = draw.row("gift_cards", status="active")
        draw.need(card.balance > 0 and card.expires_on >= db.today())
        draw.turn(card, customer_id=customer.customer_id)
    if draw.chance(0.25):
        goods = _goods(db, draw, 1, Decimal("200"))
        variant = goods[0].variant_id
        draw.call("add_to_cart", customer_id=customer.customer_id, variant_id=variant)
    return facts(_me(customer), agrees=not draw.chance(0.2))


def _tidied(db: Database, draw: Draw, customer: Customer) -> None:
    """Take only a customer with nothing under way and no money on a card."""
    number = customer.customer_id
    orders = db.orders.where(customer_id=number)
    draw.need(all(order.status in ("delivered", "cancelled") for order in orders))
    returns = db.returns.where(customer_id=number)
    draw.need(all(back.status in ("refunded", "refused", "cancelled") for back in returns))
    draw.need(all(swap.status != "requested" for swap in db.exchanges.where(customer_id=number)))
    draw.need(all(case.status == "resolved" for case in db.cases.where(customer_id=number)))
    draw.need(all(card.balance == 0 for card in db.gift_cards.where(customer_id=number)))


def _gift_card_with_money(db: Database, draw: Draw, customer: Customer, is_over: bool) -> None:
    """Give a customer a gift card that money is on; some have expired or are blocked."""
    method = _valid_method(db, draw, customer)
    card = draw.call(
        "issue_gift_card",
        customer_id=customer.customer_id,
        payment_method_id=method.payment_method_id,
        amount=draw.one([25, 50, 75, 100]),
    )
    over = db.today() - timedelta(days=draw.integer(2, 30))
    ahead = db.today() + timedelta(days=draw.one([0, 25, 60, 120, 200, 300]))
    draw.turn(card, expires_on=ahead if is_over else over)
    issued = over - timedelta(days=1826)
    if is_over:
        draw.need(method.added_on <= issued)
    db.gift_cards.update(
        card.gift_card_id,
        issued_on=issued if method.added_on <= issued else db.today() - timedelta(days=3),
        expires_on=over if is_over else ahead,
    )
    if draw.chance(0.3):
        draw.call("block_gift_card", gift_card_id=card.gift_card_id)


def solve_close_account(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    number = customer.customer_id
    orders = agent.list_customer_orders(number)
    under_way = [one for one in orders if one.status not in ("delivered", "cancelled")]
    cases = agent.list_cases(number)
    unresolved = [case for case in cases if case.status != "resolved"]
    cards = agent.list_gift_cards(number)
    today = agent.get_shop_info().today
    money_left = sum((card.balance for card in cards if card.expires_on >= today), Decimal(0))
    if money_left > 0 and len(under_way) > 0:
        order = only(under_way)
        return outcome("order_and_money", number=order.order_id, sum=money_left)
    if money_left > 0 and len(unresolved) > 0:
        case = only(unresolved)
        return outcome("case_and_money", number=case.case_id, sum=money_left)
    if money_left > 0:
        return outcome("money_left", sum=money_left)
    if len(under_way) > 0:
        return outcome("order_left", number=only(under_way).order_id)
    if len(unresolved) > 0:
        return outcome("case_left", number=only(unresolved).case_id)
    since = customer.joined_on
    if not agent.agreed(customer_since=since):
        return outcome("account_kept", since=since)
    agent.close_customer_account(number)
    return outcome("account_closed", since=since)
