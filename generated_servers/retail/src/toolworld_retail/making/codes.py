"""Promotion codes on a cart: some do not count, and of two one is worth more."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..database.models import Cart, CartQuote, Category, Customer, Database, Promotion, Variant
from ..values import money
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts
from .language import Outcome, only, outcome
from .laying import _goods, _paid, _shopper
from .people import _customer, _me

RUNS = 20


def _filled_cart(db: Database, draw: Draw, customer: Customer, goods: list[Variant]) -> Cart:
    """Return a cart with one unit of each of some goods."""
    for variant in goods:
        draw.call("add_to_cart", customer_id=customer.customer_id, variant_id=variant.variant_id)
    return draw.call("get_cart", customer_id=customer.customer_id)


def _running(db: Database, promotion: Promotion) -> Promotion:
    """Have a promotion run these days, with uses left, for whoever comes."""
    most = None if promotion.max_uses is None else promotion.uses + 5
    return db.promotions.update(
        promotion.promotion_id,
        starts_on=db.today() - timedelta(days=RUNS),
        ends_on=db.today() + timedelta(days=RUNS),
        max_uses=most,
        once_per_customer=False,
    )


def _worth_covered(db: Database, promotion: Promotion, goods: list[Variant]) -> Decimal:
    """Return what the goods that a promotion covers are worth."""
    return sum(
        (
            variant.price
            for variant in goods
            if promotion.category is None
            or db.products.get(variant.product_id).category == promotion.category
        ),
        Decimal(0),
    )


def _categories_of(db: Database, goods: list[Variant]) -> list[Category]:
    """Return the departments that some goods are from."""
    return [db.products.get(variant.product_id).category for variant in goods]


def use_code(db: Database, draw: Draw) -> Facts:
    """A code should go on a cart; for one of several reasons it may not count."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.integer(1, 3), Decimal("120"))
    stage = draw.one(["good", "good", "good", "over", "early", "gone", "before", "little", "odd"])
    own = _categories_of(db, goods)
    if stage == "odd":
        promotion = _running(db, draw.row("promotions"))
        draw.need(promotion.category is not None and promotion.category not in own)
    else:
        promotion = _running(db, draw.row("promotions", category=(None, draw.one(own))))
    worth = _worth_covered(db, promotion, goods)
    number = promotion.promotion_id
    if stage == "little":
        least = money(worth + draw.integer(4, 40))
        db.promotions.update(number, minimum_spend=least)
    else:
        draw.need(stage == "odd" or worth >= promotion.minimum_spend)
    if stage == "over":
        over = db.today() - timedelta(days=draw.integer(1, 9))
        db.promotions.update(number, ends_on=over)
    if stage == "early":
        db.promotions.update(number, starts_on=db.today() + timedelta(days=draw.integer(1, 9)))
    if stage == "gone":
        draw.need(promotion.uses > 1)
        db.promotions.update(number, max_uses=promotion.uses)
    if stage == "before":
        _used_before(db, draw, customer, promotion, goods)
    _filled_cart(db, draw, customer, goods)
    draw.turn(db.promotions.get(number), ends_on=db.today() - timedelta(days=2))
    draw.turn(db.promotions.get(number), ends_on=db.today() + timedelta(days=9))
    return facts(
        _me(customer),
        code=promotion.code,
        speed=draw.one(["standard", "standard", "express"]),
    )


def _used_before(
    db: Database, draw: Draw, customer: Customer, promotion: Promotion, goods: list[Variant]
) -> None:
    """Have a customer order with a code that works once; an order before may be cancelled."""
    db.promotions.update(promotion.promotion_id, once_per_customer=True)
    days = draw.integer(1, RUNS - 4)
    for age in [days + 1, days] if draw.chance(0.4) else [days]:
        cart = _filled_cart(db, draw, customer, goods)
        draw.call("apply_promotion", cart_id=cart.cart_id, code=promotion.code)
        order = draw.call("check_out_cart", cart_id=cart.cart_id)
        placed = db.now() - timedelta(days=age, minutes=draw.integer(5, 500))
        db.orders.update(order.order_id, placed_at=placed)
        if age > days:
            draw.call("cancel_order", order_id=order.order_id, reason="changed_mind")
            ended = placed + timedelta(minutes=20)
            db.orders.update(order.order_id, cancelled_at=ended)
        else:
            _paid(db, draw, db.orders.get(order.order_id))


