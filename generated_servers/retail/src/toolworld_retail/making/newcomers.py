"""New accounts, codes that ran out in a cart, and cards named in passing."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import Address, Customer, Database, PaymentMethod, PaymentMethodKind
from .addresses import _in_a_line
from .agent import Agent, Given
from .buying import _product_named
from .codes import _categories_of, _filled_cart, _running, _worth_covered
from .draw import Draw
from .exchanges import _choice, _color, _siblings
from .facts import Facts, facts, told
from .language import Outcome, only, outcome
from .laying import _arrived, _checked_out, _goods, _product_with, _sent, _shopper, _valid_method
from .people import _as_said, _bought, _customer, _items_of, _me, _named_method
from .upgrades import BIGGER

BRANDS: tuple[PaymentMethodKind, ...] = ("visa", "mastercard", "amex")
FIRST_STAGES = ("new", "new", "new", "had", "had", "had", "closed", "closed", "closed")


def first_order(db: Database, draw: Draw) -> Facts:
    """Somebody wants an account and a thing put by; their e-mail address may have one already."""
    stage = draw.one(FIRST_STAGES)
    variant = only(_goods(db, draw, 1, Decimal("180")))
    product = db.products.get(variant.product_id)
    one = draw.row("customers", status="active")
    if stage == "closed":
        one = draw.call("close_customer_account", customer_id=one.customer_id)
    at = only(address for address in one.addresses if address.label == one.default_address)
    phone = one.phone
    draw.need(all(cart.status != "open" for cart in db.carts.where(customer_id=one.customer_id)))
    first, last = one.first_name, one.last_name
    if stage == "new":
        last = draw.row("customers").last_name
        draw.need(last != one.last_name)
        at = draw.one(draw.row("customers", status="active").addresses)
        phone = f"({draw.integer(201, 989)}) 555-{draw.integer(1000, 9999)}"
    name = f"{first}.{last}".lower()
    other = f"{name}@example.org"
    email = f"{name}@example.net" if stage == "new" else one.email
    draw.need(not db.customers.where(email=other))
    if stage != "new":
        draw.turn(one, status="closed" if stage == "had" else "active")
    draw.need(stage != "new" or not db.customers.where(email=email))
    return facts(
        first_name=first,
        last_name=last,
        email=email,
        # Nobody names another address while nothing is wrong with the first.
        other_email=other if stage == "closed" and draw.chance(0.6) else "none",
        phone=phone,
        address=_in_a_line(at),
        product=told(product.name, product, "name"),
        kind=", ".join(option.value for option in variant.options),
        accepts=True,
    )


def solve_first_order(agent: Agent, given: Given) -> Outcome:
    agent.ask("email")
    found = agent.attempt.find_customer_by_email(given.email)
    if found.rejected("unknown_customer"):
        return outcome("opened", total=_begin(agent, given, given.email))
    if found.status == "closed":
        agent.tell(account=found.status, opened_on=found.joined_on)
        agent.ask("other_email")
        if given.other_email == "none":
            return outcome("no_address_left", since=found.joined_on)
        return outcome("opened_elsewhere", total=_begin(agent, given, given.other_email))
    total = _put_by(agent, given, found.customer_id)
    return outcome("had_one", since=found.joined_on, total=total)


def _begin(agent: Agent, given: Given, email: str) -> Decimal:
    """Open an account, put a thing in its cart, and return what that comes to."""
    agent.ask("first_name", "last_name", "phone", "address")
    street, city, rest = given.address.split(", ")
    state, postcode = rest.split(" ")
    home = Address(label="home", street=street, city=city, state=state, postcode=postcode)
    new = agent.create_customer(given.first_name, given.last_name, email, given.phone, home)
    return _put_by(agent, given, new.customer_id)


def _put_by(agent: Agent, given: Given, customer_id: str) -> Decimal:
    """Put a thing in a customer's cart, and return the total."""
    agent.ask("product", "kind")
    product = _product_named(agent, given.product)
    kinds = agent.list_product_variants(product.product_id)
    variant = only(
        one for one in kinds if ", ".join(option.value for option in one.options) == given.kind
    )
    agent.add_to_cart(customer_id, variant.variant_id)
    return agent.quote_cart(customer_id).total


