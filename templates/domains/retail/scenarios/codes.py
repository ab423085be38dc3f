"""Promotion codes on a cart: some do not count, and of two one is worth more."""

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


def use_code(db: Database, draw: Draw) -> Facts:
    """A code should go on a cart; for one of several reasons it may not count."""
    customer = _shopper(db, draw)
    promotion = _running(db, draw.row("promotions"))
    goods = _goods(db, draw, draw.integer(1, 3), Decimal("120"))
    stage = draw.one(["good", "good", "good", "over", "early", "gone", "before", "odd", "odd"])
    worth = _worth_covered(db, promotion, goods)
    draw.need(stage == "odd" or worth >= promotion.minimum_spend and worth > 0)
    draw.need(stage != "odd" or worth < promotion.minimum_spend or worth == 0)
    number = promotion.promotion_id
    if stage == "over":
        over = db.today() - timedelta(days=draw.integer(1, 9))
        db.promotions.update(number, ends_on=over)
    if stage == "early":
        db.promotions.update(number, starts_on=db.today() + timedelta(days=draw.integer(1, 9)))
    if stage == "gone":
        draw.need(promotion.uses > 0)
        db.promotions.update(number, max_uses=promotion.uses)
    if stage == "before":
        _used_before(db, draw, customer, promotion)
    _filled_cart(db, draw, customer, goods)
    draw.turn(db.promotions.get(number), ends_on=db.today() - timedelta(days=2))
    draw.turn(db.promotions.get(number), ends_on=db.today() + timedelta(days=9))
    return facts(
        _me(customer),
        code=promotion.code,
        speed=draw.one(["standard", "standard", "express"]),
    )


def _used_before(db: Database, draw: Draw, customer: Customer, promotion: Promotion) -> None:
    """Have a customer order something with a code that works once."""
    goods = _goods(db, draw, 2, Decimal("120"))
    draw.need(_worth_covered(db, promotion, goods) >= max(promotion.minimum_spend, Decimal(1)))
    db.promotions.update(promotion.promotion_id, once_per_customer=True)
    cart = _filled_cart(db, draw, customer, goods)
    draw.call("apply_promotion", cart_id=cart.cart_id, code=promotion.code)
    order = draw.call("check_out_cart", cart_id=cart.cart_id)
    placed = db.now() - timedelta(days=draw.integer(1, RUNS - 2), minutes=draw.integer(5, 500))
    _paid(db, draw, db.orders.update(order.order_id, placed_at=placed))


def solve_use_code(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("code", "speed")
    promotion = agent.get_promotion(given.code)
    quote = agent.quote_cart(customer.customer_id, given.speed)
    put = agent.attempt.apply_promotion(quote.cart_id, given.code)
    if put.rejected("promotion_not_running"):
        if agent.get_shop_info().today < promotion.starts_on:
            return outcome("not_yet", day=promotion.starts_on, total=quote.total)
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
    return outcome("code_on", total=now.total)


def better_code(db: Database, draw: Draw) -> Facts:
    """Somebody has two codes; the one that saves more is to be used, and the cart ordered."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.integer(1, 3), Decimal("90"))
    first, second = draw.row("promotions"), draw.row("promotions")
    draw.need(first.promotion_id != second.promotion_id)
    for promotion in [first, second]:
        if draw.chance(0.85):
            _running(db, promotion)
    first = db.promotions.get(first.promotion_id)
    draw.need(_worth_covered(db, first, goods) > 0 or draw.chance(0.3))
    _filled_cart(db, draw, customer, goods)
    draw.turn(first, ends_on=db.today() - timedelta(days=1))
    draw.turn(db.promotions.get(second.promotion_id), ends_on=db.today() - timedelta(days=1))
    return facts(
        _me(customer),
        first=first.code,
        second=second.code,
        speed=draw.one(["standard", "standard", "express"]),
        agrees=not draw.chance(0.1),
    )


def solve_better_code(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("first", "second", "speed")
    plain = agent.quote_cart(customer.customer_id, given.speed)
    one = _total_with(agent, given, customer, plain, given.first)
    two = _total_with(agent, given, customer, plain, given.second)
    lowest = min(one, two)
    if lowest == plain.total:
        return outcome("neither", total=plain.total)
    only(total for total in [one, two] if total == lowest)
    better = given.first if one < two else given.second
    on_cart = agent.quote_cart(customer.customer_id, given.speed)
    if on_cart.promotion_code != better:
        agent.apply_promotion(plain.cart_id, better)
    if not agent.agreed(total=lowest):
        return outcome("code_kept", code=better, total=lowest)
    agent.check_out_cart(plain.cart_id, shipping_method=given.speed)
    return outcome("ordered_with", code=better, total=lowest)


def _total_with(
    agent: Agent, given: Given, customer: Customer, plain: CartQuote, code: str
) -> Decimal:
    """Return the total of a cart with a code, or without it where it does not count."""
    put = agent.attempt.apply_promotion(plain.cart_id, code)
    if put.rejected(
        "promotion_not_running", "promotion_used_up", "promotion_used_before",
        "nothing_covered", "below_minimum",
    ):  # fmt: skip
        return plain.total
    return agent.quote_cart(customer.customer_id, given.speed).total