def solve_use_code(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("code", "speed")
    promotion = agent.get_promotion(given.code)
    quote = agent.quote_cart(customer.customer_id, given.speed)
    put = agent.attempt.apply_promotion(quote.cart_id, given.code)
    if put.rejected("promotion_not_running"):
        today = agent.get_shop_info().today
        first_day = max(today, promotion.starts_on)
        if first_day != today:
            return outcome("not_yet", day=first_day, total=quote.total)
        return outcome("over", day=promotion.ends_on, total=quote.total)
    if put.rejected("promotion_used_up"):
        return outcome("used_up", uses=promotion.max_uses, total=quote.total)
    if put.rejected("promotion_used_before"):
        orders = agent.list_customer_orders(customer.customer_id)
        order = only(
            one
            for one in orders
            if one.promotion_id == promotion.promotion_id and one.status != "cancelled"
        )
        return outcome("once_only", day=order.placed_at.date(), total=quote.total)
    if put.rejected("nothing_covered"):
        return outcome("other_department", department=promotion.category, total=quote.total)
    if put.rejected("below_minimum"):
        missing = promotion.minimum_spend - Decimal(str(put.values.worth))
        return outcome("too_little", missing=missing, total=quote.total)
    now = agent.quote_cart(customer.customer_id, given.speed)
    if now.total == quote.total:
        agent.apply_promotion(quote.cart_id)
        return outcome("takes_nothing_off", total=now.total)
    return outcome("code_on", total=now.total)


def better_code(db: Database, draw: Draw) -> Facts:
    """Somebody has two codes; the one that saves more is to be used, and the cart ordered."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.integer(1, 3), Decimal("90"))
    own = (None, *_categories_of(db, goods))
    first, second = draw.row("promotions", category=own), draw.row("promotions")
    draw.need(first.promotion_id != second.promotion_id)
    for promotion in [first, second]:
        _running(db, promotion)
        if draw.chance(0.15):
            db.promotions.update(promotion.promotion_id, starts_on=db.today())
        elif draw.chance(0.3):
            past = db.today() - timedelta(days=draw.integer(1, 12))
            db.promotions.update(promotion.promotion_id, ends_on=past)
        else:
            draw.turn(promotion, ends_on=db.today() - timedelta(days=draw.integer(1, 12)))
    if draw.chance(0.25):
        _just_enough(db, draw, draw.one([first, second]), goods)
    _filled_cart(db, draw, customer, goods)
    return facts(
        _me(customer),
        first=first.code,
        second=second.code,
        speed=draw.one(["standard", "standard", "express"]),
        agrees=not draw.chance(0.15),
    )


def _just_enough(db: Database, draw: Draw, promotion: Promotion, goods: list[Variant]) -> None:
    """Have goods cost what a promotion asks for, or what ships free after it, to the cent."""
    worth = sum((variant.price for variant in goods), Decimal(0))
    free = Decimal(75) + (promotion.amount or Decimal(0))
    wanted = promotion.minimum_spend if promotion.amount is None or draw.chance(0.5) else free
    price = goods[0].price + wanted - worth
    draw.need(price > 5 and (promotion.category is None or len(goods) == 1))
    db.variants.update(goods[0].variant_id, price=price)


def solve_better_code(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("first", "second", "speed")
    plain = agent.quote_cart(customer.customer_id, given.speed)
    one = _total_with(agent, customer, plain, given.first)
    two = _total_with(agent, customer, plain, given.second)
    lowest = min(one, two)
    if lowest >= plain.total:
        return outcome("neither", total=plain.total)
    better = only(
        code for code, total in [(given.first, one), (given.second, two)] if total == lowest
    )
    agent.apply_promotion(plain.cart_id, better)
    quote = agent.quote_cart(customer.customer_id, given.speed)
    if not agent.agreed(total=quote.total):
        return outcome("code_kept", code=better, total=quote.total)
    agent.check_out_cart(plain.cart_id, shipping_method=given.speed)
    return outcome("ordered_with", code=better, total=quote.total)


def _total_with(agent: Agent, customer: Customer, plain: CartQuote, code: str) -> Decimal:
    """Return the total of a cart with a code, or without it where it does not count."""
    promotion = agent.get_promotion(code)
    today = agent.get_shop_info().today
    if not promotion.starts_on <= today <= promotion.ends_on:
        return plain.total
    covered = Decimal(0)
    for line in plain.lines:
        product = agent.get_product(agent.get_variant(line.variant_id).product_id)
        if promotion.category in (None, product.category):
            covered += line.unit_price * line.quantity
    if covered == 0 or covered < promotion.minimum_spend:
        return plain.total
    off = Decimal(0) if promotion.amount is None else promotion.amount
    if promotion.percent is not None:
        off = money(covered * promotion.percent / 100)
    return plain.subtotal - off + _fee_after(agent, customer, plain, promotion, off)


def _fee_after(
    agent: Agent, customer: Customer, plain: CartQuote, promotion: Promotion, off: Decimal
) -> Decimal:
    """Return what shipping costs once a promotion took something off."""
    shop = agent.get_shop_info()
    fee = only(one.fee for one in shop.shipping if one.method == plain.shipping_method)
    if plain.shipping_method != "standard":
        return fee
    enough = plain.subtotal - off >= shop.free_shipping_from
    is_free = enough or customer.tier == "gold" or promotion.kind == "free_shipping"
    return Decimal(0) if is_free else fee