def stale_code(db: Database, draw: Draw) -> Facts:
    """A cart is to be ordered, and the code that was put on it may no longer count."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.integer(1, 3), Decimal("110"))
    own = _categories_of(db, goods)
    promotion = _running(
        db, draw.row("promotions", kind=("percent", "amount"), category=(None, draw.one(own)))
    )
    draw.need(_worth_covered(db, promotion, goods) >= promotion.minimum_spend)
    cart = _filled_cart(db, draw, customer, goods)
    draw.call("apply_promotion", cart_id=cart.cart_id, code=promotion.code)
    stage = draw.one(["good", "good", "over", "over", "over", "used", "used"])
    past = db.today() - timedelta(days=draw.integer(1, 6))
    filled = db.now() - timedelta(days=draw.integer(7, 12), minutes=draw.integer(5, 500))
    db.carts.update(cart.cart_id, created_at=filled, updated_at=filled)
    if stage == "over":
        promotion = db.promotions.update(promotion.promotion_id, ends_on=past)
    if stage == "used":
        draw.need(promotion.uses > 1)
        promotion = db.promotions.update(promotion.promotion_id, max_uses=promotion.uses)
    draw.turn(promotion, ends_on=past if stage == "good" else db.today() + timedelta(days=6))
    fine = not draw.chance(0.25)
    return facts(
        _me(customer),
        code=promotion.code,
        speed=draw.one(["standard", "standard", "express"]),
        pay=_as_said(_valid_method(db, draw, customer)),
        agrees=fine,
        accepts=fine,
    )


def solve_stale_code(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("speed")
    quote = agent.attempt.quote_cart(customer.customer_id, given.speed)
    if quote.rejected("promotion_not_running"):
        day = date.fromisoformat(quote.values.ends_on)
        if not agent.offer("order_without_the_code", code_ended_on=day):
            return outcome("not_without", day=day)
        total = _order_without(agent, given, customer)
        return outcome("ordered_without", total=total, day=day)
    if quote.rejected("promotion_used_up"):
        agent.ask("code")
        uses = agent.get_promotion(given.code).max_uses
        if not agent.offer("order_without_the_code", code_was_good_for=uses):
            return outcome("all_used_up", uses=uses)
        total = _order_without(agent, given, customer)
        return outcome("ordered_plain", total=total)
    if not agent.agreed(total=quote.total):
        return outcome("cart_waits", total=quote.total)
    agent.ask("pay")
    paying = _named_method(agent, customer, given.pay)
    order = agent.check_out_cart(quote.cart_id, shipping_method=given.speed)
    agent.pay_order(order.order_id, paying.payment_method_id)
    return outcome("ordered_with_it", total=order.total)


def _order_without(agent: Agent, given: Given, customer: Customer) -> Decimal:
    """Take the code off a cart that cannot be quoted with it, order the cart and pay it."""
    cart = agent.get_cart(customer.customer_id)
    agent.apply_promotion(cart.cart_id)
    quote = agent.quote_cart(customer.customer_id, given.speed)
    agent.ask("pay")
    agent.agreed(total=quote.total)
    paying = _named_method(agent, customer, given.pay)
    order = agent.check_out_cart(cart.cart_id, shipping_method=given.speed)
    agent.pay_order(order.order_id, paying.payment_method_id)
    return order.total


def _card_of(db: Database, draw: Draw, customer: Customer, kind: str) -> PaymentMethod:
    """Return one more card of a kind that a customer saved, long ago."""
    card = draw.call(
        "add_payment_method", customer_id=customer.customer_id, kind=kind,
        last_four=f"{draw.integer(1000, 9999)}",
        expires_on=db.today() + timedelta(days=draw.integer(60, 900)),
    )  # fmt: skip
    return db.payment_methods.update(card.payment_method_id, added_on=customer.joined_on)


def same_card(db: Database, draw: Draw) -> Facts:
    """A swap costs more, to be charged like the order was; that card may not be the one."""
    product = _product_with(db, draw, BIGGER)
    old = draw.one(db.variants.where(product_id=product.product_id))
    new = draw.one(
        one
        for one in _siblings(db, old)
        if _color(one) == _color(old) and one.price > old.price and one.stock > 0
    )
    customer = _shopper(db, draw)
    draw.need(old.stock > 4)
    kind = draw.one(BRANDS)
    cards = [_card_of(db, draw, customer, kind), _card_of(db, draw, customer, kind)]
    paid = draw.one(cards)
    stage = draw.one(["fine", "fine", "fine", "over", "over", "over", "not_it", "not_it"])
    if stage == "not_it":
        own = db.payment_methods.where(customer_id=customer.customer_id)
        paid = draw.one(
            one
            for one in own
            if one.kind != kind and one.expires_on is not None and one.expires_on > db.today()
        )
    since = draw.integer(3, 12)
    order = _checked_out(db, draw, customer, [old], [1], since + 6)
    payment = draw.call(
        "pay_order", order_id=order.order_id, payment_method_id=paid.payment_method_id
    )
    db.payments.update(payment.payment_id, paid_at=order.placed_at + timedelta(minutes=3))
    _arrived(db, draw, _sent(db, draw, db.orders.get(order.order_id), [1], since + 5), 0)
    past = db.today() - timedelta(days=draw.integer(1, min(since, 4)))
    if stage == "fine" and draw.chance(0.2):
        paid = db.payment_methods.update(paid.payment_method_id, expires_on=db.today())
    if stage == "over":
        paid = db.payment_methods.update(paid.payment_method_id, expires_on=past)
        draw.turn(paid, expires_on=db.today() + timedelta(days=200))
    elif stage == "fine":
        draw.turn(paid, expires_on=past)
    elif stage == "not_it":
        draw.turn(paid, kind=kind)
    order = db.orders.get(order.order_id)
    spare = draw.one(card for card in cards if card.payment_method_id != paid.payment_method_id)
    dear = Decimal(1) if draw.chance(0.12) else Decimal(900)
    return facts(
        _me(customer),
        item=told(
            draw.name(order.lines[0].item, among=_items_of(db, customer)), order, "lines.item"
        ),
        kind=_choice(new),
        brand=kind,
        second_card=_as_said(spare) if draw.chance(0.6) else "none",
        agrees={"difference": dear},
    )


def solve_same_card(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item", "kind", "brand")
    order, line = _bought(agent, customer, given.item)
    old = agent.get_variant(line.variant_id)
    kinds = agent.list_product_variants(old.product_id)
    new = only(one for one in kinds if (_color(one), _choice(one)) == (_color(old), given.kind))
    quote = agent.quote_exchange(order.order_id, line.line_number, 1, new.variant_id)
    part = only(agent.summarize_order(order.order_id).payments)
    methods = agent.list_payment_methods(customer.customer_id)
    paid = only(one for one in methods if one.payment_method_id == part.payment_method_id)
    is_other = paid.kind != given.brand
    is_over = paid.expires_on is not None and paid.expires_on < agent.get_shop_info().today
    method = paid
    if is_other or is_over:
        agent.tell(paid_with=part.paid_with, expiry_date=paid.expires_on)
        agent.ask("second_card")
        if given.second_card == "none":
            if is_other:
                return outcome("paid_otherwise", ending=paid.last_four)
            return outcome("that_one_is_over", day=paid.expires_on, ending=paid.last_four)
        method = _named_method(agent, customer, given.second_card)
    # What is said after a yes may be something new: the cost is told when all else is known.
    if not agent.agreed(difference=quote.difference):
        return outcome("stays_small", difference=quote.difference)
    agent.request_exchange(
        order.order_id, line.line_number, 1, new.variant_id, method.payment_method_id
    )
    if is_other:
        return outcome("on_another", difference=quote.difference, ending=paid.last_four)
    if is_over:
        return outcome("on_the_other", difference=quote.difference, day=paid.expires_on)
    return outcome("on_that_card", difference=quote.difference, ending=paid.last_four)
